/**
 * A change of a trust policy that leaves it well-formed: what it says is taken from the evidence where that has it, so
 * that the change decides about a verdict.
 */
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Random } from "./random.ts";

const MAX_TEXT = 4_000_000;
const ASSURANCE = ["L0", "L1", "L2", "L3"] as const;
const REQUIREMENTS = ["included", "witnessed", "published", "anchored"] as const;

/** It returns what the evidence and the policy have of a sort, in order. */
type Found = (sort: keyof typeof SORTS) => readonly string[];

const SORTS = {
  kid: /"(ed25519-[0-9a-f]{16})"/g,
  // Keys and hashes have one form.
  hex: /"([0-9a-f]{64})"/g,
  time: /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g,
  stream: /"(str_[0-9a-z]{26})"/g,
  installation: /"(ins_[0-9a-z]{26})"/g,
  origin: /"([\w.:-]+\/[\w./-]*?)(?:\/str_[0-9a-z]{26})?"/g,
  witness: /"name":"([^"\\]+)"/g,
  audience: /"(?:audience|nonce)":"([^"\\]+)"/g,
  number: /:(\d{1,6})[,}]/g,
};

/** Returns a policy with one thing said otherwise, or besides. `evidence`: its text. */
export function changedTrust(policy: Json | undefined, evidence: string, random: Random): Json {
  const own: JsonObject = isObject(policy) ? policy : { signers: [] };
  const text = `${JSON.stringify(own)} ${evidence.slice(0, MAX_TEXT)}`;
  const found: Found = (sort) => [...text.matchAll(SORTS[sort])].map(([, one = ""]) => one);
  return random.pick(CHANGES)(own, found, random, text) as Json;
}

type Change = (policy: JsonObject, found: Found, random: Random, text: string) => JsonObject;

const CHANGES: readonly Change[] = [
  (policy, found, random) => added(policy, "revoked", some(found("kid"), random)),
  (policy, found, random) => added(policy, "revoked", some(found("kid"), random)),
  (policy, _found, random, text) => added(policy, "signers", pinOf(text, random)),
  (policy, found, random) => {
    const [signers, at, one] = chosen(policy, "signers", random);
    return one === null ? policy : { ...policy, signers: signers.with(at, limited(one, found, random)) };
  },
  (policy, found, random) => {
    const [signers, , one] = chosen(policy, "signers", random);
    return one === null ? policy : { ...policy, signers: [...signers, limited(one, found, random)] };
  },
  (policy, _found, random) => {
    const name = random.pick(["signers", "witnesses", "revoked", "vaults", "key_status", "custodians", "activators"]);
    const [list, at, one] = chosen(policy, name, random);
    return one === null ? policy : { ...policy, [name]: list.toSpliced(at, 1) };
  },
  (policy, found, random) => {
    const [name, key] = [some(found("witness"), random), some(found("hex"), random)];
    return name === null || key === null ? policy : added(policy, "witnesses", { name, public_key_hex: key });
  },
  (policy, _found, random) => ({ ...policy, quorum: 1 + random.below(3) }),
  (policy, _found, random) => ({ ...policy, require: REQUIREMENTS.filter(() => random.below(3) === 0) }),
  (policy, found, random) => {
    const [stream, root] = [some(found("stream"), random), some(found("hex"), random)];
    if (stream === null || root === null) return policy;
    const count = Math.max(1, numberIn(found, random));
    return added(policy, "known_checkpoints", { stream_id: stream, window_count: count, checkpoint_root: root });
  },
  (policy, found, random) => {
    const stream = some(found("stream"), random);
    const [from, to] = [numberIn(found, random), numberIn(found, random)].sort((one, other) => one - other);
    const range = random.below(2) === 0 ? {} : { from_seq_no: Math.max(1, from ?? 1), to_seq_no: Math.max(1, to ?? 1) };
    const name = random.pick(["audience", "nonce", "content_sha256", "none"]);
    const text = name === "content_sha256" ? some(found("hex"), random) : some(found("audience"), random);
    const disclosed = name === "none" || text === null ? {} : { [name]: text };
    return { ...policy, expect: { ...disclosed, ...(stream === null ? {} : { stream_id: stream }), ...range } };
  },
  (policy, found, random) => {
    const [installation, key] = [some(found("installation"), random), some(found("hex"), random)];
    if (installation === null || key === null) return policy;
    return { ...policy, vaults: [{ installation_id: installation, public_key_hex: key }] };
  },
  (policy, found, random) => {
    const time = some(found("time"), random);
    return random.pick<JsonObject>([
      { ...policy, vault_time: random.pick(["stated", "proven"]) },
      { ...policy, require_assurance: random.pick(ASSURANCE) },
      { ...policy, allow_software_roots: random.below(2) === 0 },
      time === null ? policy : { ...policy, status_not_before: time },
    ]);
  },
  (policy, _found, random) => {
    const names = Object.keys(policy).filter((name) => name !== "signers");
    if (names.length === 0) return policy;
    const { [random.pick(names)]: _, ...rest } = policy;
    return rest;
  },
];

/** Returns a pin with one limit set or taken away. */
function limited(pin: JsonObject, found: Found, random: Random): JsonObject {
  const name = random.pick(["streams", "origin", "valid_to", "endorse"]);
  const { [name]: had, ...rest } = pin;
  if (had !== undefined && random.below(2) === 0) return rest;
  const [stream, origin, time] = [
    some(found("stream"), random),
    some(found("origin"), random),
    some(found("time"), random),
  ];
  if (name === "streams" && stream !== null) return { ...rest, streams: [stream] };
  if (name === "origin" && origin !== null) return { ...rest, origin };
  if (name === "valid_to" && time !== null) return { ...rest, valid_to: time };
  return { ...rest, endorse: random.below(2) === 0 };
}

/** Returns a pin of a key that is beside its kid in the text; null if none does. */
function pinOf(text: string, random: Random): JsonObject | null {
  const keys = [
    ...text.matchAll(/"kid":"(ed25519-[0-9a-f]{16})","public_key_hex":"([0-9a-f]{64})"/g),
    ...text.matchAll(/"endorsed_kid":"(ed25519-[0-9a-f]{16})","public_key_hex":"([0-9a-f]{64})"/g),
  ];
  if (keys.length === 0) return null;
  const [, kid = "", key = ""] = random.pick(keys);
  return { kid, public_key_hex: key };
}

function added(policy: JsonObject, name: string, value: Json | null): JsonObject {
  return value === null ? policy : { ...policy, [name]: [...listOf(policy[name]), value] };
}

/** Returns a list of the policy, and one of its objects with its index; null in its place if it is no object. */
function chosen(policy: JsonObject, name: string, random: Random): readonly [Json[], number, JsonObject | null] {
  const list = [...listOf(policy[name])];
  const at = random.below(list.length);
  const one = list[at];
  return [list, at, one !== undefined && isObject(one) ? one : null];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function some(values: readonly string[], random: Random): string | null {
  return values.length === 0 ? null : random.pick(values);
}

function numberIn(found: Found, random: Random): number {
  return Number(some(found("number"), random) ?? 1);
}
