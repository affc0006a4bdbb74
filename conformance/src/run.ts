/** The entry of `run.mjs`. */
import process from "node:process";
import { EXIT } from "./exit.ts";
import { main } from "./main.ts";

for (const stream of [process.stdout, process.stderr])
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    // A reader who has seen enough ends neither the run nor its files.
    if (code === "EPIPE") return;
    process.once("exit", () => {
      process.exitCode = EXIT.output;
    });
  });
process.exitCode = await main(process.argv.slice(2));
