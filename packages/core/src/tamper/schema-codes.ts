/**
 * Finds the faults in the shape of a value by the schemas alone (protocol section 2). It is a small reading of them,
 * apart from the compiled validators, so that the two can be compared. It returns codes, and not their places.
 */
import type { TSchema } from "typebox";
import type { Json, JsonObject } from "../kernel/kernel.ts";
import { AnchorConsistency } from "../objects/anchor/consistency.ts";
import { Anchor } from "../objects/anchor/schema.ts";
import { VaultAttestation } from "../objects/attestation/schema.ts";
import { Bundle } from "../objects/bundle/provenance/schema.ts";
import { Checkpoint } from "../objects/checkpoint.ts";
import { Consistency } from "../objects/consistency.ts";
import { Disclosure } from "../objects/disclosure/schema.ts";
import { Envelope } from "../objects/envelope/schema.ts";
import { ForkEvidence } from "../objects/fork/schema.ts";
import { Inclusion } from "../objects/inclusion.ts";
import { IvcEpoch } from "../objects/ivc/schema.ts";
import { KeyEndorsement } from "../objects/key-endorsement.ts";
import { PortableReceipt } from "../objects/portable-receipt/schema.ts";
import { isUnsignedInclusion, ProvenanceInclusion, ShownInclusion } from "../objects/provenance-inclusion.ts";
import { EarlierProviderResult, isEarlierResult, ProviderResult } from "../objects/provider/result.ts";
import { ReceiptRecord } from "../objects/receipt.ts";
import { StreamSegment } from "../objects/stream.ts";
import { PackageManifest } from "../objects/truth-package/schema.ts";
import { Window } from "../objects/window.ts";
import { WitnessStatement } from "../objects/witness.ts";
import type { JsonKind } from "../report/checks.ts";
import type { ProblemCode } from "../report/codes.ts";
import { formats } from "../schema/formats.ts";
import { deepPayloads } from "../schema/validate.ts";
import { KeyStatus } from "../vault/key-status/schema.ts";
import { isOverAnchors, lacksMark } from "../verify/kinds.ts";
import { isObject } from "./places.ts";

/** The keywords that the schemas of wire objects use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

const SCHEMAS: Readonly<Record<JsonKind, TSchema>> = {
  receipt: ReceiptRecord,
  "portable-receipt": PortableReceipt,
  stream: StreamSegment,
  window: Window,
  inclusion: Inclusion,
  checkpoint: Checkpoint,
  consistency: Consistency,
  witness: WitnessStatement,
  anchor: Anchor,
  fork: ForkEvidence,
  key: KeyEndorsement,
  bundle: Bundle,
  envelope: Envelope,
  "vault-attestation": VaultAttestation,
  "key-status": KeyStatus,
  "provenance-inclusion": ShownInclusion,
  disclosure: Disclosure,
  "provider-result": ProviderResult,
  "ivc-epoch": IvcEpoch,
};

/** The type of a side of fork evidence, by the member that only it has. */
const SIDES: readonly (readonly [string, TSchema])[] = [
  ["stream_event_id", ReceiptRecord],
  ["window_id", Window],
  ["checkpoint_id", Checkpoint],
  ["anchor_epoch_id", Anchor],
];

/** The members whose only allowed value says which protocol, algorithm or format an object follows. */
const NAMES_OF_VERSION = ["protocol", "alg", "format", "version", "schema", "attestationKind"];

/** Returns the codes of the faults in the shape of a value of a kind; none if its schema finds no fault. */
export function schemaCodes(kind: JsonKind, value: Json): Set<ProblemCode> {
  const codes = new Set<ProblemCode>();
  if (lacksMark(kind, value)) codes.add("unsupported_object");
  collect(codes, schemaOf(kind, value), value, "");
  if (kind === "fork" && isObject(value))
    for (const side of [value.left, value.right]) if (isObject(side)) collect(codes, sideSchema(side), side, "");
  if (deepPayloads(value).length > 0) codes.add("too_deep");
  return codes;
}

/** Does the same for the manifest of a truth package. */
export function packageCodes(value: Json): Set<ProblemCode> {
  const codes = new Set<ProblemCode>();
  collect(codes, PackageManifest as Schema, value, "");
  return codes;
}

/** Returns the schema of a value of a kind: consistency evidence between anchors has another one. */
export function schemaOf(kind: JsonKind, value: Json): Schema {
  if (kind === "provider-result" && isEarlierResult(value)) return EarlierProviderResult as Schema;
  if (kind === "provenance-inclusion" && isUnsignedInclusion(value)) return ProvenanceInclusion as Schema;
  return (isOverAnchors(kind, value) ? AnchorConsistency : SCHEMAS[kind]) as Schema;
}

/** Returns the schema of a side of fork evidence; for anything else one that nothing meets. */
export function sideSchema(side: JsonObject): Schema {
  const [, schema] = SIDES.find(([identifier]) => Object.hasOwn(side, identifier)) ?? [];
  return (schema ?? { enum: [] }) as Schema;
}

function collect(codes: Set<ProblemCode>, schema: Schema, value: Json, name: string): void {
  // Only the content of an envelope has such a member, and any fault in it is one thing.
  if (name === "metadata") {
    const inside = new Set<ProblemCode>();
    collect(inside, schema, value, "");
    if (inside.size > 0) codes.add("provenance_metadata_not_permitted");
  } else if (schema.const !== undefined && value !== schema.const) {
    // A value of another type is both: no name of a protocol, and nothing that could be one.
    if (NAMES_OF_VERSION.includes(name)) codes.add("unsupported_object");
    if (typeof value !== typeof schema.const || codes.size === 0) codes.add("malformed");
  } else if (name === "attestationKind" && typeof value === "string" && !hasForm(schema, value))
    codes.add("unsupported_object");
  else if (!hasForm(schema, value)) codes.add("malformed");
  else if (Array.isArray(value)) for (const item of value) collect(codes, schema.items ?? {}, item, "");
  else if (isObject(value)) collectInObject(codes, schema, value);
}

function collectInObject(codes: Set<ProblemCode>, schema: Schema, object: JsonObject): void {
  const { properties = {}, required = [], dependentRequired = {}, additionalProperties = true } = schema;
  const demanded = Object.entries(dependentRequired).flatMap(([name, others]) => (name in object ? others : []));
  if ([...required, ...demanded].some((name) => !Object.hasOwn(object, name))) codes.add("missing_member");
  for (const [name, member] of Object.entries(object)) {
    if (schema.propertyNames !== undefined && !hasForm(schema.propertyNames, name)) codes.add("malformed");
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (own === false) codes.add("unknown_member");
    else if (typeof own === "object") collect(codes, own, member, name);
  }
}

/** Says whether a value has the form that a schema demands, without regard to the values inside it. */
function hasForm(schema: Schema, value: Json): boolean {
  const { type, enum: allowed, pattern, format, minimum = -Infinity, maximum = Infinity } = schema;
  const { minItems = 0, maxItems = Infinity } = schema;
  if (allowed !== undefined && !allowed.includes(value)) return false;
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
  if (typeof value === "number") return value >= minimum && value <= maximum;
  if (Array.isArray(value)) return value.length >= minItems && value.length <= maxItems;
  if (typeof value !== "string") return true;
  if (format !== undefined && formats[format]?.(value) !== true) return false;
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
