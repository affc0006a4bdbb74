/** The reading thread of the thin server. */
import { readFor } from "../reading/read-for.ts";
import { THIN_SERVER } from "./program.ts";

readFor(THIN_SERVER);
