/** Only `svc verify`: the entry of `svc-verify.mjs`, which `svc-start.mjs` loads for calls of it. */
import { begin } from "./begin.ts";
import { ONLY_VERIFY } from "./only-verify.ts";

await begin(ONLY_VERIFY);
