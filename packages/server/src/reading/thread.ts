/** The reading thread of the thin server. */
import { THIN_SERVER } from "../program/thin-server.ts";
import { readFor } from "./read-for.ts";

readFor(THIN_SERVER);
