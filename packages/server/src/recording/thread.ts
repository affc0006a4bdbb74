/** The thread of the thin server that records. */
import { THIN_SERVER } from "../program/thin-server.ts";
import { recordFor } from "./record-for.ts";

await recordFor(THIN_SERVER);
