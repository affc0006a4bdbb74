/**
 * The content of a C2SP tlog-policy (c2sp.org/tlog-policy): the logs and witnesses that it knows, and the quorum as a
 * tree. Each name is in the tree at most once, so that no witness is counted in two places.
 */
import type { AnyVerificationKey } from "../../note/verification-key.ts";

/** A `log` line. Its key's name is the log's origin. */
export interface TlogLog {
  readonly key: AnyVerificationKey;
  /** The URL as written; null if the line has none. */
  readonly url: string | null;
}

/** A `witness` line. `name` is the policy's own word for it; the witness signs under the name in `key`. */
export interface TlogWitness {
  readonly kind: "witness";
  readonly name: string;
  readonly key: AnyVerificationKey;
  readonly url: string | null;
}

/**
 * A `group` line: it counts as a witness if at least `threshold` of its members do. 1 <= threshold <= members.length.
 */
export interface TlogGroup {
  readonly kind: "group";
  readonly name: string;
  readonly threshold: number;
  readonly members: readonly TlogMember[];
}

export type TlogMember = TlogWitness | TlogGroup;

/** A whole policy. */
export interface TlogPolicy {
  readonly logs: readonly TlogLog[];
  readonly witnesses: readonly TlogWitness[];
  /** The member that the `quorum` line names; null for `none`. */
  readonly quorum: TlogMember | null;
}
