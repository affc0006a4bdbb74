/**
 * Decodes an object of a known kind from bytes: strict JSON and the right form (protocol sections 2 and 16). It
 * verifies nothing: the object may be signed by nobody, and contradict itself.
 */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { JsonKind } from "../report/checks.ts";
import type { ProblemCode } from "../report/codes.ts";
import { deepPayloads, shapeProblems } from "../schema/validate.ts";
import { detectKind, kindEntry } from "./kinds.ts";
import { vaultEvidence } from "./vaults.ts";

/** An object of the form of its kind, or the first fault. */
export type Decoded =
  | { readonly ok: true; readonly kind: JsonKind; readonly value: Json }
  | {
      readonly ok: false;
      readonly code: ProblemCode;
      /** JSON Pointer (RFC 6901); empty for the text itself. */
      readonly path: string;
      readonly message: string;
      /** The kind that its members look like; null if they look like none. */
      readonly kind: JsonKind | null;
    };

/**
 * Decodes an object of any kind WITHOUT verifying it (protocol sections 2 and 16). `bytes`: one JSON text. The members
 * tell the kind. Returns the value, or the first fault with a code of the checks `json` and `shape`: `json_malformed`,
 * `duplicate_name`, `lossy_number`, `invalid_unicode`, `too_deep`; `unsupported_object`, `unknown_member`,
 * `missing_member`, `malformed`. Never throws because of the bytes. It looks at no hash and no signature, and opens no
 * truth package.
 *
 * @example
 * const decoded = decode(selectKernel(), pack);
 * console.log(decoded.ok, decoded.kind); // true bundle
 */
export function decode(kernel: Kernel, bytes: Uint8Array): Decoded {
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok) return { ok: false, code: parsed.code, path: "", message: `At byte ${parsed.offset}.`, kind: null };
  const { value } = parsed;
  const kind = detectKind(value);
  if (kind === null)
    return { ok: false, code: "unsupported_object", path: "", message: "It is of no kind of evidence.", kind };
  const { validator, faults } = kindEntry(kind, value, vaultEvidence);
  const [problem] = shapeProblems(validator, value).concat(deepPayloads(value));
  if (problem !== undefined) return { ok: false, ...problem, kind };
  const [fault] = faults(value as never);
  return fault === undefined ? { ok: true, kind, value } : { ok: false, code: "malformed", ...fault, kind };
}
