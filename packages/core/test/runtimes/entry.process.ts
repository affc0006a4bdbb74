/**
 * Node, Deno and Bun: reads the cases and the kernel from the files that the arguments name, and prints one line of
 * JSON.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import type { Case } from "./answers.ts";
import { runAll } from "./runs.ts";

const [cases = "", kernel = ""] = process.argv.slice(2);
const runs = await runAll(JSON.parse(readFileSync(cases, "utf8")) as Case[], new Uint8Array(readFileSync(kernel)));
console.log(JSON.stringify(runs));
