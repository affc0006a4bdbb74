/**
 * Reference values: the boot values and vault programs that a verifier accepts of a machine (protocol section 25). A
 * trust policy holds them, and a result names those of the service by their digest.
 */
import type { Kernel } from "../kernel/kernel.ts";
import { digest } from "../protocol.ts";
import { Closed, Hash, type HashHex, Ordinal, Slug } from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";

/** A register that no process can reset after the start of the machine, and no dynamic launch uses. */
export const StartPcr = Type.Integer({ minimum: 8, maximum: 15 });
/** A register of a TPM. */
export const PcrIndex = Type.Integer({ minimum: 0, maximum: 23 });

/**
 * The values that a verifier accepts (protocol section 25). As JSON, shortened:
 *
 * ```json
 * {"policyId":"vault-reference","policyVersion":1,"startPcr":15,"pcrs":[{"index":0,"values":["c3bf47…"]}],
 *  "measurements":[{"vaultMeasurement":"9fa3a5…","configDigests":["a3ac67…"]}],"others":["080856…"]}
 * ```
 */
export const ReferenceValues = Closed(
  {
    policyId: Slug,
    policyVersion: Ordinal,
    startPcr: StartPcr,
    pcrs: Type.Array(Closed({ index: PcrIndex, values: Type.Array(Hash) }), { maxItems: 24 }),
    measurements: Type.Array(Closed({ vaultMeasurement: Hash, configDigests: Type.Array(Hash) })),
    others: Type.Array(Hash),
  },
  { $id: "reference-values" },
);
export type ReferenceValues = Type.Static<typeof ReferenceValues>;

/**
 * Returns the digest by which a result names reference values (protocol section 25), 64 lowercase hex characters. It
 * checks nothing.
 *
 * @example
 * console.log(referenceValuesDigest(kernel, referenceValues).length); // 64
 */
export function referenceValuesDigest(kernel: Kernel, values: ReferenceValues): HashHex {
  return digest(kernel, "reference-values", values);
}
