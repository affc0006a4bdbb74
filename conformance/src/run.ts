/** The entry of `run.mjs`. */
import process from "node:process";
import { main } from "./main.ts";

// A reader who has seen enough ends neither the run nor its files.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
process.exitCode = await main(process.argv.slice(2));
