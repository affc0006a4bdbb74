/** The whole of `svc`, for any call: what `svc.mjs` is. */

import { ALL } from "./all-commands.ts";
import { begin } from "./begin.ts";

await begin(ALL);
