/** The whole of `svc`, for any call: the entry of `svc.mjs`. */

import { ALL } from "./all-commands.ts";
import { begin } from "./begin.ts";

await begin(ALL);
