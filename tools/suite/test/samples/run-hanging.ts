/** Runs a file that does not end, by its name among the samples, with a limit of a second, and prints its result. */
import { tmpdir } from "node:os";
import process from "node:process";
import { runUnits } from "../../runner.ts";

const unit = { file: `tools/suite/test/samples/${process.argv[2]}.mjs`, form: "plain" } as const;
const options = { environment: process.env, concurrency: 1, timeoutMs: 1000, folder: tmpdir() };
const [outcome] = await runUnits([unit], options);
console.log(JSON.stringify(outcome));
