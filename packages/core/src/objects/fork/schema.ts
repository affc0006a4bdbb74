/**
 * The shape of fork evidence: two signed statements that exclude each other, and the proof of it (protocol section 11).
 * rules.ts says which sides belong to which kind; sides.ts checks the shape of each side by its type.
 */
import type { JsonObject } from "../../kernel/kernel.ts";
import { Closed, Count, ForkId, Hash, NullableStreamId, OneOf, ServiceTime } from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { KeyEndorsements, KeyHints } from "../key-endorsement.ts";
import { Policy } from "../policy.ts";

/** The kinds of fork evidence, in the order of the protocol. */
export const FORK_KINDS = [
  "head",
  "chain",
  "leaf",
  "window",
  "checkpoint",
  "note",
  "epoch",
  "witness",
  "omission",
] as const;
export type ForkKind = (typeof FORK_KINDS)[number];

const divergenceMembers = Closed({
  /** From 0, and below the smaller size. */
  index: Count,
  /** Leaf data, not leaf hashes. */
  left_hash: Hash,
  left_path: Type.Array(Hash),
  right_hash: Hash,
  right_path: Type.Array(Hash),
});
/**
 * Two inclusion proofs of different leaf data at one index, which no consistent pair of trees can have. As JSON,
 * shortened:
 *
 * ```json
 * {"index":2,"left_hash":"76ab02…","left_path":["84dbe1…"],"right_hash":"0c9b7d…","right_path":["52d680…"]}
 * ```
 */
export type Divergence = Type.Static<typeof divergenceMembers>;

/** A divergence, or null. It is one schema and not a union, so that each fault is listed once, in its place. */
const NullableDivergence = Type.Unsafe<Divergence | null>({ ...divergenceMembers, type: ["object", "null"] });

/** A whole signed object, or the text of a signed note. */
const SideValue = Type.Unsafe<JsonObject | string>({ type: ["object", "string"] });

/**
 * Evidence that a service has signed two histories of a stream (protocol section 11). As JSON, shortened:
 *
 * ```json
 * {"fork_id":"frk_01k3…","stream_id":"str_01k3…","kind":"checkpoint","left":{},"right":{},"divergence":null,
 *  "detected_at":"2026-03-01T00:33:20.000Z"}
 * ```
 */
export const ForkEvidence = Closed(
  {
    fork_id: ForkId,
    /** Null for evidence about the service's log, which is about no single stream. */
    stream_id: NullableStreamId,
    kind: OneOf(...FORK_KINDS),
    left: SideValue,
    right: SideValue,
    divergence: NullableDivergence,
    /** The policy that the checkpoint names; for the kind `omission` only. */
    policy: Type.Optional(Policy),
    detected_at: ServiceTime,
    key_hints: Type.Optional(KeyHints),
    key_endorsements: Type.Optional(KeyEndorsements),
  },
  { $id: "fork" },
);
export type ForkEvidence = Type.Static<typeof ForkEvidence>;
