/** The thread of the program that records. */
import { recordFor } from "../../../src/entries/program.ts";
import { WITH_NOTES } from "./program.ts";

await recordFor(WITH_NOTES);
