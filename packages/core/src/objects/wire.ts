/**
 * The schema of every object on the wire, by the name of its type: for describing an interface (OpenAPI) or storing the
 * objects. To check an object, call `verify`: a schema can express few of its faults.
 */

export { Seal } from "../seal.ts";
export { TrustPolicy } from "../trust/vault-policy.ts";
export { Handover } from "../vault/handover.ts";
export { KeyStatus } from "../vault/key-status/schema.ts";
export { ReferenceValues } from "../vault/reference-values.ts";
export { AnchorConsistency } from "./anchor/consistency.ts";
export { Anchor } from "./anchor/schema.ts";
export { AttestationResult, CustodyEvidence, QuoteEvidence, VaultAttestation } from "./attestation/schema.ts";
export { Bundle } from "./bundle/provenance/schema.ts";
export { Checkpoint } from "./checkpoint.ts";
export { Consistency } from "./consistency.ts";
export { Disclosure } from "./disclosure/schema.ts";
export { Content, Envelope, SealedEnvelope } from "./envelope/schema.ts";
export { ForkEvidence } from "./fork/schema.ts";
export { Inclusion } from "./inclusion.ts";
export { IvcEpoch } from "./ivc/schema.ts";
export { KeyEndorsement, KeyHint } from "./key-endorsement.ts";
export { Policy, WitnessKey, WitnessPolicy } from "./policy.ts";
export { PortableReceipt } from "./portable-receipt/schema.ts";
export { ProvenanceInclusion, ShownInclusion } from "./provenance-inclusion.ts";
export { ProviderPolicy } from "./provider/policy.ts";
export { ProviderResult } from "./provider/result.ts";
export { ReceiptRecord, RedactedRecord } from "./receipt.ts";
export { StreamSegment } from "./stream.ts";
export { PackageManifest } from "./truth-package/schema.ts";
export { Window } from "./window.ts";
export { WitnessStatement } from "./witness.ts";
