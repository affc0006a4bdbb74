/**
 * The shape of a bundle: everything about a range of one stream that a verifier needs, without the service (protocol
 * section 14). The schema here is of a bundle without envelopes of vaults; provenance/schema.ts adds their part, which
 * a verifier may do without.
 */
import type { Json, JsonObject } from "../../kernel/kernel.ts";
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
import type { Manifest, ProvenanceManifest } from "./provenance/schema.ts";

export type {
  Artifacts,
  Bundle,
  Manifest,
  ProvenanceArtifact,
  ProvenanceManifest,
  RecordedEnvelope,
} from "./provenance/schema.ts";

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
 * The payload of an event, with its salt, apart from the receipt record (protocol section 7). As JSON, shortened:
 *
 * ```json
 * {"payload":{"amount":12500,"approved":true},"payload_salt":"8f2a41…"}
 * ```
 */
export const PayloadEntry = Closed({ payload: AnyObject, payload_salt: Salt });
export type PayloadEntry = Type.Static<typeof PayloadEntry>;

/** The artifacts of every bundle. */
export const artifactMembers = {
  "receipts.json": Type.Array(RedactedRecord),
  "windows.json": Type.Array(Window),
  "checkpoints.json": Type.Array(Checkpoint),
  "witnesses.json": WitnessArtifact,
  "anchors.json": Type.Array(Anchor),
  "forks.json": Type.Optional(Type.Array(ForkEvidence, { minItems: 1 })),
};

/** The hashes of the artifacts of every bundle. */
export const artifactHashes = {
  "receipts.json": Hash,
  "windows.json": Hash,
  "checkpoints.json": Hash,
  "witnesses.json": Hash,
  "anchors.json": Hash,
  "forks.json": Type.Optional(Hash),
};

/** The members of every manifest, beside the hashes of artifacts. */
export const manifestMembers = {
  bundle_id: BundleId,
  protocol: Type.Literal(PROTOCOL),
  created_at: ServiceTime,
  stream_id: StreamId,
  from_seq_no: Ordinal,
  to_seq_no: Ordinal,
  /** The checkpoint tree before the first window of the bundle. */
  prior_windows: Closed({ window_count: Count, frontier: Type.Array(Hash) }),
};

/** The members of every bundle, beside its manifest and artifacts. */
export const bundleMembers = {
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
};

/**
 * A bundle over a stream without envelopes of vaults (protocol section 14). As JSON, shortened:
 *
 * ```json
 * {"manifest":{"bundle_id":"bundle_01k3…","from_seq_no":1,"to_seq_no":3},
 *  "artifacts":{"receipts.json":[],"windows.json":[],"checkpoints.json":[],"witnesses.json":{},"anchors.json":[]},
 *  "payloads":{"sev_01k3…":{"payload":{"amount":12500},"payload_salt":"8f2a41…"}},
 *  "key_hints":[],"key_endorsements":[],"seal":{}}
 * ```
 */
export const LegacyBundle = Closed(
  {
    manifest: Closed({ ...manifestMembers, artifact_hashes: Closed(artifactHashes) }),
    artifacts: Closed(artifactMembers),
    ...bundleMembers,
  },
  { $id: "bundle" },
);

/** The members that are in the manifest of a provenance stream, all or none (protocol section 27). */
export const PROVENANCE_MEMBERS = ["provenance_root", "provenance_event_count", "vault_key_lifecycle"] as const;

/** Says whether a manifest has the members of a provenance stream. */
export function hasProvenance(manifest: Manifest): manifest is Manifest & ProvenanceManifest {
  return manifest.provenance_root !== undefined;
}

/** Says whether a value, of any form, is a bundle over a provenance stream, or was meant to be one. */
export function isProvenanceBundle(value: Json): boolean {
  return (
    hasOneOf(memberOf(value, "manifest"), PROVENANCE_MEMBERS) ||
    hasOneOf(memberOf(value, "artifacts"), ["provenance.json"])
  );
}

/** Says whether a bundle, of any form, has a member that only the schema with the part of vaults knows. */
export function hasVaultMember(value: Json): boolean {
  const hashes = memberOf(memberOf(value, "manifest"), "artifact_hashes");
  return isProvenanceBundle(value) || hasOneOf(value, ["contents"]) || hasOneOf(hashes, ["provenance.json"]);
}

function hasOneOf(value: Json | undefined, names: readonly string[]): boolean {
  return names.some((name) => memberOf(value, name) !== undefined);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}
