/**
 * What a C2SP tlog-policy says (c2sp.org/tlog-policy): the logs and witnesses that it knows, and the quorum as a tree. Each name stands in
 * the tree once at most, so that no witness is counted in two places.
 */
import type { AnyVerificationKey } from "../../note/verification-key.ts";

/** A `log` line. Its key's name is the log's origin. */
export interface TlogLog {
  readonly key: AnyVerificationKey;
  /** As it is written; null where the line has none. */
  readonly url: string | null;
}

/** A `witness` line. `name` is the policy's own word for it; what it signs with is the name in `key`. */
export interface TlogWitness {
  readonly kind: "witness";
  readonly name: string;
  readonly key: AnyVerificationKey;
  readonly url: string | null;
}

/** A `group` line: it has witnessed what at least `threshold` of its members have. 1 <= threshold <= members.length. */
export interface TlogGroup {
  readonly kind: "group";
  readonly name: string;
  readonly threshold: number;
  readonly members: readonly TlogMember[];
}

export type TlogMember = TlogWitness | TlogGroup;

/** A policy as a whole. */
export interface TlogPolicy {
  readonly logs: readonly TlogLog[];
  readonly witnesses: readonly TlogWitness[];
  /** What the `quorum` line names; null for `none`. */
  readonly quorum: TlogMember | null;
}
