/**
 * Bundles of any size, as files: sound in everything, signed with node:crypto, the same bytes each time. Records are
 * hashed and written one by one, so that a bundle may be longer than the longest string.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import {
  type Checkpoint,
  encodeHex,
  type HashHex,
  hexToBytes,
  issueCheckpoint,
  issueWindow,
  issueWitnessStatement,
  type Json,
  keyHint,
  kidOf,
  type Policy,
  PROTOCOL,
  type PublicKeyHex,
  policyDigest,
  type Signer,
  selectKernel,
  type Window,
  type WitnessPolicy,
  type WitnessStatement,
  windowHash,
  witnessPolicyDigest,
  ZERO_HASH,
} from "../../packages/core/src/index.ts";
import { tagLine } from "../../packages/core/src/kernel/tag.ts";
import { makeSeal } from "../../packages/core/src/seal.ts";
import { type BenchKey, makeKey } from "../kernel/keys.ts";
import { Random } from "../kernel/random.ts";

const WINDOW = 1000;
const WINDOWS_PER_CHECKPOINT = 10;
const PAYLOAD_BYTES = 450;
const ORIGIN = "bench.example/evidence";
const [alg, protocol] = ["Ed25519", PROTOCOL];
const stream_id = "str_01k30000000000000000000001";
const TIME = "2026-03-01T09:30:00.000Z";

const kernel = selectKernel();

/** The form of a bundle: canonical JSON, or as JSON.stringify writes the service's object. */
export type Form = "canonical" | "as made";

/** Returns the public key that seals every bundle here. */
export function benchKeyHex(): PublicKeyHex {
  return encodeHex(serviceKey().publicKey) as PublicKeyHex;
}

/** Writes a bundle of so many receipts with payloads to a file. */
export async function writeBundle(file: string, count: number, form: Form): Promise<void> {
  const key = serviceKey();
  const signer: Signer = { publicKeyHex: benchKeyHex(), sign: (message) => key.sign(message) };
  const random = new Random(count);
  const records: Buffer[] = [];
  const payloads: Buffer[] = [];
  const hashes: HashHex[] = [];
  const order = form === "canonical" ? canonically : (value: object) => JSON.stringify(value);
  const receipts = createHash("sha256");
  for (let seq_no = 1, previous = ZERO_HASH; seq_no <= count; seq_no++) {
    const { canonical, written, id, entry, event_hash } = sealedRecord(random, seq_no, previous, key, order);
    receipts.update(seq_no === 1 ? "[" : ",").update(canonical);
    records.push(Buffer.from(written));
    payloads.push(Buffer.from(`${JSON.stringify(id)}:${entry}`));
    hashes.push(event_hash);
    previous = event_hash;
  }
  const sealed = await sealWindows(signer, hashes);
  const artifact = (value: unknown) =>
    createHash("sha256")
      .update(kernel.canonicalize(value as Json))
      .digest("hex");
  const manifest = {
    bundle_id: "bundle_01k30000000000000000000001",
    protocol,
    created_at: TIME,
    stream_id,
    from_seq_no: 1,
    to_seq_no: count,
    artifact_hashes: {
      "receipts.json": receipts.update("]").digest("hex"),
      "windows.json": artifact(sealed.windows),
      "checkpoints.json": artifact(sealed.checkpoints),
      "witnesses.json": artifact(sealed.witnesses),
      "anchors.json": artifact([]),
    },
    prior_windows: { window_count: 0, frontier: [] },
  };
  const seal = await makeSeal(kernel, "bundle", manifest, signer);
  const lists: Record<string, readonly Buffer[]> = { RECEIPTS: records, PAYLOADS: payloads };
  const bundle = {
    manifest,
    artifacts: {
      "receipts.json": ["RECEIPTS"],
      "windows.json": sealed.windows,
      "checkpoints.json": sealed.checkpoints,
      "witnesses.json": sealed.witnesses,
      "anchors.json": [],
    },
    payloads: { PAYLOADS: 0 },
    key_hints: [keyHint(kernel, signer.publicKeyHex)],
    key_endorsements: [],
    seal,
  };
  const out = openSync(file, "w");
  for (const part of order(bundle).split(/"(RECEIPTS|PAYLOADS)"(?::0)?/)) {
    if (lists[part] === undefined) writeSync(out, part);
    else writeList(out, lists[part]);
  }
  closeSync(out);
}

/** Yields so many receipts with their payloads, each as a separate text. */
export function* writtenReceipts(count: number): Iterable<Uint8Array> {
  const key = serviceKey();
  const random = new Random(7);
  for (let seq_no = 1, previous = ZERO_HASH; seq_no <= count; seq_no++) {
    const { written, entry, event_hash } = sealedRecord(random, seq_no, previous, key, JSON.stringify);
    yield Buffer.from(`${written.slice(0, -1)},${entry.slice(1)}`);
    previous = event_hash;
  }
}

function serviceKey(): BenchKey {
  return makeKey(new Random(5));
}

/** Writes many at a time: one write for each would take longer than all the hashing. */
function writeList(out: number, items: readonly Buffer[]): void {
  const comma = Buffer.from(",");
  for (let from = 0; from < items.length; from += 10_000) {
    const some = items.slice(from, from + 10_000).flatMap((item, at) => (from + at === 0 ? [item] : [comma, item]));
    writeSync(out, Buffer.concat(some));
  }
}

function canonically(value: object): string {
  return Buffer.from(kernel.canonicalize(value as Json)).toString();
}

function sealedRecord(
  random: Random,
  seq_no: number,
  previous_event_hash: string,
  key: BenchKey,
  order: (value: object) => string,
) {
  const stream_event_id = `sev_01k3000000000000${String(seq_no).padStart(10, "0")}`;
  const payload_salt = random.hex(16);
  const payload = payloadOf(random, seq_no);
  const described = {
    source_ref: `loan-${seq_no}`,
    event_type: "loan.decided",
    occurred_at: "2026-03-01T10:29:59+01:00",
    received_at: TIME,
    payload_hash: hash("payload", { payload, salt: payload_salt }),
  };
  const place = { stream_id, stream_event_id, seq_no, previous_event_hash };
  const event_hash = hash("event", { ...place, ...described });
  const stream_head_hash = hash("head", { stream_id, seq_no, event_hash });
  const kid = kidOf(kernel, benchKeyHex());
  const body = canonically({ ...place, event_hash, stream_head_hash, protocol, alg, kid });
  const signature = Buffer.from(key.sign(Buffer.concat([tagLine("receipt"), Buffer.from(body)]))).toString("hex");
  const record = {
    stream_event_id,
    stream_id,
    seq_no,
    ...described,
    previous_event_hash,
    event_hash,
    stream_head_hash,
    receipt: { protocol, alg, kid, signature },
  };
  const entry = order({ payload, payload_salt });
  return { canonical: canonically(record), written: order(record), id: stream_event_id, entry, event_hash };
}

/** Returns a decision whose canonical JSON has PAYLOAD_BYTES bytes. */
function payloadOf(random: Random, number: number) {
  const payload = {
    applicant: { id: `A${number}`, segment: random.pick(["retail", "business"]) },
    amount: random.below(5_000_000) / 100,
    approved: random.below(2) === 0,
    checks: [
      { source: "bureau/a", passed: true, score: random.below(100_000) / 1000 },
      { source: "bureau/b", passed: random.below(8) > 0, score: random.below(100_000) / 1000 },
    ],
    terms: { currency: "EUR", months: 12 + random.below(348), rate: random.below(10_000) / 1e6 },
    note: "",
  };
  const missing = PAYLOAD_BYTES - JSON.stringify(payload).length;
  return { ...payload, note: random.hex(missing).slice(0, missing) };
}

function hash(tag: string, value: object): HashHex {
  return createHash("sha256").update(tagLine(tag)).update(canonically(value)).digest("hex") as HashHex;
}

/** Issues windows, checkpoints with their notes, and a managed witness that cosigned every one. */
async function sealWindows(signer: Signer, hashes: readonly HashHex[]) {
  const witnessKey = makeKey(new Random(6));
  const witness: Signer = {
    publicKeyHex: encodeHex(witnessKey.publicKey) as PublicKeyHex,
    sign: (message) => witnessKey.sign(message),
  };
  const policy: Policy = {
    policy_id: "default",
    policy_version: 1,
    window_max_events: WINDOW,
    window_max_seconds: 60,
    checkpoint_max_windows: WINDOWS_PER_CHECKPOINT,
    anchor: "none",
  };
  const witnessPolicy: WitnessPolicy = {
    policy_id: "default",
    policy_version: 1,
    mode: "managed-shadow",
    threshold: 1,
    witnessKeys: [
      {
        witness_id: "managed",
        name: `${ORIGIN}/witness`,
        public_key_hex: witness.publicKeyHex,
        key_epoch: 1,
        valid_from: "2026-01-01T00:00:00.000Z",
        valid_to: null,
        managed: true,
      },
    ],
    declared_at: "2026-01-01T00:00:00.000Z",
  };
  const windows: Window[] = [];
  const checkpoints: Checkpoint[] = [];
  const statements: WitnessStatement[] = [];
  let frontier: Uint8Array[] = [];
  const ulid = (number: number) => `01k3${String(number).padStart(22, "0")}`;
  for (let from = 0; from < hashes.length; from += WINDOW) {
    const window = await issueWindow(kernel, signer, {
      window_id: `win_${ulid(windows.length + 1)}`,
      stream_id,
      window_no: windows.length + 1,
      from_seq_no: from + 1,
      event_hashes: hashes.slice(from, from + WINDOW),
      policy_digest: policyDigest(kernel, policy),
      witness_policy_digest: witnessPolicyDigest(kernel, witnessPolicy),
      closed_at: TIME,
    });
    windows.push(window);
    const open = windows.slice(checkpoints.at(-1)?.window_count ?? 0);
    if (open.length < WINDOWS_PER_CHECKPOINT && from + WINDOW < hashes.length) continue;
    const checkpoint = await issueCheckpoint(kernel, signer, {
      checkpoint_id: `chk_${ulid(checkpoints.length + 1)}`,
      service_origin: ORIGIN,
      previous: checkpoints.at(-1) ?? null,
      frontier,
      windows: open,
      latest_event_hash: hashes[window.to_seq_no - 1] ?? ZERO_HASH,
      policy_id: policy.policy_id,
      created_at: TIME,
    });
    const leaves = open.map((one) => kernel.leafHash(hexToBytes(windowHash(kernel, one))));
    frontier = kernel.appendToFrontier(windows.length - open.length, frontier, leaves);
    checkpoints.push(checkpoint);
    const about = { witness_id: "managed", key_epoch: 1 };
    statements.push(await issueWitnessStatement(kernel, witness, about, checkpoint, Date.parse(TIME) / 1000));
  }
  return { windows, checkpoints, witnesses: { policies: [policy], witness_policies: [witnessPolicy], statements } };
}
