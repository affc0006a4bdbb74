"""The shapes of requests and answers of the service, as its contract states them."""

# Written by `pnpm spec` from spec/. Do not edit it.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class ReceiptRecord(TypedDict):
    stream_event_id: str
    stream_id: str
    seq_no: int
    source_ref: str
    event_type: str
    occurred_at: str
    received_at: str
    payload_hash: str
    previous_event_hash: str
    event_hash: str
    stream_head_hash: str
    receipt: ReceiptRecordReceipt
    payload: NotRequired[dict[str, Any]]
    payload_salt: NotRequired[str]


class ReceiptRecordReceipt(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class RedactedRecord(TypedDict):
    stream_event_id: str
    stream_id: str
    seq_no: int
    source_ref: str
    event_type: str
    occurred_at: str
    received_at: str
    payload_hash: str
    previous_event_hash: str
    event_hash: str
    stream_head_hash: str
    receipt: RedactedRecordReceipt


class RedactedRecordReceipt(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class PortableReceipt(TypedDict):
    format: Literal["svc-portable-receipt"]
    version: Literal[1]
    receipt: ReceiptRecord
    inclusion: NotRequired[Inclusion]
    window: NotRequired[Window]
    checkpoint_inclusion: NotRequired[PortableReceiptCheckpointInclusion]
    checkpoint: NotRequired[Checkpoint]
    last_window: NotRequired[PortableReceiptLastWindow]
    witnesses: NotRequired[PortableReceiptWitnesses]
    anchor: NotRequired[Anchor]
    key_hints: NotRequired[list[PortableReceiptKeyHint]]
    key_endorsements: NotRequired[list[KeyEndorsement]]


class PortableReceiptCheckpointInclusion(TypedDict):
    window_no: int
    window_count: int
    path: list[str]


class PortableReceiptLastWindow(TypedDict):
    window: Window
    path: list[str]


class PortableReceiptWitnesses(TypedDict):
    policies: list[Policy]
    witness_policies: list[WitnessPolicy]
    statements: list[WitnessStatement]


class PortableReceiptKeyHint(TypedDict):
    kid: str
    public_key_hex: str


class Inclusion(TypedDict):
    window_id: str
    seq_no: int
    event_hash: str
    leaf_hash: str
    leaf_index: int
    tree_size: int
    inclusion_path: list[str]
    window_root: str


class Window(TypedDict):
    window_id: str
    stream_id: str
    window_no: int
    from_seq_no: int
    to_seq_no: int
    window_root: str
    stream_head_hash: str
    policy_digest: str
    witness_policy_digest: str
    closed_at: str
    seal: WindowSeal
    leaves: NotRequired[list[str]]
    inclusions: NotRequired[list[Inclusion]]


class WindowSeal(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class Checkpoint(TypedDict):
    checkpoint_id: str
    stream_id: str
    origin: str
    checkpoint_no: int
    window_count: int
    checkpoint_root: str
    window_roots: list[CheckpointWindowRoot]
    to_seq_no: int
    latest_event_hash: str
    stream_head_hash: str
    previous_checkpoint_hash: str
    policy_id: str
    policy_digest: str
    witness_policy_digest: str
    anchor_epoch_candidate: int | None
    created_at: str
    seal: CheckpointSeal
    note: str
    frontier: NotRequired[list[str]]


class CheckpointWindowRoot(TypedDict):
    window_no: int
    window_hash: str
    window_root: str
    from_seq_no: int
    to_seq_no: int


class CheckpointSeal(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class Policy(TypedDict):
    policy_id: str
    policy_version: int
    window_max_events: int
    window_max_seconds: int
    checkpoint_max_windows: int
    anchor: Literal["none", "optional", "required"]


class WitnessPolicy(TypedDict):
    policy_id: str
    policy_version: int
    mode: Literal["managed-shadow", "independent"]
    threshold: int
    witnessKeys: list[WitnessPolicyWitnessKey]
    declared_at: str


class WitnessPolicyWitnessKey(TypedDict):
    witness_id: str
    name: str
    public_key_hex: str
    key_epoch: int
    valid_from: str
    valid_to: str | None
    managed: bool


class WitnessStatement(TypedDict):
    witness_id: str
    key_epoch: int
    stream_id: str
    checkpoint_id: str
    checkpoint_hash: str
    window_count: int
    checkpoint_root: str
    cosigned_at: int
    signature: str


class Anchor(TypedDict):
    anchor_epoch_id: str
    origin: str
    epoch_no: int
    log_size: int
    epoch_root: str
    network: str | None
    contract: str | None
    tx_hash: str | None
    block_number: int | None
    block_hash: str | None
    anchored_at: str
    seal: AnchorSeal
    note: str
    members: list[AnchorMember]
    evidence: dict[str, Any] | None


class AnchorSeal(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class AnchorMember(TypedDict):
    checkpoint_id: str
    checkpoint_hash: str
    leaf_index: int
    inclusion_path: list[str]


class KeyEndorsement(TypedDict):
    endorsed_kid: str
    public_key_hex: str
    valid_from: str
    reason: Literal["rotation"]
    seal: KeyEndorsementSeal


class KeyEndorsementSeal(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class Bundle(TypedDict):
    manifest: BundleManifest
    artifacts: BundleArtifacts
    payloads: NotRequired[dict[str, BundlePayload]]
    contents: NotRequired[dict[str, Content]]
    key_hints: list[BundleKeyHint]
    key_endorsements: list[KeyEndorsement]
    seal: BundleSeal


class BundleManifest(TypedDict):
    bundle_id: str
    protocol: Literal["SVC-PROOFSTREAM-001"]
    created_at: str
    stream_id: str
    from_seq_no: int
    to_seq_no: int
    prior_windows: BundleManifestPriorWindows
    artifact_hashes: BundleManifestArtifactHashes
    provenance_root: NotRequired[str]
    provenance_event_count: NotRequired[int]
    vault_key_lifecycle: NotRequired[list[BundleManifestVaultKeyLifecycle]]


class BundleManifestPriorWindows(TypedDict):
    window_count: int
    frontier: list[str]


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


class BundleManifestVaultKeyLifecycle(TypedDict):
    installationId: str
    keyId: str
    publicKeyHex: str
    status: Literal["active", "replaced", "revoked"]
    enrolledAt: str
    revokedAt: str | None
    revocationReason: Literal["key_compromise", "superseded", "decommissioned", "unspecified", None]
    replacedByInstallationId: str | None
    revocationInstantReconstructed: bool
    statusAt: str


BundleArtifacts = TypedDict(
    "BundleArtifacts",
    {
        "receipts.json": "list[RedactedRecord]",
        "windows.json": "list[Window]",
        "checkpoints.json": "list[Checkpoint]",
        "witnesses.json": "BundleArtifactsWitnesses",
        "anchors.json": "list[Anchor]",
        "forks.json": "NotRequired[list[Fork]]",
        "provenance.json": "NotRequired[BundleArtifactsProvenance]",
    },
)


class BundleArtifactsWitnesses(TypedDict):
    policies: list[Policy]
    witness_policies: list[WitnessPolicy]
    statements: list[WitnessStatement]


class BundleArtifactsProvenance(TypedDict):
    envelopes: list[BundleArtifactsProvenanceEnvelope]
    attestations: list[VaultAttestation]
    handovers: list[Handover]
    provider_policies: list[ProviderPolicy]


class BundleArtifactsProvenanceEnvelope(TypedDict):
    seq_no: int
    payload_salt: str
    envelope: SealedEnvelope


class BundlePayload(TypedDict):
    payload: dict[str, Any]
    payload_salt: str


class BundleKeyHint(TypedDict):
    kid: str
    public_key_hex: str


class BundleSeal(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class Fork(TypedDict):
    fork_id: str
    stream_id: str | None
    kind: Literal["head", "chain", "leaf", "window", "checkpoint", "note", "epoch", "witness", "omission"]
    left: dict[str, Any] | str
    right: dict[str, Any] | str
    divergence: dict[str, Any] | None
    policy: NotRequired[Policy]
    detected_at: str
    key_hints: NotRequired[list[ForkKeyHint]]
    key_endorsements: NotRequired[list[KeyEndorsement]]


class ForkKeyHint(TypedDict):
    kid: str
    public_key_hex: str


class SealedEnvelope(TypedDict):
    installationId: str
    streamId: str
    sourceRef: str
    vaultSeq: int
    previousEnvelopeHash: str
    capsuleRoot: str
    contentHash: str
    seal: SealedEnvelopeSeal
    startSeal: NotRequired[SealedEnvelopeStartSeal]


class SealedEnvelopeSeal(TypedDict):
    protocol: Literal["SVC-PROVENANCE-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class SealedEnvelopeStartSeal(TypedDict):
    protocol: Literal["SVC-PROVENANCE-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class VaultAttestation(TypedDict):
    record: VaultAttestationRecord
    result: dict[str, Any] | None


class VaultAttestationRecord(TypedDict):
    attestationKind: Literal["pkcs11-key-custody", "tpm2-quote"]
    installationId: str
    publicKeyHex: str
    challengeId: str | None
    nonce: str | None
    createdAt: str
    evidenceHash: str
    seal: VaultAttestationRecordSeal
    evidence: NotRequired[dict[str, Any]]


class VaultAttestationRecordSeal(TypedDict):
    protocol: Literal["SVC-VAULT-ATTESTATION-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class Handover(TypedDict):
    publicKeyHex: str
    newPublicKeyHex: str
    handoverAt: str
    seal: HandoverSeal


class HandoverSeal(TypedDict):
    protocol: Literal["SVC-VAULT-ATTESTATION-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class ProviderPolicy(TypedDict):
    policyVersion: int
    providers: list[ProviderPolicyProvider]
    updatedAt: str
    seal: ProviderPolicySeal


class ProviderPolicyProvider(TypedDict):
    providerId: str
    operations: list[Literal["register", "mark", "detect", "transform", "disclose"]]
    egress: Literal["none", "provider"]
    reason: str
    reviewedBy: str
    reviewedAt: str


class ProviderPolicySeal(TypedDict):
    protocol: Literal["SVC-PROVENANCE-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class Content(TypedDict):
    occurredAt: str
    sealedAt: str
    eventType: str
    commitments: ContentCommitments
    capsuleSize: Literal[8, 64, 512]
    slotSalt: str
    capsulePath: list[str]
    assurance: ContentAssurance
    metadata: ContentMetadata


class ContentCommitments(TypedDict):
    content: str
    context: str
    output: str
    policy: str


class ContentAssurance(TypedDict):
    level: Literal["L0", "L1", "L2"]
    attestationRef: str | None
    startId: str | None


class ContentMetadata(TypedDict):
    mediaClass: Literal["image", "audio", "video", "text", "document", "data", "other"]
    operation: Literal["register", "mark", "detect", "transform", "disclose"]
    providerId: str | None
    providerPolicyDigest: str | None
    providerResult: dict[str, Any] | None
    softBindingAlg: str | None


class AnchorConsistency(TypedDict):
    from_anchor: Anchor
    to_anchor: Anchor
    consistency_path: list[str]
    key_hints: NotRequired[list[AnchorConsistencyKeyHint]]
    key_endorsements: NotRequired[list[KeyEndorsement]]


class AnchorConsistencyKeyHint(TypedDict):
    kid: str
    public_key_hex: str


class Consistency(TypedDict):
    stream_id: str
    from_checkpoint: Checkpoint
    to_checkpoint: Checkpoint
    consistency_path: list[str]
    key_hints: NotRequired[list[ConsistencyKeyHint]]
    key_endorsements: NotRequired[list[KeyEndorsement]]


class ConsistencyKeyHint(TypedDict):
    kid: str
    public_key_hex: str


class StreamInput(TypedDict):
    system_id: str
    use_case: str
    policy_id: str
    metadata: NotRequired[dict[str, str]]


StreamInfo = TypedDict(
    "StreamInfo",
    {
        "stream_id": "str",
        "class": "Literal[\"legacy\"]",
        "system_id": "str",
        "use_case": "str",
        "policy_id": "str",
        "metadata": "dict[str, str]",
        "created": "bool",
        "created_at": "str",
        "compatibilityWarning": "NotRequired[str]",
    },
)


ListedStream = TypedDict(
    "ListedStream",
    {
        "stream_id": "str",
        "class": "Literal[\"legacy\", \"provenance\", \"lifecycle\"]",
        "system_id": "str | None",
        "use_case": "str",
        "policy_id": "str",
        "metadata": "dict[str, str]",
        "created_at": "str",
        "closed_at": "str | None",
        "head_seq_no": "int",
    },
)


class EventInput(TypedDict):
    source_ref: str
    event_type: str
    occurred_at: str
    payload: dict[str, Any]


class StreamHead(TypedDict):
    stream_id: str
    stream_event_id: str
    seq_no: int
    event_hash: str
    previous_event_hash: str
    stream_head_hash: str
    receipt: StreamHeadReceipt


class StreamHeadReceipt(TypedDict):
    protocol: Literal["SVC-PROOFSTREAM-001"]
    alg: Literal["Ed25519"]
    kid: str
    signature: str


class ProofState(TypedDict):
    stream_id: str
    head_seq_no: int
    windowed_to_seq_no: int
    checkpointed_to_seq_no: int
    witnessed_to_seq_no: int
    published_to_seq_no: int
    anchored_to_seq_no: int
    latest_window_id: str | None
    latest_checkpoint_id: str | None
    witnesses: list[ProofStateWitnesse]
    anchor: ProofStateAnchor | None


class ProofStateWitnesse(TypedDict):
    witness_id: str
    name: str
    managed: bool
    state: Literal["cosigned", "waiting", "failing", "unaddressed", "ended"]
    problem: ProofStateWitnesseProblem | None


class ProofStateWitnesseProblem(TypedDict):
    code: str | None
    message: str
    attempts: int
    next_attempt_at: str


class ProofStateAnchor(TypedDict):
    demand: Literal["none", "optional", "required"]
    state: Literal["waiting", "published", "pending", "mined", "confirmed", "failed"]
    epoch_no: int | None
    network: str | None
    contract: str | None
    tx_hash: str | None
    block_number: int | None
    problem: ProofStateAnchorProblem | None


class ProofStateAnchorProblem(TypedDict):
    code: str | None
    message: str
    since: str | None


class LogInput(TypedDict):
    type: str
    status: str
    occurred_at: str
    source_ref: str
    payload: dict[str, Any]


class LoggedEvent(TypedDict):
    stream_event_id: str
    stream_id: str
    system_id: str
    seq_no: int
    type: str
    status: str | None
    source_ref: str
    occurred_at: str
    received_at: str
    event_hash: str


class WholeLoggedEvent(TypedDict):
    stream_event_id: str
    stream_id: str
    system_id: str
    seq_no: int
    type: str
    status: str | None
    source_ref: str
    occurred_at: str
    received_at: str
    event_hash: str
    payload: NotRequired[dict[str, Any]]


class Erasure(TypedDict):
    stream_id: str
    stream_event_id: str
    seq_no: int
    erased_at: str
    lifecycle_record: ReceiptRecord


class AuditPackInput(TypedDict):
    stream_id: str
    from_seq_no: int
    to_seq_no: int
    payloads: NotRequired[Literal["included", "redacted"]]


class ExportInput(TypedDict):
    streams: NotRequired[list[str]]
    systems: NotRequired[list[str]]
    from_seq_no: NotRequired[int]
    to_seq_no: NotRequired[int]
    received_from: NotRequired[str]
    received_before: NotRequired[str]
    payloads: NotRequired[Literal["included", "redacted"]]


class ExportInfo(TypedDict):
    export_id: str
    state: Literal["queued", "building", "ready", "failed", "deleted"]
    payloads: Literal["included", "redacted"]
    events: int
    ranges: list[ExportInfoRange]
    created_at: str
    ready_at: str | None
    expires_at: str | None
    package: ExportInfoPackage | None
    failure: ExportInfoFailure | None
    deletion: ExportInfoDeletion | None


class ExportInfoRange(TypedDict):
    stream_id: str
    from_seq_no: int
    to_seq_no: int


class ExportInfoPackage(TypedDict):
    file_name: str
    size_bytes: int
    sha256: str
    manifest_sha256: str
    artifacts: int
    generated_event_id: str


class ExportInfoFailure(TypedDict):
    failed_at: str
    code: str
    message: str


class ExportInfoDeletion(TypedDict):
    deleted_at: str
    because: Literal["requested", "expired", "payload_erased", "lost"]


class DownloadTicket(TypedDict):
    access_id: str
    ticket: str
    path: str
    expires_at: str
    file_name: str
    size_bytes: int
    sha256: str
    challenge: str | None


class PackageReport(TypedDict):
    verifierKind: str
    verifierVersion: str
    accessId: str
    proof: str
    verificationReport: PackageReportVerificationReport


class PackageReportVerificationReport(TypedDict):
    ok: bool
    packageSha256: str
    manifestSha256: str | None
    verifiedArtifacts: int
    problems: list[Any]


class RecordedVerification(TypedDict):
    export_id: str
    access_id: str
    verified_at: str
    lifecycle_record: ReceiptRecord


class OnlineReport(TypedDict):
    ok: bool
    verdict: Literal["verified", "rejected", "untrusted"]
    kind: str | None
    subject: OnlineReportSubject
    verifier: OnlineReportVerifier
    assurance: OnlineReportAssurance
    signers: list[OnlineReportSigner]
    checks: list[OnlineReportCheck]
    problems: list[OnlineReportProblem]
    proves: list[str]
    does_not_prove: list[str]


class OnlineReportSubject(TypedDict):
    id: str | None
    stream_id: NotRequired[str]
    from_seq_no: NotRequired[int]
    to_seq_no: NotRequired[int]
    origin: NotRequired[str]
    from_received_at: NotRequired[str]
    to_received_at: NotRequired[str]


class OnlineReportVerifier(TypedDict):
    name: str
    version: str
    kernel_sha256: str | None


class OnlineReportAssurance(TypedDict):
    signed: bool
    included: bool
    complete: bool
    witnessed: OnlineReportAssuranceWitnessed
    published: Literal["none", "included", "witnessed"]
    anchored: Literal["none", "pending", "unpinned", "pinned"]
    redacted: int
    provenance: NotRequired[OnlineReportAssuranceProvenance]


class OnlineReportAssuranceWitnessed(TypedDict):
    required: int
    valid: int
    pinned: int


class OnlineReportAssuranceProvenance(TypedDict):
    events: int
    installations: int
    vault_chain: Literal["complete", "partial", "none"]
    vault_keys: Literal["pinned", "service-vouched", "none"]
    claimed: OnlineReportAssuranceProvenanceClaimed
    effective: OnlineReportAssuranceProvenanceEffective
    substantiated_by: Literal["verifier", "service", "none"]
    key_custody: Literal["x509", "ceremony", "none"]
    software_root: bool


class OnlineReportAssuranceProvenanceClaimed(TypedDict):
    L0: int
    L1: int
    L2: int
    unknown: int


class OnlineReportAssuranceProvenanceEffective(TypedDict):
    L0: int
    L1: int
    L2: int
    L3: int


class OnlineReportSigner(TypedDict):
    kid: str
    fingerprint: str | None
    role: str
    reached: Literal["pinned", "endorsed", "none"]


class OnlineReportCheck(TypedDict):
    id: str
    status: Literal["pass", "fail", "not_checked", "cannot_evaluate"]
    count: NotRequired[int]
    note: NotRequired[str]


class OnlineReportProblem(TypedDict):
    code: str
    path: str
    seq_no: NotRequired[int]
    window_no: NotRequired[int]
    checkpoint_no: NotRequired[int]
    kid: NotRequired[str]
    message: str
    expected: NotRequired[str]
    actual: NotRequired[str]
    action: str


class ServiceKeys(TypedDict):
    origin: str
    keys: list[ServiceKeysKey]
    endorsements: list[KeyEndorsement]


class ServiceKeysKey(TypedDict):
    kid: str
    public_key_hex: str
    vkey: str
    status: Literal["current", "past"]
    valid_from: str
    valid_to: str | None
    jwk: ServiceKeysKeyJwk


class ServiceKeysKeyJwk(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    use: Literal["sig"]
    alg: Literal["EdDSA"]


class Health(TypedDict):
    status: Literal["ok"]
    version: str
