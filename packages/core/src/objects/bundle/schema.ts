/**
 * The shape of a bundle: everything about a range of one stream that a verifier needs, without the service (protocol
 * section 14).
 */
import { PROTOCOL } from "../../protocol.ts";
import {
  AnyObject,
  BundleId,
  Closed,
  Count,
  EventId,
  Hash,
  Ordinal,
  Salt,
  ServiceTime,
  StreamId,
} from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { Seal } from "../../seal.ts";
import { Anchor } from "../anchor/schema.ts";
import { Checkpoint } from "../checkpoint.ts";
import { ForkEvidence } from "../fork/schema.ts";
import { KeyEndorsements, KeyHints } from "../key-endorsement.ts";
import { Policy, WitnessPolicy } from "../policy.ts";
import { RedactedRecord } from "../receipt.ts";
import { Window } from "../window.ts";
import { WitnessStatement } from "../witness.ts";

/**
 * The policies of a bundle, and the statements of witnesses (protocol section 14). As JSON, shortened:
 *
 * ```json
 * {"policies":[],"witness_policies":[],"statements":[]}
 * ```
 */
export const WitnessArtifact = Closed({
  policies: Type.Array(Policy),
  witness_policies: Type.Array(WitnessPolicy),
  statements: Type.Array(WitnessStatement),
});
export type WitnessArtifact = Type.Static<typeof WitnessArtifact>;

/**
 * The parts of a bundle whose hashes its manifest names (protocol section 14). As JSON, shortened:
 *
 * ```json
 * {"receipts.json":[],"windows.json":[],"checkpoints.json":[],"witnesses.json":{},"anchors.json":[]}
 * ```
 */
export const Artifacts = Closed({
  "receipts.json": Type.Array(RedactedRecord),
  "windows.json": Type.Array(Window),
  "checkpoints.json": Type.Array(Checkpoint),
  "witnesses.json": WitnessArtifact,
  "anchors.json": Type.Array(Anchor),
  "forks.json": Type.Optional(Type.Array(ForkEvidence, { minItems: 1 })),
});
export type Artifacts = Type.Static<typeof Artifacts>;

/**
 * The sealed part of a bundle (protocol section 14). As JSON, shortened:
 *
 * ```json
 * {"bundle_id":"bundle_01k3…","protocol":"SVC-PROOFSTREAM-001","created_at":"2026-03-01T00:00:13.000Z",
 *  "stream_id":"str_01k3…","from_seq_no":1,"to_seq_no":3,"artifact_hashes":{},
 *  "prior_windows":{"window_count":0,"frontier":[]}}
 * ```
 */
export const Manifest = Closed({
  bundle_id: BundleId,
  protocol: Type.Literal(PROTOCOL),
  created_at: ServiceTime,
  stream_id: StreamId,
  from_seq_no: Ordinal,
  to_seq_no: Ordinal,
  artifact_hashes: Closed({
    "receipts.json": Hash,
    "windows.json": Hash,
    "checkpoints.json": Hash,
    "witnesses.json": Hash,
    "anchors.json": Hash,
    "forks.json": Type.Optional(Hash),
  }),
  /** The checkpoint tree before the first window of the bundle. */
  prior_windows: Closed({ window_count: Count, frontier: Type.Array(Hash) }),
});
export type Manifest = Type.Static<typeof Manifest>;

/**
 * The payload of an event, with its salt, apart from the receipt record (protocol section 7). As JSON, shortened:
 *
 * ```json
 * {"payload":{"amount":12500,"approved":true},"payload_salt":"8f2a41…"}
 * ```
 */
export const PayloadEntry = Closed({ payload: AnyObject, payload_salt: Salt });
export type PayloadEntry = Type.Static<typeof PayloadEntry>;

/**
 * A bundle: a range of one stream, with all of its evidence (protocol section 14). As JSON, shortened:
 *
 * ```json
 * {"manifest":{"bundle_id":"bundle_01k3…","from_seq_no":1,"to_seq_no":3},
 *  "artifacts":{"receipts.json":[],"windows.json":[],"checkpoints.json":[],"witnesses.json":{},"anchors.json":[]},
 *  "payloads":{"sev_01k3…":{"payload":{"amount":12500},"payload_salt":"8f2a41…"}},
 *  "key_hints":[],"key_endorsements":[],"seal":{}}
 * ```
 */
export const Bundle = Closed(
  {
    manifest: Manifest,
    artifacts: Artifacts,
    payloads: Type.Optional(
      Type.Unsafe<Readonly<Record<string, PayloadEntry>>>({
        type: "object",
        propertyNames: EventId,
        additionalProperties: PayloadEntry,
      }),
    ),
    key_hints: KeyHints,
    key_endorsements: KeyEndorsements,
    seal: Seal,
  },
  { $id: "bundle" },
);
export type Bundle = Type.Static<typeof Bundle>;
