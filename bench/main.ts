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
import { benchKernel, GROUPS as KERNEL_GROUPS } from "./kernel/main.ts";
import { WrongAnswer } from "./measure.ts";
import { benchPage, GROUPS as PAGE_GROUPS } from "./page/main.ts";
import { benchProvenance, GROUPS as PROVENANCE_GROUPS } from "./provenance/main.ts";
import { benchPython, GROUPS as PYTHON_GROUPS } from "./python/main.ts";
import { benchSdk, GROUPS as SDK_GROUPS } from "./sdk/main.ts";
import { benchServer, GROUPS as SERVER_GROUPS } from "./server/main.ts";
import { benchStore, GROUPS as STORE_GROUPS } from "./store/main.ts";
import { tableOf } from "./table.ts";
import { benchVerify, GROUPS as VERIFY_GROUPS } from "./verify/main.ts";
import { benchWitness, GROUPS as WITNESS_GROUPS } from "./witness/main.ts";

const USAGE = `usage: pnpm bench kernel [--json] [--quick] [--no-native] [${Object.keys(KERNEL_GROUPS).join(" | ")}]...
       pnpm bench verify [--json] [--quick] [${Object.keys(VERIFY_GROUPS).join(" | ")}]...
       pnpm bench cli [--json] [--quick] [${Object.keys(CLI_GROUPS).join(" | ")}]...
       pnpm bench page [--json] [--quick] [${Object.keys(PAGE_GROUPS).join(" | ")}]...
       pnpm bench server [--json] [--quick] [${Object.keys(SERVER_GROUPS).join(" | ")}]...
       pnpm bench store [--json] [--quick] [${Object.keys(STORE_GROUPS).join(" | ")}]...
       pnpm bench export [--json] [--quick] [${Object.keys(EXPORT_GROUPS).join(" | ")}]...
       pnpm bench sdk [--json] [--quick] [${Object.keys(SDK_GROUPS).join(" | ")}]...
       pnpm bench python [--json] [--quick] [${Object.keys(PYTHON_GROUPS).join(" | ")}]...
       pnpm bench provenance [--json] [--quick] [${Object.keys(PROVENANCE_GROUPS).join(" | ")}]...
       pnpm bench witness [--json] [--quick] [${Object.keys(WITNESS_GROUPS).join(" | ")}]...
       pnpm bench anchors [--json] [--quick] [${Object.keys(ANCHOR_GROUPS).join(" | ")}]...
       pnpm bench conformance [--json] [--quick] [${Object.keys(CONFORMANCE_GROUPS).join(" | ")}]...`;
const GROUPS: Readonly<Record<string, object>> = {
  kernel: KERNEL_GROUPS,
  verify: VERIFY_GROUPS,
  cli: CLI_GROUPS,
  page: PAGE_GROUPS,
  server: SERVER_GROUPS,
  store: STORE_GROUPS,
  export: EXPORT_GROUPS,
  sdk: SDK_GROUPS,
  python: PYTHON_GROUPS,
  provenance: PROVENANCE_GROUPS,
  witness: WITNESS_GROUPS,
  anchors: ANCHOR_GROUPS,
  conformance: CONFORMANCE_GROUPS,
};
const BENCHES = {
  verify: benchVerify,
  cli: benchCli,
  page: benchPage,
  server: benchServer,
  store: benchStore,
  export: benchExport,
  sdk: benchSdk,
  python: benchPython,
  provenance: benchProvenance,
  witness: benchWitness,
  anchors: benchAnchors,
  conformance: benchConformance,
};

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
  const known = name !== undefined && Object.hasOwn(GROUPS, name) ? (GROUPS[name] ?? {}) : {};
  if (name === undefined || !groups.every((group) => Object.hasOwn(known, group)) || Object.keys(known).length === 0)
    throw new TypeError("no such name");
  const result = await measureAll(name, groups, values.quick, !values["no-native"]);
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
async function measureAll(name: string, groups: readonly string[], quick: boolean, withNative: boolean) {
  const { rounds, rows, native } =
    name === "kernel"
      ? await benchKernel({ quick, native: withNative, groups })
      : { ...(await BENCHES[name as keyof typeof BENCHES]({ quick, groups })), native: "-" };
  const cpu = cpus()[0]?.model ?? "unknown";
  const machine = { node: process.versions.node, cpu, kernel_sha256: selectKernel("wasm").sha256Hex ?? "", native };
  return { bench: name, quick, rounds, machine, rows };
}
