/**
 * The document that declares a policy (protocol section 6): its numbers and its witness policy, every member optional
 * except the id. All faults of a document are listed at once; declare-policy.ts decides who may declare it.
 */
import { policies as contracts, type ErrorCode } from "@svc/api";
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import { atoms, type Json, MAX_WINDOWS_PER_CHECKPOINT, type PublicKeyHex, type WitnessKey } from "@svc/core";
import { type Problem, problemsOf } from "@svc/host/http/shapes";
import type { Reader } from "@svc/host/store";
import Type, { type Static } from "typebox";
import { MAX_WINDOW_SECONDS } from "../limits.ts";
import { signingKeys } from "../signing/service-store.ts";
import { ownWitnessKeys } from "./own-witness.ts";

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
  ...contracts.WITNESS_MEMBERS,
});
/** A declaration. */
export type PolicyDocument = Static<typeof PolicyDocument>;

/** The keys of this deployment. */
export interface OwnKeys {
  /** Every key that seals here or has sealed. */
  readonly sealing: readonly PublicKeyHex[];
  /** Every key that the service's own witness has had, the last one being its key now. */
  readonly witness: readonly Pick<WitnessKey, "name" | "public_key_hex">[];
}

/** A fault of a document, and the code of its cause. */
export interface DocumentProblem extends Problem {
  readonly code: ErrorCode;
}

/** Resolves to the keys of the deployment whose database it is. */
export async function ownKeys(reader: Reader): Promise<OwnKeys> {
  return {
    sealing: (await signingKeys(reader)).map(({ public_key_hex }) => public_key_hex),
    witness: await ownWitnessKeys(reader),
  };
}

const shapeProblems = problemsOf(PolicyDocument);

/**
 * Returns the document, or all of its faults. `declaredAt`: the time from which a key without `valid_from` is good, a
 * service time.
 */
export function readPolicyDocument(
  value: Json,
  own: OwnKeys,
  declaredAt: string,
): PolicyDocument | readonly DocumentProblem[] {
  const ofShape = shapeProblems(value).map((problem) => ({ ...problem, code: "invalid_request" as const }));
  const problems = [...ofShape, ...contradictions(value, own, declaredAt)];
  return problems.length === 0 ? (value as PolicyDocument) : problems;
}

/**
 * Returns the faults that no schema can express. It looks only at members that exist, in any shape, so that it can run
 * beside the schema.
 */
function contradictions(value: Json, own: OwnKeys, declaredAt: string): DocumentProblem[] {
  const { mode, threshold, witnessKeys } = members(value);
  const isShadow = mode === undefined || mode === "managed-shadow";
  const keys = (Array.isArray(witnessKeys) ? witnessKeys : []).map((key: Json) => keyOf(members(key), declaredAt));
  const problems = keys.flatMap((key, index) => keyProblems(keys.slice(0, index), key, index, own, isShadow));
  if (!isShadow && keys.length === 0)
    problems.push({
      code: "witness_keys_missing",
      path: "/witnessKeys",
      message: "must list the witnesses of an independent policy",
    });
  // A document without witnesses has one: the service's own.
  const witnesses = Math.max(1, new Set(keys.map((key) => key.witness_id)).size);
  if (typeof threshold === "number" && threshold > witnesses)
    problems.push({
      code: "witness_threshold_unreachable",
      path: "/threshold",
      message: `must be at most ${witnesses}, the number of witnesses`,
    });
  return problems;
}

/** A key of any shape, with what it means where it leaves something out. */
interface DeclaredKey extends Members {
  readonly key_epoch: Json;
  readonly valid_from: Json;
  readonly valid_to: Json;
}

function keyOf(key: Members, declaredAt: string): DeclaredKey {
  const { key_epoch = 1, valid_from = declaredAt, valid_to = null } = key;
  return { ...key, key_epoch, valid_from, valid_to };
}

function keyProblems(
  earlier: readonly DeclaredKey[],
  key: DeclaredKey,
  index: number,
  own: OwnKeys,
  isShadow: boolean,
): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const add = (code: ErrorCode, member: string, message: string) =>
    problems.push({ code, path: `/witnessKeys/${index}/${member}`, message });
  const { witness_id, name, public_key_hex, valid_from, valid_to, managed } = key;
  const isText = typeof public_key_hex === "string";
  if (isText && earlier.some((other) => other.public_key_hex === public_key_hex))
    add("witness_key_repeated", "public_key_hex", "appears twice: list each public key once");
  if (isText && (own.sealing as readonly string[]).includes(public_key_hex))
    add("witness_not_independent", "public_key_hex", "is a key by which this service seals: it would witness itself");
  const isOwn = own.witness.some((one) => one.public_key_hex === public_key_hex);
  const current = own.witness.at(-1);
  if (isOwn && (managed !== true || !isShadow))
    add(
      "witness_not_independent",
      "public_key_hex",
      'is this service\'s own witness: say "managed": true, in mode managed-shadow, or leave witnessKeys out',
    );
  if (managed === true && !(public_key_hex === current?.public_key_hex && name === current?.name))
    add(
      "witness_not_managed",
      "managed",
      `is true only for this service's own witness, ${current?.name} with the key ${current?.public_key_hex}`,
    );
  if (earlier.some((other) => other.name === name && other.witness_id !== witness_id))
    add("witness_name_repeated", "name", "is the name of another witness_id too: a witness counts once");
  if (isBackwards(valid_from, valid_to))
    add("witness_validity_backwards", "valid_to", "is before valid_from, or before now where that is left out");
  const overlapping = earlier.filter((other) => other.witness_id === witness_id && !areApart(other, key));
  if (overlapping.some((other) => other.key_epoch === key.key_epoch))
    add("witness_epochs_overlap", "key_epoch", "appears twice for this witness: number its keys");
  else if (overlapping.length > 0)
    add(
      "witness_epochs_overlap",
      "valid_from",
      "is in the time of another key of this witness: end the key of the lower epoch, by its valid_to, in an " +
        "earlier second",
    );
  return problems;
}

/**
 * Returns whether two keys of one witness follow each other in the order of their epochs, with no second in which both
 * are good: `valid_from` is rounded down to the second, and both ends are included (protocol section 6).
 */
function areApart(one: DeclaredKey, other: DeclaredKey): boolean {
  if (typeof one.key_epoch !== "number" || typeof other.key_epoch !== "number") return true;
  if (one.key_epoch === other.key_epoch) return false;
  const [first, second] = one.key_epoch < other.key_epoch ? [one, other] : [other, one];
  if (typeof second.valid_from !== "string") return true;
  return typeof first.valid_to === "string" && first.valid_to < `${second.valid_from.slice(0, 20)}000Z`;
}

function isBackwards(from: Json, to: Json): boolean {
  return typeof from === "string" && typeof to === "string" && to < from;
}

type Members = Readonly<Record<string, Json>>;

function members(value: Json): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
