/**
 * The verifier's own demand for cosignatures, in one of its two forms (protocol section 16): a number of pinned
 * witnesses, or the text of a C2SP tlog-policy. ../objects/quorum.ts decides whether it is met.
 */
import type { Kernel } from "../kernel/kernel.ts";
import { ML_DSA_LINE } from "../note/signed-note.ts";
import type { TrustPolicy } from "./policy.ts";
import { parseTlogPolicy } from "./tlog-policy/parse.ts";
import type { TlogPolicy } from "./tlog-policy/policy.ts";
import { leastWitnesses } from "./tlog-policy/quorum.ts";

/** The demand of the verifier. */
export type Quorum =
  | { readonly form: "count"; readonly least: number }
  | {
      readonly form: "text";
      /** The least number of witnesses that must have cosigned; 0 for `quorum none`. */
      readonly least: number;
      readonly policy: TlogPolicy;
      /** Its keys of ML-DSA-44, as key id, space and name: they are known, and not checked. */
      readonly unchecked: ReadonlySet<string>;
    };

/** Returns the quorum of a trust policy that `parseTrustPolicy` has accepted; null if it demands none. */
export function quorumOf(kernel: Kernel, { quorum }: TrustPolicy): Quorum | null {
  if (quorum === undefined) return null;
  if (typeof quorum === "number") return { form: "count", least: quorum };
  const parsed = parseTlogPolicy(kernel, quorum);
  if (!parsed.ok) throw new TypeError(`not a tlog-policy, at line ${parsed.line}: ${parsed.message}`);
  const { policy } = parsed;
  const known = [...policy.logs, ...policy.witnesses].filter(({ key }) => key.type === ML_DSA_LINE);
  const unchecked = new Set(known.map(({ key }) => `${key.keyId} ${key.name}`));
  return { form: "text", least: leastWitnesses(policy.quorum), policy, unchecked };
}
