/**
 * The schema of every object that stands on the wire, by the name of its type: for whoever describes an interface (OpenAPI) or keeps the
 * objects. To check one, call `verify`: most of what can be wrong with an object no schema can say.
 */
export { AnchorConsistency } from "../objects/anchor/consistency.ts";
export { Anchor } from "../objects/anchor/schema.ts";
export { Bundle } from "../objects/bundle/schema.ts";
export { Checkpoint } from "../objects/checkpoint.ts";
export { Consistency } from "../objects/consistency.ts";
export { ForkEvidence } from "../objects/fork/schema.ts";
export { Inclusion } from "../objects/inclusion.ts";
export { KeyEndorsement, KeyHint } from "../objects/key-endorsement.ts";
export { Policy, WitnessKey, WitnessPolicy } from "../objects/policy.ts";
export { PortableReceipt } from "../objects/portable-receipt/schema.ts";
export { ReceiptRecord, RedactedRecord } from "../objects/receipt.ts";
export { StreamSegment } from "../objects/stream.ts";
export { PackageManifest } from "../objects/truth-package/schema.ts";
export { Window } from "../objects/window.ts";
export { WitnessStatement } from "../objects/witness.ts";
export { Seal } from "../seal.ts";
export { TrustPolicy } from "../trust/policy.ts";
