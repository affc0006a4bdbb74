/**
 * `pnpm bench <name> [--json] [--quick] [--no-native] [group...]`: measures, prints a table or one JSON object, and
 * judges no commit: it exits with 0 after a missed target, with 1 after a wrong answer, with 2 after a wrong command
 * line.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { selectKernel } from "../packages/core/src/index.ts";
import { GROUPS as ANCHOR_GROUPS, benchAnchors } from "./anchors/main.ts";
import { benchCli, GROUPS as CLI_GROUPS } from "./cli/main.ts";
import { benchConformance, GROUPS as CONFORMANCE_GROUPS } from "./conformance/main.ts";
import { benchExport, GROUPS as EXPORT_GROUPS } from "./export/main.ts";
import { benchGo, GROUPS as GO_GROUPS } from "./go/main.ts";
import { benchKernel, GROUPS as KERNEL_GROUPS } from "./kernel/main.ts";
import { type Row, WrongAnswer } from "./measure.ts";
import { benchPage, GROUPS as PAGE_GROUPS } from "./page/main.ts";
import { benchProvenance, GROUPS as PROVENANCE_GROUPS } from "./provenance/main.ts";
import { benchPython, GROUPS as PYTHON_GROUPS } from "./python/main.ts";
import { benchSdk, GROUPS as SDK_GROUPS } from "./sdk/main.ts";
import { benchServer, GROUPS as SERVER_GROUPS } from "./server/main.ts";
import { benchStore, GROUPS as STORE_GROUPS } from "./store/main.ts";
import { tableOf } from "./table.ts";
import { benchVerify, GROUPS as VERIFY_GROUPS } from "./verify/main.ts";
import { benchWitness, GROUPS as WITNESS_GROUPS } from "./witness/main.ts";

/** A bench: its groups, by name, and the work that measures some of them; all if none is named. */
interface Bench {
  readonly groups: object;
  readonly measure: (options: {
    readonly quick: boolean;
    readonly native: boolean;
    readonly groups: readonly string[];
  }) => Promise<{ readonly rounds: number; readonly rows: readonly Row[]; readonly native?: string }>;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  kernel: { groups: KERNEL_GROUPS, measure: benchKernel },
  verify: { groups: VERIFY_GROUPS, measure: benchVerify },
  cli: { groups: CLI_GROUPS, measure: benchCli },
  page: { groups: PAGE_GROUPS, measure: benchPage },
  server: { groups: SERVER_GROUPS, measure: benchServer },
  store: { groups: STORE_GROUPS, measure: benchStore },
  export: { groups: EXPORT_GROUPS, measure: benchExport },
  sdk: { groups: SDK_GROUPS, measure: benchSdk },
  go: { groups: GO_GROUPS, measure: benchGo },
  python: { groups: PYTHON_GROUPS, measure: benchPython },
  provenance: { groups: PROVENANCE_GROUPS, measure: benchProvenance },
  witness: { groups: WITNESS_GROUPS, measure: benchWitness },
  anchors: { groups: ANCHOR_GROUPS, measure: benchAnchors },
  conformance: { groups: CONFORMANCE_GROUPS, measure: benchConformance },
};
const USAGE = `usage: ${Object.entries(BENCHES).map(usageOf).join("\n       ")}`;

// Programs are measured as users start them, and the variable makes a start shorter that is not the first.
delete process.env.NODE_COMPILE_CACHE;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      "no-native": { type: "boolean", default: false },
    },
  });
  const [name, ...groups] = positionals;
  const bench = name !== undefined && Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (name === undefined || bench === undefined || !groups.every((group) => Object.hasOwn(bench.groups, group)))
    throw new TypeError("no such name");
  const result = await measureAll(name, bench, groups, values.quick, !values["no-native"]);
  if (values.json) console.log(JSON.stringify(result));
  else {
    const { node, cpu, kernel_sha256, native } = result.machine;
    console.log(`Node ${node}, ${cpu}, kernel ${kernel_sha256}`);
    console.log(`medians of ${result.rounds} interleaved rounds, native: ${native}`);
    if (result.quick) console.log("quick: smaller inputs and fewer rounds than the targets are meant for");
    console.log(`\n${tableOf(result.rows, native.startsWith("rustc") ? "-" : native)}`);
  }
} catch (error) {
  if (error instanceof WrongAnswer) {
    console.error(`wrong answer: ${error.message}`);
    process.exitCode = 1;
  } else if (error instanceof TypeError) {
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = 2;
  } else throw error;
}

/** Resolves to the output of `--json`. */
async function measureAll(name: string, bench: Bench, groups: readonly string[], quick: boolean, withNative: boolean) {
  const { rounds, rows, native = "-" } = await bench.measure({ quick, native: withNative, groups });
  const cpu = cpus()[0]?.model ?? "unknown";
  const machine = { node: process.versions.node, cpu, kernel_sha256: selectKernel("wasm").sha256Hex ?? "", native };
  return { bench: name, quick, rounds, machine, rows };
}

/** Returns the command line of a bench. Only the kernel's measures a native build too. */
function usageOf([name, { groups }]: readonly [string, Bench]): string {
  const flags = name === "kernel" ? "[--json] [--quick] [--no-native]" : "[--json] [--quick]";
  return `pnpm bench ${name} ${flags} [${Object.keys(groups).join(" | ")}]...`;
}
