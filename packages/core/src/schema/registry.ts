/**
 * Every schema that is compiled to a validator, by its `$id`. `pnpm schemas` writes generated/validators.js from this list.
 */
import type { TSchema } from "typebox";
import { AnchorConsistency } from "../objects/anchor/consistency.ts";
import { Anchor } from "../objects/anchor/schema.ts";
import { Bundle } from "../objects/bundle/schema.ts";
import { Checkpoint } from "../objects/checkpoint.ts";
import { Consistency } from "../objects/consistency.ts";
import { ForkEvidence } from "../objects/fork/schema.ts";
import { Inclusion } from "../objects/inclusion.ts";
import { KeyEndorsement } from "../objects/key-endorsement.ts";
import { Policy, WitnessPolicy } from "../objects/policy.ts";
import { PortableReceipt } from "../objects/portable-receipt/schema.ts";
import { ReceiptRecord, RedactedRecord } from "../objects/receipt.ts";
import { StreamSegment } from "../objects/stream.ts";
import { Window } from "../objects/window.ts";
import { WitnessStatement } from "../objects/witness.ts";
import { TrustPolicy } from "../trust/policy.ts";

/** The compiled schemas. Each has an `$id`; where one stands inside another it is compiled once and referred to. */
export const SCHEMAS: readonly TSchema[] = [
  ReceiptRecord,
  RedactedRecord,
  StreamSegment,
  Window,
  Inclusion,
  Checkpoint,
  Consistency,
  WitnessStatement,
  Policy,
  WitnessPolicy,
  KeyEndorsement,
  Anchor,
  AnchorConsistency,
  ForkEvidence,
  Bundle,
  PortableReceipt,
  TrustPolicy,
];
