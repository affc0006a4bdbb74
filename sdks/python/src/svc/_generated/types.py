"""The shapes of evidence, of the trust policy and of the report as JSON, for type checkers."""

# Written by `pnpm spec` from spec/. Do not edit it.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

AnchorMembers = TypedDict(
    "AnchorMembers",
    {
        "checkpoint_id": "str",
        "checkpoint_hash": "str",
        "leaf_index": "int",
        "inclusion_path": "list[str]",
    },
)

AnchorEvidence = TypedDict(
    "AnchorEvidence",
    {
        "block_header_rlp": "str",
        "account_proof": "list[str]",
        "storage_proof": "list[str]",
    },
)

Anchor = TypedDict(
    "Anchor",
    {
        "anchor_epoch_id": "str",
        "origin": "str",
        "epoch_no": "int",
        "log_size": "int",
        "epoch_root": "str",
        "network": "str | None",
        "contract": "str | None",
        "tx_hash": "str | None",
        "block_number": "int | None",
        "block_hash": "str | None",
        "anchored_at": "str",
        "seal": "Seal",
        "note": "str",
        "members": "list[AnchorMembers]",
        "evidence": "AnchorEvidence | None",
    },
)

AnchorConsistency = TypedDict(
    "AnchorConsistency",
    {
        "from_anchor": "Anchor",
        "to_anchor": "Anchor",
        "consistency_path": "list[str]",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

AttestationResultStart = TypedDict(
    "AttestationResultStart",
    {
        "startPublicKeyHex": "str",
        "vaultMeasurement": "str",
        "configDigest": "str",
    },
)

AttestationResultSeal = TypedDict(
    "AttestationResultSeal",
    {
        "protocol": "Literal[\"SVC-VAULT-ATTESTATION-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

AttestationResult = TypedDict(
    "AttestationResult",
    {
        "attestationRef": "str",
        "attestationHash": "str",
        "attestationKind": "Literal[\"pkcs11-key-custody\", \"tpm2-quote\"]",
        "installationId": "str",
        "assuranceCapability": "Literal[\"L0\", \"L1\", \"L2\"]",
        "verified": "bool",
        "reason": "str | None",
        "custody": "Literal[\"x509\", \"ceremony\", None]",
        "startId": "str | None",
        "start": "AttestationResultStart | None",
        "ekCertificateSha256": "str | None",
        "akName": "str | None",
        "softwareRoot": "bool",
        "referenceValuesDigest": "str | None",
        "verifiedAt": "str",
        "expiresAt": "str",
        "seal": "AttestationResultSeal",
    },
)

BundleManifestPriorWindows = TypedDict(
    "BundleManifestPriorWindows",
    {
        "window_count": "int",
        "frontier": "list[str]",
    },
)

BundleManifestArtifactHashes = TypedDict(
    "BundleManifestArtifactHashes",
    {
        "receipts.json": "str",
        "windows.json": "str",
        "checkpoints.json": "str",
        "witnesses.json": "str",
        "anchors.json": "str",
        "forks.json": "NotRequired[str]",
        "provenance.json": "NotRequired[str]",
    },
)

BundleManifestVaultKeyLifecycle = TypedDict(
    "BundleManifestVaultKeyLifecycle",
    {
        "installationId": "str",
        "keyId": "str",
        "publicKeyHex": "str",
        "status": "Literal[\"active\", \"replaced\", \"revoked\"]",
        "enrolledAt": "str",
        "revokedAt": "str | None",
        "revocationReason": "Literal[\"key_compromise\", \"superseded\", \"decommissioned\", \"unspecified\", None]",
        "replacedByInstallationId": "str | None",
        "revocationInstantReconstructed": "bool",
        "statusAt": "str",
    },
)

BundleManifest = TypedDict(
    "BundleManifest",
    {
        "bundle_id": "str",
        "protocol": "Literal[\"SVC-PROOFSTREAM-001\"]",
        "created_at": "str",
        "stream_id": "str",
        "from_seq_no": "int",
        "to_seq_no": "int",
        "prior_windows": "BundleManifestPriorWindows",
        "artifact_hashes": "BundleManifestArtifactHashes",
        "provenance_root": "NotRequired[str]",
        "provenance_event_count": "NotRequired[int]",
        "vault_key_lifecycle": "NotRequired[list[BundleManifestVaultKeyLifecycle]]",
    },
)

BundleArtifactsWitnessesJson = TypedDict(
    "BundleArtifactsWitnessesJson",
    {
        "policies": "list[Policy]",
        "witness_policies": "list[WitnessPolicy]",
        "statements": "list[WitnessStatement]",
    },
)

BundleArtifactsProvenanceJsonEnvelopes = TypedDict(
    "BundleArtifactsProvenanceJsonEnvelopes",
    {
        "seq_no": "int",
        "payload_salt": "str",
        "envelope": "SealedEnvelope",
    },
)

BundleArtifactsProvenanceJson = TypedDict(
    "BundleArtifactsProvenanceJson",
    {
        "envelopes": "list[BundleArtifactsProvenanceJsonEnvelopes]",
        "attestations": "list[VaultAttestation]",
        "handovers": "list[Handover]",
        "provider_policies": "list[ProviderPolicy]",
    },
)

BundleArtifacts = TypedDict(
    "BundleArtifacts",
    {
        "receipts.json": "list[RedactedRecord]",
        "windows.json": "list[Window]",
        "checkpoints.json": "list[Checkpoint]",
        "witnesses.json": "BundleArtifactsWitnessesJson",
        "anchors.json": "list[Anchor]",
        "forks.json": "NotRequired[list[Fork]]",
        "provenance.json": "NotRequired[BundleArtifactsProvenanceJson]",
    },
)

BundlePayloads = TypedDict(
    "BundlePayloads",
    {
        "payload": "dict[str, Any]",
        "payload_salt": "str",
    },
)

Bundle = TypedDict(
    "Bundle",
    {
        "manifest": "BundleManifest",
        "artifacts": "BundleArtifacts",
        "payloads": "NotRequired[dict[str, BundlePayloads]]",
        "contents": "NotRequired[dict[str, Content]]",
        "key_hints": "list[KeyHint]",
        "key_endorsements": "list[KeyEndorsement]",
        "seal": "Seal",
    },
)

CheckpointWindowRoots = TypedDict(
    "CheckpointWindowRoots",
    {
        "window_no": "int",
        "window_hash": "str",
        "window_root": "str",
        "from_seq_no": "int",
        "to_seq_no": "int",
    },
)

Checkpoint = TypedDict(
    "Checkpoint",
    {
        "checkpoint_id": "str",
        "stream_id": "str",
        "origin": "str",
        "checkpoint_no": "int",
        "window_count": "int",
        "checkpoint_root": "str",
        "window_roots": "list[CheckpointWindowRoots]",
        "to_seq_no": "int",
        "latest_event_hash": "str",
        "stream_head_hash": "str",
        "previous_checkpoint_hash": "str",
        "policy_id": "str",
        "policy_digest": "str",
        "witness_policy_digest": "str",
        "anchor_epoch_candidate": "int | None",
        "created_at": "str",
        "seal": "Seal",
        "note": "str",
        "frontier": "NotRequired[list[str]]",
    },
)

Consistency = TypedDict(
    "Consistency",
    {
        "stream_id": "str",
        "from_checkpoint": "Checkpoint",
        "to_checkpoint": "Checkpoint",
        "consistency_path": "list[str]",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

ContentCommitments = TypedDict(
    "ContentCommitments",
    {
        "content": "str",
        "context": "str",
        "output": "str",
        "policy": "str",
    },
)

ContentAssurance = TypedDict(
    "ContentAssurance",
    {
        "level": "Literal[\"L0\", \"L1\", \"L2\"]",
        "attestationRef": "str | None",
        "startId": "str | None",
    },
)

ContentMetadataProviderResult = TypedDict(
    "ContentMetadataProviderResult",
    {
        "schema": "Literal[\"SVC-PROVIDER-RESULT-001\"]",
        "version": "Literal[\"0.1\", \"0.2\"]",
    },
)

ContentMetadata = TypedDict(
    "ContentMetadata",
    {
        "mediaClass": "Literal[\"image\", \"audio\", \"video\", \"text\", \"document\", \"data\", \"other\"]",
        "operation": "Literal[\"register\", \"mark\", \"detect\", \"transform\", \"disclose\"]",
        "providerId": "str | None",
        "providerPolicyDigest": "str | None",
        "providerResult": "ContentMetadataProviderResult | None",
        "softBindingAlg": "str | None",
    },
)

Content = TypedDict(
    "Content",
    {
        "occurredAt": "str",
        "sealedAt": "str",
        "eventType": "str",
        "commitments": "ContentCommitments",
        "capsuleSize": "Literal[8, 64, 512]",
        "slotSalt": "str",
        "capsulePath": "list[str]",
        "assurance": "ContentAssurance",
        "metadata": "ContentMetadata",
    },
)

CustodyEvidenceToken = TypedDict(
    "CustodyEvidenceToken",
    {
        "manufacturer": "str",
        "model": "str",
        "firmware": "str",
        "serialSha256": "str",
    },
)

CustodyEvidenceAttributes = TypedDict(
    "CustodyEvidenceAttributes",
    {
        "sensitive": "bool",
        "alwaysSensitive": "bool",
        "extractable": "bool",
        "neverExtractable": "bool",
        "local": "bool",
        "sign": "bool",
    },
)

CustodyEvidenceCeremonySeal = TypedDict(
    "CustodyEvidenceCeremonySeal",
    {
        "protocol": "Literal[\"SVC-VAULT-ATTESTATION-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

CustodyEvidenceCeremony = TypedDict(
    "CustodyEvidenceCeremony",
    {
        "installationId": "str",
        "publicKeyHex": "str",
        "tokenModel": "str",
        "tokenSerialSha256": "str",
        "witnessedAt": "str",
        "custodian": "str",
        "seal": "CustodyEvidenceCeremonySeal",
    },
)

CustodyEvidence = TypedDict(
    "CustodyEvidence",
    {
        "token": "CustodyEvidenceToken",
        "attributes": "CustodyEvidenceAttributes",
        "basis": "Literal[\"x509\", \"ceremony\", \"none\"]",
        "chain": "list[str]",
        "ceremony": "list[CustodyEvidenceCeremony]",
    },
)

DisclosureFields = TypedDict(
    "DisclosureFields",
    {
        "index": "int",
        "name": "str",
        "value": "Any",
        "blind": "str",
        "path": "list[str]",
    },
)

DisclosureSeal = TypedDict(
    "DisclosureSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

DisclosureReceiptCheckpointInclusion = TypedDict(
    "DisclosureReceiptCheckpointInclusion",
    {
        "window_no": "int",
        "window_count": "int",
        "path": "list[str]",
    },
)

DisclosureReceiptLastWindow = TypedDict(
    "DisclosureReceiptLastWindow",
    {
        "window": "Window",
        "path": "list[str]",
    },
)

DisclosureReceiptWitnesses = TypedDict(
    "DisclosureReceiptWitnesses",
    {
        "policies": "list[Policy]",
        "witness_policies": "list[WitnessPolicy]",
        "statements": "list[WitnessStatement]",
    },
)

DisclosureReceipt = TypedDict(
    "DisclosureReceipt",
    {
        "format": "Literal[\"svc-portable-receipt\"]",
        "version": "Literal[1]",
        "receipt": "ReceiptRecord",
        "inclusion": "NotRequired[Inclusion]",
        "window": "NotRequired[Window]",
        "checkpoint_inclusion": "NotRequired[DisclosureReceiptCheckpointInclusion]",
        "checkpoint": "NotRequired[Checkpoint]",
        "last_window": "NotRequired[DisclosureReceiptLastWindow]",
        "witnesses": "NotRequired[DisclosureReceiptWitnesses]",
        "anchor": "NotRequired[Anchor]",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

DisclosureKeyStatusSeal = TypedDict(
    "DisclosureKeyStatusSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

DisclosureKeyStatus = TypedDict(
    "DisclosureKeyStatus",
    {
        "installationId": "str",
        "keyId": "str",
        "publicKeyHex": "str",
        "status": "Literal[\"active\", \"replaced\", \"revoked\"]",
        "enrolledAt": "str",
        "revokedAt": "str | None",
        "revocationReason": "Literal[\"key_compromise\", \"superseded\", \"decommissioned\", \"unspecified\", None]",
        "replacedByInstallationId": "str | None",
        "revocationInstantReconstructed": "bool",
        "statusAt": "str",
        "seal": "DisclosureKeyStatusSeal",
    },
)

Disclosure = TypedDict(
    "Disclosure",
    {
        "disclosureId": "str",
        "envelopeHash": "str",
        "fields": "list[DisclosureFields]",
        "audience": "str | None",
        "nonce": "str | None",
        "disclosedAt": "str",
        "seal": "DisclosureSeal | None",
        "envelope": "Envelope",
        "receipt": "DisclosureReceipt | None",
        "keyStatus": "DisclosureKeyStatus | None",
        "attestations": "list[VaultAttestation]",
    },
)

EarlierProviderResultSoftBinding = TypedDict(
    "EarlierProviderResultSoftBinding",
    {
        "alg": "str",
        "value_sha256": "str",
    },
)

EarlierProviderResult = TypedDict(
    "EarlierProviderResult",
    {
        "schema": "Literal[\"SVC-PROVIDER-RESULT-001\"]",
        "provider_id": "str",
        "provider_version": "str",
        "operation": "Literal[\"register\", \"mark\", \"detect\"]",
        "media": "Literal[\"image\", \"audio\", \"video\", \"text\", \"other\"]",
        "detected": "bool",
        "registration_ref": "str | None",
        "soft_binding": "EarlierProviderResultSoftBinding | None",
        "record_marked_asset_sha256": "str | None",
        "presented_sha256": "str | None",
        "observed_at": "str",
        "version": "Literal[\"0.1\"]",
    },
)

EnvelopeSeal = TypedDict(
    "EnvelopeSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

EnvelopeStartSeal = TypedDict(
    "EnvelopeStartSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

Envelope = TypedDict(
    "Envelope",
    {
        "installationId": "str",
        "streamId": "str",
        "sourceRef": "str",
        "vaultSeq": "int",
        "previousEnvelopeHash": "str",
        "capsuleRoot": "str",
        "contentHash": "str",
        "seal": "EnvelopeSeal",
        "startSeal": "NotRequired[EnvelopeStartSeal]",
        "content": "NotRequired[Content]",
    },
)

ForkDivergence = TypedDict(
    "ForkDivergence",
    {
        "index": "int",
        "left_hash": "str",
        "left_path": "list[str]",
        "right_hash": "str",
        "right_path": "list[str]",
    },
)

Fork = TypedDict(
    "Fork",
    {
        "fork_id": "str",
        "stream_id": "str | None",
        "kind": "Literal[\"head\", \"chain\", \"leaf\", \"window\", \"checkpoint\", \"note\", \"epoch\", \"witness\", \"omission\"]",
        "left": "dict[str, Any] | str",
        "right": "dict[str, Any] | str",
        "divergence": "ForkDivergence | None",
        "policy": "NotRequired[Policy]",
        "detected_at": "str",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

HandoverSeal = TypedDict(
    "HandoverSeal",
    {
        "protocol": "Literal[\"SVC-VAULT-ATTESTATION-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

Handover = TypedDict(
    "Handover",
    {
        "publicKeyHex": "str",
        "newPublicKeyHex": "str",
        "handoverAt": "str",
        "seal": "HandoverSeal",
    },
)

Inclusion = TypedDict(
    "Inclusion",
    {
        "window_id": "str",
        "seq_no": "int",
        "event_hash": "str",
        "leaf_hash": "str",
        "leaf_index": "int",
        "tree_size": "int",
        "inclusion_path": "list[str]",
        "window_root": "str",
    },
)

IvcEpochReview = TypedDict(
    "IvcEpochReview",
    {
        "state": "Literal[\"pending\", \"reviewed\"]",
        "reference": "str | None",
    },
)

IvcEpochSeal = TypedDict(
    "IvcEpochSeal",
    {
        "protocol": "Literal[\"SVC-IVC-RECOMPUTE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

IvcEpoch = TypedDict(
    "IvcEpoch",
    {
        "ivc_epoch_id": "str",
        "stream_id": "str",
        "origin": "str",
        "ivc_epoch_no": "int",
        "program": "str",
        "construction": "str",
        "from_checkpoint_no": "int",
        "to_checkpoint_no": "int",
        "step_count": "int",
        "initial_state": "str",
        "final_state": "str",
        "previous_ivc_epoch_hash": "str",
        "created_at": "str",
        "review": "IvcEpochReview",
        "seal": "IvcEpochSeal",
        "checkpoints": "NotRequired[list[Checkpoint]]",
        "proof": "dict[str, Any] | None",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

KeyEndorsement = TypedDict(
    "KeyEndorsement",
    {
        "endorsed_kid": "str",
        "public_key_hex": "str",
        "valid_from": "str",
        "reason": "Literal[\"rotation\"]",
        "seal": "Seal",
    },
)

KeyHint = TypedDict(
    "KeyHint",
    {
        "kid": "str",
        "public_key_hex": "str",
    },
)

KeyStatusSeal = TypedDict(
    "KeyStatusSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

KeyStatus = TypedDict(
    "KeyStatus",
    {
        "installationId": "str",
        "keyId": "str",
        "publicKeyHex": "str",
        "status": "Literal[\"active\", \"replaced\", \"revoked\"]",
        "enrolledAt": "str",
        "revokedAt": "str | None",
        "revocationReason": "Literal[\"key_compromise\", \"superseded\", \"decommissioned\", \"unspecified\", None]",
        "replacedByInstallationId": "str | None",
        "revocationInstantReconstructed": "bool",
        "statusAt": "str",
        "seal": "KeyStatusSeal",
    },
)

MigrationReportCounts = TypedDict(
    "MigrationReportCounts",
    {
        "legacy": "int",
        "provenance": "int",
        "unmatched": "int",
    },
)

MigrationReportSeal = TypedDict(
    "MigrationReportSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

MigrationReport = TypedDict(
    "MigrationReport",
    {
        "installationId": "str",
        "reportNo": "int",
        "phase": "Literal[\"observe\", \"parity\", \"cutover-ready\", \"cutover\", \"legacy-retained\"]",
        "legacyStreamId": "str | None",
        "streamId": "str | None",
        "counts": "MigrationReportCounts",
        "reportedAt": "str",
        "seal": "MigrationReportSeal",
    },
)

Policy = TypedDict(
    "Policy",
    {
        "policy_id": "str",
        "policy_version": "int",
        "window_max_events": "int",
        "window_max_seconds": "int",
        "checkpoint_max_windows": "int",
        "anchor": "Literal[\"none\", \"optional\", \"required\"]",
    },
)

PortableReceiptCheckpointInclusion = TypedDict(
    "PortableReceiptCheckpointInclusion",
    {
        "window_no": "int",
        "window_count": "int",
        "path": "list[str]",
    },
)

PortableReceiptLastWindow = TypedDict(
    "PortableReceiptLastWindow",
    {
        "window": "Window",
        "path": "list[str]",
    },
)

PortableReceiptWitnesses = TypedDict(
    "PortableReceiptWitnesses",
    {
        "policies": "list[Policy]",
        "witness_policies": "list[WitnessPolicy]",
        "statements": "list[WitnessStatement]",
    },
)

PortableReceipt = TypedDict(
    "PortableReceipt",
    {
        "format": "Literal[\"svc-portable-receipt\"]",
        "version": "Literal[1]",
        "receipt": "ReceiptRecord",
        "inclusion": "NotRequired[Inclusion]",
        "window": "NotRequired[Window]",
        "checkpoint_inclusion": "NotRequired[PortableReceiptCheckpointInclusion]",
        "checkpoint": "NotRequired[Checkpoint]",
        "last_window": "NotRequired[PortableReceiptLastWindow]",
        "witnesses": "NotRequired[PortableReceiptWitnesses]",
        "anchor": "NotRequired[Anchor]",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

ProvenanceInclusion = TypedDict(
    "ProvenanceInclusion",
    {
        "stream_id": "str",
        "source_ref": "str",
        "installation_id": "str",
        "from_checkpoint_id": "str",
        "to_checkpoint_id": "str",
        "from_seq_no": "int",
        "to_seq_no": "int",
        "seq_no": "int",
        "event_hash": "str",
        "envelope_hash": "str",
        "capsule_root": "str",
        "leaf_hash": "str",
        "leaf_index": "int",
        "tree_size": "int",
        "inclusion_path": "list[str]",
        "provenance_root": "str",
    },
)

ProviderPolicyProviders = TypedDict(
    "ProviderPolicyProviders",
    {
        "providerId": "str",
        "operations": "list[Literal[\"register\", \"mark\", \"detect\", \"transform\", \"disclose\"]]",
        "egress": "Literal[\"none\", \"provider\"]",
        "reason": "str",
        "reviewedBy": "str",
        "reviewedAt": "str",
    },
)

ProviderPolicySeal = TypedDict(
    "ProviderPolicySeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

ProviderPolicy = TypedDict(
    "ProviderPolicy",
    {
        "policyVersion": "int",
        "providers": "list[ProviderPolicyProviders]",
        "updatedAt": "str",
        "seal": "ProviderPolicySeal",
    },
)

ProviderResultSoftBinding = TypedDict(
    "ProviderResultSoftBinding",
    {
        "alg": "str",
        "value_sha256": "str",
    },
)

ProviderResult = TypedDict(
    "ProviderResult",
    {
        "schema": "Literal[\"SVC-PROVIDER-RESULT-001\"]",
        "provider_id": "str",
        "provider_version": "str",
        "operation": "Literal[\"register\", \"mark\", \"detect\"]",
        "media": "Literal[\"image\", \"audio\", \"video\", \"text\", \"other\"]",
        "detected": "bool",
        "registration_ref": "str | None",
        "soft_binding": "ProviderResultSoftBinding | None",
        "record_marked_asset_sha256": "str | None",
        "presented_sha256": "str | None",
        "observed_at": "str",
        "version": "Literal[\"0.2\"]",
        "presented_matches_record": "bool | None",
    },
)

QuoteEvidenceStart = TypedDict(
    "QuoteEvidenceStart",
    {
        "startPublicKeyHex": "str",
        "vaultMeasurement": "str",
        "configDigest": "str",
    },
)

QuoteEvidencePcrs = TypedDict(
    "QuoteEvidencePcrs",
    {
        "index": "int",
        "digest": "str",
    },
)

QuoteEvidenceEventLog = TypedDict(
    "QuoteEvidenceEventLog",
    {
        "type": "Literal[\"measure\", \"start-key\", \"other\"]",
        "digest": "str",
    },
)

QuoteEvidenceActivationsSeal = TypedDict(
    "QuoteEvidenceActivationsSeal",
    {
        "protocol": "Literal[\"SVC-VAULT-ATTESTATION-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

QuoteEvidenceActivations = TypedDict(
    "QuoteEvidenceActivations",
    {
        "ekCertificateSha256": "str",
        "akName": "str",
        "activatedAt": "str",
        "activator": "str",
        "seal": "QuoteEvidenceActivationsSeal",
    },
)

QuoteEvidence = TypedDict(
    "QuoteEvidence",
    {
        "ekCertificate": "str",
        "ekChain": "list[str]",
        "akPublic": "str",
        "quoted": "str",
        "signature": "str",
        "start": "QuoteEvidenceStart",
        "startPcr": "int",
        "pcrs": "list[QuoteEvidencePcrs]",
        "eventLog": "list[QuoteEvidenceEventLog]",
        "activations": "list[QuoteEvidenceActivations]",
        "challengeProof": "str | None",
    },
)

ReceiptRecord = TypedDict(
    "ReceiptRecord",
    {
        "stream_event_id": "str",
        "stream_id": "str",
        "seq_no": "int",
        "source_ref": "str",
        "event_type": "str",
        "occurred_at": "str",
        "received_at": "str",
        "payload_hash": "str",
        "previous_event_hash": "str",
        "event_hash": "str",
        "stream_head_hash": "str",
        "receipt": "Seal",
        "payload": "NotRequired[dict[str, Any]]",
        "payload_salt": "NotRequired[str]",
    },
)

RedactedRecord = TypedDict(
    "RedactedRecord",
    {
        "stream_event_id": "str",
        "stream_id": "str",
        "seq_no": "int",
        "source_ref": "str",
        "event_type": "str",
        "occurred_at": "str",
        "received_at": "str",
        "payload_hash": "str",
        "previous_event_hash": "str",
        "event_hash": "str",
        "stream_head_hash": "str",
        "receipt": "Seal",
    },
)

ReferenceValuesPcrs = TypedDict(
    "ReferenceValuesPcrs",
    {
        "index": "int",
        "values": "list[str]",
    },
)

ReferenceValuesMeasurements = TypedDict(
    "ReferenceValuesMeasurements",
    {
        "vaultMeasurement": "str",
        "configDigests": "list[str]",
    },
)

ReferenceValues = TypedDict(
    "ReferenceValues",
    {
        "policyId": "str",
        "policyVersion": "int",
        "startPcr": "int",
        "pcrs": "list[ReferenceValuesPcrs]",
        "measurements": "list[ReferenceValuesMeasurements]",
        "others": "list[str]",
    },
)

ReportSubject = TypedDict(
    "ReportSubject",
    {
        "id": "str | None",
        "stream_id": "NotRequired[str]",
        "from_seq_no": "NotRequired[int]",
        "to_seq_no": "NotRequired[int]",
        "origin": "NotRequired[str]",
        "from_received_at": "NotRequired[str]",
        "to_received_at": "NotRequired[str]",
    },
)

ReportVerifier = TypedDict(
    "ReportVerifier",
    {
        "name": "str",
        "version": "str",
        "kernel_sha256": "str | None",
    },
)

ReportAssuranceWitnessed = TypedDict(
    "ReportAssuranceWitnessed",
    {
        "required": "int",
        "valid": "int",
        "pinned": "int",
    },
)

ReportAssuranceProvenanceClaimed = TypedDict(
    "ReportAssuranceProvenanceClaimed",
    {
        "L0": "int",
        "L1": "int",
        "L2": "int",
        "unknown": "int",
    },
)

ReportAssuranceProvenanceEffective = TypedDict(
    "ReportAssuranceProvenanceEffective",
    {
        "L0": "int",
        "L1": "int",
        "L2": "int",
        "L3": "int",
    },
)

ReportAssuranceProvenance = TypedDict(
    "ReportAssuranceProvenance",
    {
        "events": "int",
        "installations": "int",
        "vault_chain": "Literal[\"complete\", \"partial\", \"none\"]",
        "vault_keys": "Literal[\"pinned\", \"service-vouched\", \"none\"]",
        "claimed": "ReportAssuranceProvenanceClaimed",
        "effective": "ReportAssuranceProvenanceEffective",
        "substantiated_by": "Literal[\"verifier\", \"service\", \"none\"]",
        "key_custody": "Literal[\"x509\", \"ceremony\", \"none\"]",
        "software_root": "bool",
    },
)

ReportAssurance = TypedDict(
    "ReportAssurance",
    {
        "signed": "bool",
        "included": "bool",
        "complete": "bool",
        "witnessed": "ReportAssuranceWitnessed",
        "published": "Literal[\"none\", \"included\", \"witnessed\"]",
        "anchored": "Literal[\"none\", \"pending\", \"unpinned\", \"pinned\"]",
        "redacted": "int",
        "provenance": "NotRequired[ReportAssuranceProvenance]",
    },
)

ReportSigners = TypedDict(
    "ReportSigners",
    {
        "kid": "str",
        "fingerprint": "str | None",
        "role": "Literal[\"truth-package\", \"bundle\", \"checkpoint\", \"window\", \"receipt\", \"vault\", \"anchor\", \"key-status\", \"provider-policy\", \"result\", \"ivc-epoch\", \"key\", \"note\", \"witness\"]",
        "reached": "Literal[\"pinned\", \"endorsed\", \"none\"]",
    },
)

ReportChecks = TypedDict(
    "ReportChecks",
    {
        "id": "Literal[\"json\", \"shape\", \"archive\", \"manifest\", \"payload_hash\", \"event_hash\", \"sequence\", \"receipt_signature\", \"inclusion\", \"window_root\", \"window_seal\", \"window_tiling\", \"completeness\", \"checkpoint_root\", \"checkpoint_chain\", \"checkpoint_seal\", \"note\", \"consistency\", \"policy\", \"witness\", \"anchor\", \"fork\", \"bundle_seal\", \"export\", \"envelope\", \"vault_key\", \"vault_chain\", \"provenance\", \"attestation\", \"assurance\", \"disclosure\", \"provider\", \"ivc\", \"key_endorsements\", \"trust\", \"known_checkpoint\", \"expectation\"]",
        "status": "Literal[\"pass\", \"fail\", \"not_checked\", \"cannot_evaluate\"]",
        "count": "NotRequired[int]",
        "note": "NotRequired[str]",
    },
)

ReportProblems = TypedDict(
    "ReportProblems",
    {
        "code": "Literal[\"json_malformed\", \"duplicate_name\", \"lossy_number\", \"invalid_unicode\", \"too_deep\", \"unsupported_object\", \"missing_member\", \"unknown_member\", \"malformed\", \"payload_hash_mismatch\", \"event_hash_mismatch\", \"range_incomplete\", \"sequence_broken\", \"previous_hash_mismatch\", \"inclusion_invalid\", \"window_root_mismatch\", \"checkpoint_window_mismatch\", \"checkpoint_root_mismatch\", \"head_hash_mismatch\", \"previous_checkpoint_mismatch\", \"checkpoint_stale\", \"consistency_invalid\", \"note_malformed\", \"note_mismatch\", \"signature_invalid\", \"stream_mismatch\", \"origin_changed\", \"policy_digest_mismatch\", \"policy_changed\", \"policy_version_decreased\", \"witness_not_independent\", \"witness_signature_invalid\", \"witness_key_epoch_invalid\", \"witness_statement_mismatch\", \"witness_quorum_unmet\", \"anchor_missing\", \"anchor_does_not_bind\", \"anchor_evidence_invalid\", \"artifact_hash_mismatch\", \"archive_malformed\", \"archive_path_forbidden\", \"archive_entry_missing\", \"archive_entry_unlisted\", \"archive_too_large\", \"export_mismatch\", \"assurance_insufficient\", \"key_not_pinned\", \"key_revoked\", \"signer_not_for_stream\", \"key_time_unproven\", \"key_not_valid_at_time\", \"kid_mismatch\", \"key_endorsement_conflict\", \"evidence_missing\", \"stream_unexpected\", \"known_checkpoint_newer\", \"known_checkpoint_unlinked\", \"fork_detected\", \"fork_evidence_invalid\", \"kernels_disagree\", \"provenance_metadata_not_permitted\", \"envelope_signature_invalid\", \"envelope_record_mismatch\", \"provenance_envelope_missing\", \"content_hash_mismatch\", \"capsule_path_invalid\", \"vault_clock_ahead\", \"vault_key_mismatch\", \"vault_key_not_yet_enrolled\", \"vault_key_revoked\", \"vault_revocation_time_uncertain\", \"vault_status_stale\", \"vault_lifecycle_conflict\", \"vault_lifecycle_mismatch\", \"handover_invalid\", \"vault_chain_broken\", \"provenance_source_ref_conflict\", \"provenance_root_mismatch\", \"provenance_count_mismatch\", \"provenance_range_mismatch\", \"attestation_signature_invalid\", \"evidence_hash_mismatch\", \"attestation_result_mismatch\", \"provenance_assurance_not_substantiated\", \"start_signature_invalid\", \"commitment_mismatch\", \"disclosure_field_invalid\", \"disclosure_signature_invalid\", \"disclosure_audience_mismatch\", \"content_mismatch\", \"provider_not_allowed\", \"provider_result_inconsistent\", \"ivc_program_unknown\", \"ivc_construction_not_reviewed\", \"ivc_epoch_chain_broken\", \"ivc_steps_incomplete\", \"ivc_steps_absent\", \"ivc_state_mismatch\"]",
        "path": "str",
        "seq_no": "NotRequired[int]",
        "window_no": "NotRequired[int]",
        "checkpoint_no": "NotRequired[int]",
        "kid": "NotRequired[str]",
        "message": "str",
        "expected": "NotRequired[str]",
        "actual": "NotRequired[str]",
        "action": "str",
    },
)

Report = TypedDict(
    "Report",
    {
        "ok": "bool",
        "verdict": "Literal[\"verified\", \"rejected\", \"untrusted\"]",
        "kind": "Literal[\"receipt\", \"portable-receipt\", \"stream\", \"window\", \"inclusion\", \"checkpoint\", \"consistency\", \"witness\", \"anchor\", \"fork\", \"key\", \"bundle\", \"truth-package\", \"envelope\", \"vault-attestation\", \"provenance-inclusion\", \"disclosure\", \"key-status\", \"provider-result\", \"ivc-epoch\", None]",
        "subject": "ReportSubject",
        "verifier": "ReportVerifier",
        "assurance": "ReportAssurance",
        "signers": "list[ReportSigners]",
        "checks": "list[ReportChecks]",
        "problems": "list[ReportProblems]",
        "proves": "list[str]",
        "does_not_prove": "list[str]",
    },
)

Seal = TypedDict(
    "Seal",
    {
        "protocol": "Literal[\"SVC-PROOFSTREAM-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

SealedEnvelopeSeal = TypedDict(
    "SealedEnvelopeSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

SealedEnvelopeStartSeal = TypedDict(
    "SealedEnvelopeStartSeal",
    {
        "protocol": "Literal[\"SVC-PROVENANCE-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

SealedEnvelope = TypedDict(
    "SealedEnvelope",
    {
        "installationId": "str",
        "streamId": "str",
        "sourceRef": "str",
        "vaultSeq": "int",
        "previousEnvelopeHash": "str",
        "capsuleRoot": "str",
        "contentHash": "str",
        "seal": "SealedEnvelopeSeal",
        "startSeal": "NotRequired[SealedEnvelopeStartSeal]",
    },
)

ShownProvenanceInclusionManifestPriorWindows = TypedDict(
    "ShownProvenanceInclusionManifestPriorWindows",
    {
        "window_count": "int",
        "frontier": "list[str]",
    },
)

ShownProvenanceInclusionManifestArtifactHashes = TypedDict(
    "ShownProvenanceInclusionManifestArtifactHashes",
    {
        "receipts.json": "str",
        "windows.json": "str",
        "checkpoints.json": "str",
        "witnesses.json": "str",
        "anchors.json": "str",
        "forks.json": "NotRequired[str]",
        "provenance.json": "str",
    },
)

ShownProvenanceInclusionManifestVaultKeyLifecycle = TypedDict(
    "ShownProvenanceInclusionManifestVaultKeyLifecycle",
    {
        "installationId": "str",
        "keyId": "str",
        "publicKeyHex": "str",
        "status": "Literal[\"active\", \"replaced\", \"revoked\"]",
        "enrolledAt": "str",
        "revokedAt": "str | None",
        "revocationReason": "Literal[\"key_compromise\", \"superseded\", \"decommissioned\", \"unspecified\", None]",
        "replacedByInstallationId": "str | None",
        "revocationInstantReconstructed": "bool",
        "statusAt": "str",
    },
)

ShownProvenanceInclusionManifest = TypedDict(
    "ShownProvenanceInclusionManifest",
    {
        "bundle_id": "str",
        "protocol": "Literal[\"SVC-PROOFSTREAM-001\"]",
        "created_at": "str",
        "stream_id": "str",
        "from_seq_no": "int",
        "to_seq_no": "int",
        "prior_windows": "ShownProvenanceInclusionManifestPriorWindows",
        "artifact_hashes": "ShownProvenanceInclusionManifestArtifactHashes",
        "provenance_root": "str",
        "provenance_event_count": "int",
        "vault_key_lifecycle": "list[ShownProvenanceInclusionManifestVaultKeyLifecycle]",
    },
)

ShownProvenanceInclusion = TypedDict(
    "ShownProvenanceInclusion",
    {
        "inclusion": "ProvenanceInclusion",
        "manifest": "ShownProvenanceInclusionManifest",
        "seal": "Seal",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

Stream = TypedDict(
    "Stream",
    {
        "stream_id": "str",
        "records": "list[ReceiptRecord]",
        "key_hints": "NotRequired[list[KeyHint]]",
        "key_endorsements": "NotRequired[list[KeyEndorsement]]",
    },
)

TrustPolicySigners = TypedDict(
    "TrustPolicySigners",
    {
        "kid": "str",
        "public_key_hex": "str",
        "origin": "NotRequired[str]",
        "streams": "NotRequired[list[str]]",
        "valid_to": "NotRequired[str]",
        "endorse": "NotRequired[bool]",
    },
)

TrustPolicyWitnesses = TypedDict(
    "TrustPolicyWitnesses",
    {
        "name": "str",
        "public_key_hex": "str",
    },
)

TrustPolicyBlocks = TypedDict(
    "TrustPolicyBlocks",
    {
        "network": "str",
        "number": "int",
        "hash": "str",
    },
)

TrustPolicyContracts = TypedDict(
    "TrustPolicyContracts",
    {
        "network": "str",
        "address": "str",
        "code_hash": "str",
    },
)

TrustPolicyKnownCheckpoints = TypedDict(
    "TrustPolicyKnownCheckpoints",
    {
        "stream_id": "str",
        "window_count": "int",
        "checkpoint_root": "str",
    },
)

TrustPolicyVaults = TypedDict(
    "TrustPolicyVaults",
    {
        "installation_id": "str",
        "public_key_hex": "str",
        "ek_certificate_sha256": "NotRequired[str]",
    },
)

TrustPolicyExpect = TypedDict(
    "TrustPolicyExpect",
    {
        "stream_id": "NotRequired[str]",
        "from_seq_no": "NotRequired[int]",
        "to_seq_no": "NotRequired[int]",
        "audience": "NotRequired[str]",
        "nonce": "NotRequired[str]",
        "content_sha256": "NotRequired[str]",
    },
)

TrustPolicyAttestationRoots = TypedDict(
    "TrustPolicyAttestationRoots",
    {
        "sha256": "str",
        "use": "Literal[\"custody\", \"ek\"]",
        "profile": "NotRequired[Literal[\"yubihsm2\"]]",
        "software": "NotRequired[bool]",
    },
)

TrustPolicyCustodians = TypedDict(
    "TrustPolicyCustodians",
    {
        "name": "str",
        "public_key_hex": "str",
    },
)

TrustPolicyActivators = TypedDict(
    "TrustPolicyActivators",
    {
        "name": "str",
        "public_key_hex": "str",
    },
)

TrustPolicy = TypedDict(
    "TrustPolicy",
    {
        "signers": "list[TrustPolicySigners]",
        "revoked": "NotRequired[list[str]]",
        "witnesses": "NotRequired[list[TrustPolicyWitnesses]]",
        "quorum": "NotRequired[int | str]",
        "blocks": "NotRequired[list[TrustPolicyBlocks]]",
        "contracts": "NotRequired[list[TrustPolicyContracts]]",
        "require": "NotRequired[list[Literal[\"included\", \"witnessed\", \"published\", \"anchored\"]]]",
        "known_checkpoints": "NotRequired[list[TrustPolicyKnownCheckpoints]]",
        "vaults": "NotRequired[list[TrustPolicyVaults]]",
        "key_status": "NotRequired[list[KeyStatus]]",
        "status_not_before": "NotRequired[str]",
        "vault_time": "NotRequired[Literal[\"stated\", \"proven\"]]",
        "expect": "NotRequired[TrustPolicyExpect]",
        "attestation_roots": "NotRequired[list[TrustPolicyAttestationRoots]]",
        "custodians": "NotRequired[list[TrustPolicyCustodians]]",
        "activators": "NotRequired[list[TrustPolicyActivators]]",
        "reference_values": "NotRequired[list[ReferenceValues]]",
        "allow_software_roots": "NotRequired[bool]",
        "require_assurance": "NotRequired[Literal[\"L0\", \"L1\", \"L2\", \"L3\"]]",
    },
)

TruthPackageRanges = TypedDict(
    "TruthPackageRanges",
    {
        "stream_id": "str",
        "from_seq_no": "int",
        "to_seq_no": "int",
    },
)

TruthPackageArtifacts = TypedDict(
    "TruthPackageArtifacts",
    {
        "path": "Literal[\"events.csv\", \"manifest.json\", \"proofs.json\"]",
        "sha256": "str",
        "size_bytes": "int",
    },
)

TruthPackage = TypedDict(
    "TruthPackage",
    {
        "format": "Literal[\"SVC-TRUTH-PACKAGE-001\"]",
        "export_id": "str",
        "tenant_id": "str",
        "created_at": "str",
        "ranges": "list[TruthPackageRanges]",
        "artifacts": "list[TruthPackageArtifacts]",
        "key_hints": "list[KeyHint]",
        "key_endorsements": "list[KeyEndorsement]",
        "seal": "Seal",
    },
)

VaultAttestationRecordSeal = TypedDict(
    "VaultAttestationRecordSeal",
    {
        "protocol": "Literal[\"SVC-VAULT-ATTESTATION-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

VaultAttestationRecord = TypedDict(
    "VaultAttestationRecord",
    {
        "attestationKind": "Literal[\"pkcs11-key-custody\", \"tpm2-quote\"]",
        "installationId": "str",
        "publicKeyHex": "str",
        "challengeId": "str | None",
        "nonce": "str | None",
        "createdAt": "str",
        "evidenceHash": "str",
        "seal": "VaultAttestationRecordSeal",
        "evidence": "NotRequired[dict[str, Any]]",
    },
)

VaultAttestationResultStart = TypedDict(
    "VaultAttestationResultStart",
    {
        "startPublicKeyHex": "str",
        "vaultMeasurement": "str",
        "configDigest": "str",
    },
)

VaultAttestationResultSeal = TypedDict(
    "VaultAttestationResultSeal",
    {
        "protocol": "Literal[\"SVC-VAULT-ATTESTATION-001\"]",
        "alg": "Literal[\"Ed25519\"]",
        "kid": "str",
        "signature": "str",
    },
)

VaultAttestationResult = TypedDict(
    "VaultAttestationResult",
    {
        "attestationRef": "str",
        "attestationHash": "str",
        "attestationKind": "Literal[\"pkcs11-key-custody\", \"tpm2-quote\"]",
        "installationId": "str",
        "assuranceCapability": "Literal[\"L0\", \"L1\", \"L2\"]",
        "verified": "bool",
        "reason": "str | None",
        "custody": "Literal[\"x509\", \"ceremony\", None]",
        "startId": "str | None",
        "start": "VaultAttestationResultStart | None",
        "ekCertificateSha256": "str | None",
        "akName": "str | None",
        "softwareRoot": "bool",
        "referenceValuesDigest": "str | None",
        "verifiedAt": "str",
        "expiresAt": "str",
        "seal": "VaultAttestationResultSeal",
    },
)

VaultAttestation = TypedDict(
    "VaultAttestation",
    {
        "record": "VaultAttestationRecord",
        "result": "VaultAttestationResult | None",
    },
)

Window = TypedDict(
    "Window",
    {
        "window_id": "str",
        "stream_id": "str",
        "window_no": "int",
        "from_seq_no": "int",
        "to_seq_no": "int",
        "window_root": "str",
        "stream_head_hash": "str",
        "policy_digest": "str",
        "witness_policy_digest": "str",
        "closed_at": "str",
        "seal": "Seal",
        "leaves": "NotRequired[list[str]]",
        "inclusions": "NotRequired[list[Inclusion]]",
    },
)

WitnessKey = TypedDict(
    "WitnessKey",
    {
        "witness_id": "str",
        "name": "str",
        "public_key_hex": "str",
        "key_epoch": "int",
        "valid_from": "str",
        "valid_to": "str | None",
        "managed": "bool",
    },
)

WitnessPolicy = TypedDict(
    "WitnessPolicy",
    {
        "policy_id": "str",
        "policy_version": "int",
        "mode": "Literal[\"managed-shadow\", \"independent\"]",
        "threshold": "int",
        "witnessKeys": "list[WitnessKey]",
        "declared_at": "str",
    },
)

WitnessStatement = TypedDict(
    "WitnessStatement",
    {
        "witness_id": "str",
        "key_epoch": "int",
        "stream_id": "str",
        "checkpoint_id": "str",
        "checkpoint_hash": "str",
        "window_count": "int",
        "checkpoint_root": "str",
        "cosigned_at": "int",
        "signature": "str",
    },
)

__all__ = [
    "Anchor",
    "AnchorConsistency",
    "AnchorEvidence",
    "AnchorMembers",
    "AttestationResult",
    "AttestationResultSeal",
    "AttestationResultStart",
    "Bundle",
    "BundleArtifacts",
    "BundleArtifactsProvenanceJson",
    "BundleArtifactsProvenanceJsonEnvelopes",
    "BundleArtifactsWitnessesJson",
    "BundleManifest",
    "BundleManifestArtifactHashes",
    "BundleManifestPriorWindows",
    "BundleManifestVaultKeyLifecycle",
    "BundlePayloads",
    "Checkpoint",
    "CheckpointWindowRoots",
    "Consistency",
    "Content",
    "ContentAssurance",
    "ContentCommitments",
    "ContentMetadata",
    "ContentMetadataProviderResult",
    "CustodyEvidence",
    "CustodyEvidenceAttributes",
    "CustodyEvidenceCeremony",
    "CustodyEvidenceCeremonySeal",
    "CustodyEvidenceToken",
    "Disclosure",
    "DisclosureFields",
    "DisclosureKeyStatus",
    "DisclosureKeyStatusSeal",
    "DisclosureReceipt",
    "DisclosureReceiptCheckpointInclusion",
    "DisclosureReceiptLastWindow",
    "DisclosureReceiptWitnesses",
    "DisclosureSeal",
    "EarlierProviderResult",
    "EarlierProviderResultSoftBinding",
    "Envelope",
    "EnvelopeSeal",
    "EnvelopeStartSeal",
    "Fork",
    "ForkDivergence",
    "Handover",
    "HandoverSeal",
    "Inclusion",
    "IvcEpoch",
    "IvcEpochReview",
    "IvcEpochSeal",
    "KeyEndorsement",
    "KeyHint",
    "KeyStatus",
    "KeyStatusSeal",
    "MigrationReport",
    "MigrationReportCounts",
    "MigrationReportSeal",
    "Policy",
    "PortableReceipt",
    "PortableReceiptCheckpointInclusion",
    "PortableReceiptLastWindow",
    "PortableReceiptWitnesses",
    "ProvenanceInclusion",
    "ProviderPolicy",
    "ProviderPolicyProviders",
    "ProviderPolicySeal",
    "ProviderResult",
    "ProviderResultSoftBinding",
    "QuoteEvidence",
    "QuoteEvidenceActivations",
    "QuoteEvidenceActivationsSeal",
    "QuoteEvidenceEventLog",
    "QuoteEvidencePcrs",
    "QuoteEvidenceStart",
    "ReceiptRecord",
    "RedactedRecord",
    "ReferenceValues",
    "ReferenceValuesMeasurements",
    "ReferenceValuesPcrs",
    "Report",
    "ReportAssurance",
    "ReportAssuranceProvenance",
    "ReportAssuranceProvenanceClaimed",
    "ReportAssuranceProvenanceEffective",
    "ReportAssuranceWitnessed",
    "ReportChecks",
    "ReportProblems",
    "ReportSigners",
    "ReportSubject",
    "ReportVerifier",
    "Seal",
    "SealedEnvelope",
    "SealedEnvelopeSeal",
    "SealedEnvelopeStartSeal",
    "ShownProvenanceInclusion",
    "ShownProvenanceInclusionManifest",
    "ShownProvenanceInclusionManifestArtifactHashes",
    "ShownProvenanceInclusionManifestPriorWindows",
    "ShownProvenanceInclusionManifestVaultKeyLifecycle",
    "Stream",
    "TrustPolicy",
    "TrustPolicyActivators",
    "TrustPolicyAttestationRoots",
    "TrustPolicyBlocks",
    "TrustPolicyContracts",
    "TrustPolicyCustodians",
    "TrustPolicyExpect",
    "TrustPolicyKnownCheckpoints",
    "TrustPolicySigners",
    "TrustPolicyVaults",
    "TrustPolicyWitnesses",
    "TruthPackage",
    "TruthPackageArtifacts",
    "TruthPackageRanges",
    "VaultAttestation",
    "VaultAttestationRecord",
    "VaultAttestationRecordSeal",
    "VaultAttestationResult",
    "VaultAttestationResultSeal",
    "VaultAttestationResultStart",
    "Window",
    "WitnessKey",
    "WitnessPolicy",
    "WitnessStatement",
]
