/** The commands of the program. */
import { run } from "../../../src/entries/program.ts";
import { WITH_NOTES } from "./program.ts";

process.exitCode = await run(WITH_NOTES, process.argv.slice(2));
