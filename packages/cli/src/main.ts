/**
 * `svc`: runs the command line. It sets the exit code and never calls `process.exit`, so that everything written arrives.
 */
import process from "node:process";
import { guardOutput } from "./output.ts";
import { run } from "./program.ts";

guardOutput();
await run(process.argv.slice(2));
