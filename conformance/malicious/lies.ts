/** All lies: one for each check of core, and ten others. */
import { CENTRAL_DIRECTORY } from "./central-directory.ts";
import { COFACTORLESS } from "./cofactorless.ts";
import { LACKING } from "./lacks-a-check.ts";
import { LENIENT_JSON } from "./lenient-json.ts";
import type { Lie } from "./lie.ts";
import { ROUNDS_SIZES } from "./rounds-sizes.ts";
import { TOLD_OTHERWISE } from "./told-otherwise.ts";
import { TRUSTS_WRONGLY } from "./trusts-wrongly.ts";

export const LIES: readonly Lie[] = [
  ...LACKING,
  ...TOLD_OTHERWISE,
  ...TRUSTS_WRONGLY,
  LENIENT_JSON,
  COFACTORLESS,
  ROUNDS_SIZES,
  CENTRAL_DIRECTORY,
];
