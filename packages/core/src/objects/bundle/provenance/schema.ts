/**
 * The shape of a bundle with the part of vaults (protocol sections 14 and 27): the whole schema of a bundle, in which
 * that part may be left out. The schema of a bundle that has none is in ../schema.ts.
 */
import { Closed, Count, EventId, Hash, Ordinal, Salt } from "../../../schema/atoms.ts";
import * as Type from "../../../schema/type.ts";
import { Handover } from "../../../vault/handover.ts";
import { KeyStatusBody } from "../../../vault/key-status/schema.ts";
import { VaultAttestation } from "../../attestation/schema.ts";
import { Content, SealedEnvelope } from "../../envelope/schema.ts";
import { ProviderPolicy } from "../../provider/policy.ts";
import { artifactHashes, artifactMembers, bundleMembers, manifestMembers, PROVENANCE_MEMBERS } from "../schema.ts";

/**
 * An envelope of a bundle, with the salt of the payload that it is (protocol section 27). As JSON, shortened:
 *
 * ```json
 * {"seq_no":1,"payload_salt":"3be709…","envelope":{}}
 * ```
 */
export const RecordedEnvelope = Closed({ seq_no: Ordinal, payload_salt: Salt, envelope: SealedEnvelope });
export type RecordedEnvelope = Type.Static<typeof RecordedEnvelope>;

/**
 * The statements of vaults and the service about the events of a provenance stream (protocol section 27). As JSON,
 * shortened:
 *
 * ```json
 * {"envelopes":[],"attestations":[],"handovers":[],"provider_policies":[]}
 * ```
 */
export const ProvenanceArtifact = Closed({
  envelopes: Type.Array(RecordedEnvelope),
  attestations: Type.Array(VaultAttestation),
  handovers: Type.Array(Handover),
  provider_policies: Type.Array(ProviderPolicy),
});
export type ProvenanceArtifact = Type.Static<typeof ProvenanceArtifact>;

/**
 * The parts of a bundle whose hashes its manifest names (protocol section 14). As JSON, shortened:
 *
 * ```json
 * {"receipts.json":[],"windows.json":[],"checkpoints.json":[],"witnesses.json":{},"anchors.json":[]}
 * ```
 */
export const Artifacts = Closed({ ...artifactMembers, "provenance.json": Type.Optional(ProvenanceArtifact) });
export type Artifacts = Type.Static<typeof Artifacts>;

/** The members that are in the manifest of a provenance stream, all or none (protocol section 27). */
const provenanceMembers = {
  provenance_root: Hash,
  provenance_event_count: Count,
  vault_key_lifecycle: Type.Array(KeyStatusBody, { minItems: 1 }),
};

/**
 * The sealed part of a bundle (protocol section 14). As JSON, shortened:
 *
 * ```json
 * {"bundle_id":"bundle_01k3…","protocol":"SVC-PROOFSTREAM-001","created_at":"2026-03-01T00:00:13.000Z",
 *  "stream_id":"str_01k3…","from_seq_no":1,"to_seq_no":3,"artifact_hashes":{},
 *  "prior_windows":{"window_count":0,"frontier":[]}}
 * ```
 */
export const Manifest = Closed(
  {
    ...manifestMembers,
    artifact_hashes: Closed({ ...artifactHashes, "provenance.json": Type.Optional(Hash) }),
    provenance_root: Type.Optional(provenanceMembers.provenance_root),
    provenance_event_count: Type.Optional(provenanceMembers.provenance_event_count),
    vault_key_lifecycle: Type.Optional(provenanceMembers.vault_key_lifecycle),
  },
  {
    dependentRequired: Object.fromEntries(
      PROVENANCE_MEMBERS.map((name) => [name, PROVENANCE_MEMBERS.filter((other) => other !== name)]),
    ),
  },
);
export type Manifest = Type.Static<typeof Manifest>;

/**
 * The manifest of a bundle over a provenance stream (protocol section 27). As JSON, shortened:
 *
 * ```json
 * {"bundle_id":"bundle_01k3…","protocol":"SVC-PROOFSTREAM-001","created_at":"2026-03-01T00:00:13.000Z",
 *  "stream_id":"str_01k3…","from_seq_no":1,"to_seq_no":3,"artifact_hashes":{},
 *  "prior_windows":{"window_count":0,"frontier":[]},"provenance_root":"2c1414…","provenance_event_count":3,
 *  "vault_key_lifecycle":[]}
 * ```
 */
export const ProvenanceManifest = Closed({
  ...manifestMembers,
  artifact_hashes: Closed({ ...artifactHashes, "provenance.json": Hash }),
  ...provenanceMembers,
});
export type ProvenanceManifest = Type.Static<typeof ProvenanceManifest>;

const { payloads, ...keysAndSeal } = bundleMembers;

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
    payloads,
    /** The contents of envelopes, of which any may be left out (protocol section 27). */
    contents: Type.Optional(
      Type.Unsafe<Readonly<Record<string, Content>>>({
        type: "object",
        propertyNames: EventId,
        additionalProperties: Content,
      }),
    ),
    ...keysAndSeal,
  },
  { $id: "bundle" },
);
export type Bundle = Type.Static<typeof Bundle>;
