/**
 * A receipt-only verifier that protocol section 34 allows: sections 1 to 5, 7 and 16, a signature library without the
 * cofactor, and nothing else. It shares with core only its reading: strict JSON, J, and the schemas of two objects.
 * Tests compare its answers with core's.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { type Json, type JsonObject, referenceKernel, type TrustPolicy } from "../src/index.ts";
import { ReceiptRecord } from "../src/objects/receipt.ts";
import { validatorOf } from "../src/schema/check.ts";
import { depthOf } from "../src/schema/validate.ts";
import { TrustPolicy as TrustPolicySchema } from "../src/trust/vault-policy.ts";

export type MinimalAnswer = "verified" | "rejected" | "untrusted" | "cannot_evaluate";

/** The members of a receipt record that section 7 demands. */
interface Receipt extends Readonly<Record<string, Json>> {
  readonly stream_id: string;
  readonly seq_no: number;
  readonly received_at: string;
  readonly receipt: { readonly kid: string; readonly signature: string };
}

const PREFIX = "SVC-PROOFSTREAM-001";
/** The public keys of section 3 that are refused without asking a library. */
export const REFUSED_KEYS: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]);

const recordFaults = validatorOf(ReceiptRecord);
const trustFaults = validatorOf(TrustPolicySchema);
const demanded: readonly string[] = ReceiptRecord.required;

/** Returns the answer about bytes under a trust policy. */
export function verifyReceipt(bytes: Uint8Array, trust: Json): MinimalAnswer {
  if (trustFaults(trust).length > 0) return "rejected";
  const policy = trust as TrustPolicy;
  if (policy.signers.some((pin) => pin.kid !== kidOf(pin.public_key_hex))) return "rejected";
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return "cannot_evaluate";
  const parsed = referenceKernel.parseJson(bytes);
  if (!parsed.ok) return "rejected";
  const value = parsed.value as JsonObject;
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (names.filter((name) => demanded.includes(name)).length * 2 < demanded.length) return "cannot_evaluate";
  if (recordFaults(value).length > 0 || depthOf(value.payload ?? null, 33) > 32) return "rejected";
  const receipt = value as Receipt;
  if (!hashesHold(receipt)) return "rejected";
  const answer = judge(receipt, policy);
  return answer !== "rejected" && typeof policy.quorum === "string" ? "cannot_evaluate" : answer;
}

function hashesHold(record: Receipt): boolean {
  const { payload, payload_salt, payload_hash, event_hash, seq_no, stream_id, previous_event_hash } = record;
  const { stream_event_id, source_ref, event_type, occurred_at, received_at } = record;
  const event = { stream_id, stream_event_id, seq_no, previous_event_hash, source_ref, event_type };
  return (
    (payload === undefined || digest("payload", { payload, salt: payload_salt ?? null }) === payload_hash) &&
    digest("event", { ...event, occurred_at, received_at, payload_hash } as JsonObject) === event_hash &&
    digest("head", { stream_id, seq_no, event_hash } as JsonObject) === record.stream_head_hash &&
    (previous_event_hash === "0".repeat(64)) === (seq_no === 1)
  );
}

/** Signature, trust and expectations: the parts of sections 4 and 16 that concern a lone receipt. */
function judge(record: Receipt, policy: TrustPolicy): MinimalAnswer {
  const { kid } = record.receipt;
  const { expect = {}, require = [], require_assurance, revoked = [] } = policy;
  if (require.length > 0 || require_assurance !== undefined) return "rejected";
  if ((expect.stream_id ?? record.stream_id) !== record.stream_id) return "rejected";
  if ((expect.from_seq_no ?? record.seq_no) !== record.seq_no) return "rejected";
  if ((expect.to_seq_no ?? record.seq_no) !== record.seq_no) return "rejected";
  const pins = policy.signers.filter((pin) => pin.kid === kid);
  const [first] = pins;
  if (first === undefined) return "untrusted";
  if (!signatureHolds(record, first.public_key_hex)) return "rejected";
  if (revoked.some((one) => one === kid)) return "untrusted";
  const covering = pins.filter(({ streams }) => streams === undefined || streams.includes(record.stream_id as never));
  if (covering.length === 0) return "untrusted";
  const ends = covering.flatMap(({ valid_to }) => (valid_to === undefined ? [] : [valid_to as string])).sort();
  if (ends[0] === undefined) return "verified";
  // Nothing dates a lone receipt.
  return record.received_at > ends[0] ? "rejected" : "untrusted";
}

function signatureHolds(record: Receipt, keyHex: string): boolean {
  if (REFUSED_KEYS.has(keyHex) || yOf(keyHex) >= 2n ** 255n - 19n) return false;
  const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash } = record;
  const { signature, ...said } = record.receipt;
  const body = { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash, ...said };
  const message = Buffer.concat([Buffer.from(`${PREFIX}/receipt\n`), canonical(body as JsonObject)]);
  const x = Buffer.from(keyHex, "hex").toString("base64url");
  try {
    const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
    return verify(null, message, key, Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
}

function yOf(keyHex: string): bigint {
  return BigInt(`0x${Buffer.from(keyHex, "hex").reverse().toString("hex")}`) & (2n ** 255n - 1n);
}

function canonical(value: Json): Uint8Array {
  return referenceKernel.canonicalize(value);
}

function digest(tag: string, value: Json): string {
  return createHash("sha256").update(`${PREFIX}/${tag}\n`).update(canonical(value)).digest("hex");
}

function kidOf(keyHex: string): string {
  return `ed25519-${createHash("sha256").update(keyHex, "hex").digest("hex").slice(0, 16)}`;
}
