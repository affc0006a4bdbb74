/**
 * `pnpm bench <name> [--json] [--quick] [--no-native] [group...]`: measures, prints a table or one JSON object, and judges no commit:
 * a missed target ends with 0, a wrong answer with 1, a wrong command line with 2.
 */
import { parseArgs } from "node:util";
import { benchKernel, GROUPS } from "./kernel/main.ts";
import { WrongAnswer } from "./measure.ts";
import { tableOf } from "./table.ts";

const USAGE = `usage: pnpm bench kernel [--json] [--quick] [--no-native] [${Object.keys(GROUPS).join(" | ")}]...`;

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
  if (name !== "kernel" || !groups.every((group) => Object.hasOwn(GROUPS, group))) throw new TypeError("no such name");
  const result = await benchKernel({ quick: values.quick, native: !values["no-native"], groups });
  if (values.json) console.log(JSON.stringify(result));
  else {
    const { node, cpu, kernel_sha256, native } = result.machine;
    console.log(`Node ${node}, ${cpu}, kernel ${kernel_sha256}`);
    console.log(`one thread, medians of ${result.rounds} interleaved rounds, native: ${native}`);
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
