/** The entry of `run.mjs`. */
import process from "node:process";
import { main } from "./main.ts";

process.exitCode = await main(process.argv.slice(2));
