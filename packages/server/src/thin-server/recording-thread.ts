/** The thread of the thin server that records. */
import { recordFor } from "../recording/record-for.ts";
import { THIN_SERVER } from "./program.ts";

await recordFor(THIN_SERVER);
