/**
 * The document that declares a policy (protocol section 6): its numbers and its witness policy, every member optional
 * except the id. All faults of a document are listed at once; declare-policy.ts decides who may declare it.
 */
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import { atoms, type Json, MAX_WINDOWS_PER_CHECKPOINT, type PublicKeyHex } from "@svc/core";
import { type Problem, problemsOf } from "@svc/host/http/shapes";
import Type, { type Static } from "typebox";
import { MAX_WINDOW_SECONDS } from "../limits.ts";

const DeclaredWitnessKey = atoms.Closed({
  witness_id: atoms.Slug,
  name: atoms.KeyName,
  public_key_hex: atoms.PublicKey,
  key_epoch: Type.Optional(atoms.Ordinal),
  valid_from: Type.Optional(atoms.ServiceTime),
  valid_to: Type.Optional(atoms.NullableServiceTime),
  managed: Type.Optional(
    Type.Unsafe<false>({
      enum: [false],
      description: "false: who leaves witnessKeys out gets the service's own witness",
    }),
  ),
});

/**
 * The schema of a declaration. Missing members are as in the policy `default`: its numbers, and the service's own
 * witness.
 */
export const PolicyDocument = atoms.Closed({
  policy_id: atoms.Slug,
  // A larger window fits in no audit pack.
  window_max_events: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PACK_EVENTS })),
  window_max_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_WINDOW_SECONDS })),
  checkpoint_max_windows: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_WINDOWS_PER_CHECKPOINT })),
  anchor: Type.Optional(atoms.OneOf("none", "optional", "required")),
  mode: Type.Optional(atoms.OneOf("managed-shadow", "independent")),
  threshold: Type.Optional(atoms.Ordinal),
  witnessKeys: Type.Optional(Type.Array(DeclaredWitnessKey)),
});
/** A declaration. */
export type PolicyDocument = Static<typeof PolicyDocument>;

/** The keys that no declared witness may have. */
export interface OwnKeys {
  /** Every key that seals here or has sealed. */
  readonly sealing: readonly PublicKeyHex[];
  readonly witness: PublicKeyHex;
}

const shapeProblems = problemsOf(PolicyDocument);

/** Returns the document, or all of its faults. */
export function readPolicyDocument(value: Json, own: OwnKeys): PolicyDocument | readonly Problem[] {
  const problems = [...shapeProblems(value), ...contradictions(value, own)];
  return problems.length === 0 ? (value as PolicyDocument) : problems;
}

/**
 * Returns the faults that no schema can express. It looks only at members that exist, in any shape, so that it can run
 * beside the schema.
 */
function contradictions(value: Json, own: OwnKeys): Problem[] {
  const { mode, threshold, witnessKeys } = members(value);
  const keys = Array.isArray(witnessKeys) ? witnessKeys.map(members) : [];
  const problems = keys.flatMap((key, index) => keyProblems(keys, key, index, own));
  const isShadow = mode === undefined || mode === "managed-shadow";
  if (!isShadow && keys.length === 0)
    problems.push({ path: "/witnessKeys", message: "must list the witnesses of an independent policy" });
  // A document without witnesses has one: the service's own.
  const witnesses = Math.max(1, new Set(keys.map((key) => key.witness_id)).size);
  if (typeof threshold === "number" && threshold > witnesses)
    problems.push({ path: "/threshold", message: `must be at most ${witnesses}, the number of witnesses` });
  return problems;
}

function keyProblems(keys: readonly Members[], key: Members, index: number, own: OwnKeys): Problem[] {
  const problems: Problem[] = [];
  const add = (member: string, message: string) => problems.push({ path: `/witnessKeys/${index}/${member}`, message });
  const earlier = keys.slice(0, index);
  const { witness_id, name, public_key_hex, key_epoch = 1, valid_from, valid_to } = key;
  const isText = typeof public_key_hex === "string";
  if (isText && earlier.some((other) => other.public_key_hex === public_key_hex))
    add("public_key_hex", "stands twice: a public key is listed once");
  if (isText && (own.sealing as readonly string[]).includes(public_key_hex))
    add("public_key_hex", "is a key by which this service seals: it would witness itself");
  if (public_key_hex === own.witness)
    add("public_key_hex", "is this service's own witness: leave witnessKeys out to get it");
  // A statement names its key by witness and epoch, and a witness counts once, with any number of keys and names.
  if (earlier.some((other) => other.witness_id === witness_id && (other.key_epoch ?? 1) === key_epoch))
    add("key_epoch", "stands twice for this witness: number its keys");
  if (earlier.some((other) => other.name === name && other.witness_id !== witness_id))
    add("name", "is the name of another witness_id too: a witness counts once");
  if (typeof valid_from === "string" && typeof valid_to === "string" && valid_to < valid_from)
    add("valid_to", "is before valid_from");
  return problems;
}

type Members = Readonly<Record<string, Json>>;

function members(value: Json): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
