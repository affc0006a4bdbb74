/** The reading thread of the program. */
import { readFor } from "../../../src/entries/program.ts";
import { WITH_NOTES } from "./program.ts";

readFor(WITH_NOTES);
