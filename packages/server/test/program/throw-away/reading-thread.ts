/** The reading thread of the program. */
import { readFor } from "../../../src/program/index.ts";
import { WITH_NOTES } from "./program.ts";

readFor(WITH_NOTES);
