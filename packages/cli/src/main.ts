/** The whole of `svc`, for any call: what `svc.mjs` is. */

import { begin } from "./begin.ts";
import { ALL } from "./commands/all.ts";

await begin(ALL);
