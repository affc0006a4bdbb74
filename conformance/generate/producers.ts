/**
 * Level 7: `redact`, `portable-receipt` and `fork.find`. Their results are held against core's own functions, and
 * where that is possible against something simpler: a redacted object is the object without two members.
 */
import assert from "node:assert/strict";
import {
  issueKeyEndorsement,
  type Json,
  type JsonObject,
  referenceKernel as kernel,
  keyHint,
  portableReceiptOf,
  type ReceiptRecord,
  redactRecord,
  showInclusions,
  showLeaves,
  type Window,
} from "@svc/core";
import { contradictions, receipt, retold, told } from "@svc/testkit/evidence/forks";
import { at, bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { issueVaultStream, vaultBundleOf } from "@svc/testkit/evidence/vaults";
import { base64, type Draft } from "./draft.ts";

/** A pair of sides that is longer makes the committed cases large. */
const LONGEST_PAIR = 9_000;

/** Returns all cases of the level. */
export async function producerDrafts(): Promise<Draft[]> {
  return [...(await redactions()), ...(await cuts()), ...(await searches())];
}

const canonical = (object: unknown) => base64(kernel.canonicalize(object as Json));
const text = (object: unknown) => base64(JSON.stringify(object));
const refused = (code: string) => ({ ok: false, code });

async function redactions(): Promise<Draft[]> {
  const { records, windows, checkpoints, statements } = await issueStream(3, { perWindow: 2 });
  const small = await issueStream(2, { perWindow: 1, perCheckpoint: 2 });
  const bundle = await bundleOf(small);
  const draft = (slug: string, object: unknown, seqNos: Json, expected: JsonObject): Draft => ({
    name: `redact/${slug}`,
    request: { op: "redact", bytes: text(object), seq_nos: seqNos },
    expected,
  });
  const made = (object: unknown) => ({ ok: true, result: canonical(object) });
  const segment = { stream_id: records[0]?.stream_id, records };
  const without = (...seqNos: readonly number[]) => ({
    ...segment,
    records: records.map((record) => (seqNos.includes(record.seq_no) ? redactRecord(record) : record)),
  });
  const [record, second] = records;
  assert.ok(record !== undefined && second !== undefined);
  const portable = portableReceiptOf(kernel, bundle, 1);
  const payloads = (...seqNos: readonly number[]) => ({
    ...bundle,
    payloads: Object.fromEntries(
      Object.entries(bundle.payloads ?? {}).filter(
        ([event]) => !seqNos.some((seqNo) => small.records[seqNo - 1]?.stream_event_id === event),
      ),
    ),
  });
  const { payloads: _, ...bare } = bundle;
  const edited = { ...record, source_ref: "another" };
  const vaults = await vaultBundleOf(await issueVaultStream(1, { perWindow: 1 }));
  const subsets = Array.from({ length: 8 }, (_, bits) => [1, 2, 3].filter((seqNo) => bits & (1 << (seqNo - 1))));
  return [
    ...subsets.map((seqNos) =>
      draft(`stream-${seqNos.join("-") || "none"}`, segment, seqNos, made(without(...seqNos))),
    ),
    draft("receipt", record, [1], made(redactRecord(record))),
    draft("receipt-nothing", record, [], made(record)),
    draft("receipt-twice-named", record, [1, 1, 1], made(redactRecord(record))),
    draft("receipt-as-text", record, ["1"], made(redactRecord(record))),
    draft("receipt-as-both", record, ["1", 1], made(redactRecord(record))),
    draft("receipt-already", redactRecord(record), [1], made(redactRecord(record))),
    draft("receipt-second", second, [2], made(redactRecord(second))),
    draft("receipt-of-another-number", second, [1], refused("event_missing")),
    draft("stream-order-and-repeats", segment, [3, 2, 3], made(without(2, 3))),
    draft("stream-already-in-part", without(2), [2, 3], made(without(2, 3))),
    draft("portable", portable, [1], made({ ...portable, receipt: redactRecord(portable.receipt) })),
    draft("portable-nothing", portable, [], made(portable)),
    draft("bundle-first", bundle, [1], made(payloads(1))),
    draft("bundle-both", bundle, [2, 1], made(payloads(1, 2))),
    draft("bundle-without-payloads", bare, [1], made(bare)),
    ...([[0], [4], [1, 4], ["9007199254740991"]] as Json[]).map((seqNos, at) =>
      draft(`event-missing-${at}`, segment, seqNos, refused("event_missing")),
    ),
    draft("event-missing-portable", portable, [2], refused("event_missing")),
    draft("event-missing-bundle", bare, [3], refused("event_missing")),
    draft("number-beyond", record, ["9007199254740992"], refused("malformed")),
    ...([[-1], [1.5], ["01"], [null], 1, "1", { "0": 1 }] as Json[]).map((seqNos, at) =>
      draft(`no-numbers-${at}`, record, seqNos, refused("malformed_request")),
    ),
    ...[{}, [], null, windows[0], checkpoints[0], statements[0]].map((object, at) =>
      draft(`unsupported-${at}`, object, [1], refused("unsupported_object")),
    ),
    draft("unsupported-bundle-of-vaults", vaults, [1], refused("unsupported_object")),
    draft("malformed-unknown-member", { ...record, more: 1 }, [1], refused("malformed")),
    draft("malformed-missing-member", { ...record, payload_salt: undefined }, [1], refused("malformed")),
    draft("malformed-value", { ...record, seq_no: 0 }, [0], refused("malformed")),
    draft("rejected-edited", edited, [1], refused("rejected")),
    draft("rejected-payload-edited", { ...record, payload: { amount: 2 } }, [], refused("rejected")),
    // The edited payload goes, and what is left holds.
    draft("payload-edited-and-gone", { ...record, payload: { amount: 2 } }, [1], made(redactRecord(record))),
    draft("rejected-gap", { ...segment, records: records.toSpliced(1, 1) }, [1], refused("rejected")),
    draft("event-missing-before-rejected", edited, [2], refused("event_missing")),
    ...parserFaults("redact", { seq_nos: [1] }),
  ];
}

function parserFaults(op: string, members: JsonObject): Draft[] {
  const texts = {
    json_malformed: "{",
    duplicate_name: '{"seq_no":1,"seq_no":1}',
    lossy_number: '{"seq_no":9007199254740993}',
    invalid_unicode: '{"a":"\\ud800"}',
    too_deep: `${"[".repeat(65)}${"]".repeat(65)}`,
  };
  return Object.entries(texts).map(([code, bytes]) => ({
    name: `${op}/parser-${code.replaceAll("_", "-")}`,
    request: { op, bytes: base64(bytes), ...members },
    expected: refused(code),
  }));
}

async function cuts(): Promise<Draft[]> {
  const draft = (slug: string, object: unknown, seqNo: Json, expected: JsonObject): Draft => ({
    name: `portable-receipt/${slug}`,
    request: { op: "portable-receipt", bytes: text(object), seq_no: seqNo },
    expected,
  });
  const made = (bundle: Parameters<typeof portableReceiptOf>[1], seqNo: number) => ({
    ok: true,
    result: canonical(portableReceiptOf(kernel, bundle, seqNo)),
  });
  const single = await bundleOf(await issueStream(1, { perWindow: 1 }));
  const pair = await issueStream(2, { perWindow: 1, perCheckpoint: 1 });
  const two = await bundleOf(pair);
  const shown = await bundleOf({ ...pair, windows: pair.windows.map((window) => withEvents(window, pair.records)) });
  const later = await bundleOf(await issueStream(3, { perWindow: 1, perCheckpoint: 1 }), 3);
  const { payloads: _, ...bare } = single;
  const { artifacts } = single;
  const vaults = await vaultBundleOf(await issueVaultStream(1, { perWindow: 1 }));
  return [
    draft("single", single, 1, made(single, 1)),
    draft("single-as-text", single, "1", made(single, 1)),
    draft("redacted", bare, 1, made(bare, 1)),
    ...[1, 2].map((seqNo) => draft(`two-${seqNo}`, two, seqNo, made(two, seqNo))),
    // A receipt is cut out without what its windows show of other events.
    ...[1, 2].map((seqNo) => draft(`events-shown-${seqNo}`, shown, seqNo, made(two, seqNo))),
    draft("later", later, 3, made(later, 3)),
    draft("of-vaults", vaults, 1, made(vaults, 1)),
    draft("later-before-its-range", later, 2, refused("event_missing")),
    draft("event-missing", bare, 2, refused("event_missing")),
    draft("event-missing-0", bare, 0, refused("event_missing")),
    draft("number-beyond", bare, "9007199254740992", refused("malformed")),
    ...([-1, 1.5, "", "1.0", null, [1]] as Json[]).map((seqNo, at) =>
      draft(`no-number-${at}`, {}, seqNo, refused("malformed_request")),
    ),
    draft("unsupported-receipt", artifacts["receipts.json"][0], 1, refused("unsupported_object")),
    draft("unsupported-portable-receipt", portableReceiptOf(kernel, bare, 1), 1, refused("unsupported_object")),
    draft("unsupported-nothing", {}, 1, refused("unsupported_object")),
    draft("malformed-unknown-member", { ...bare, more: 1 }, 1, refused("malformed")),
    draft("malformed-missing-member", { ...bare, key_hints: undefined }, 1, refused("malformed")),
    draft(
      "rejected-no-checkpoints",
      { ...bare, artifacts: { ...artifacts, "checkpoints.json": [] } },
      1,
      refused("rejected"),
    ),
    draft("rejected-no-windows", { ...bare, artifacts: { ...artifacts, "windows.json": [] } }, 1, refused("rejected")),
    draft(
      "rejected-edited",
      {
        ...bare,
        artifacts: {
          ...artifacts,
          "receipts.json": artifacts["receipts.json"].map((one) => ({ ...one, source_ref: "x" })),
        },
      },
      1,
      refused("rejected"),
    ),
    ...parserFaults("portable-receipt", { seq_no: 1 }),
  ];
}

/** Returns a window that shows its leaves, and the inclusion of each. */
function withEvents(window: Window, records: readonly ReceiptRecord[]): Window {
  const own = records.filter(({ seq_no }) => window.from_seq_no <= seq_no && seq_no <= window.to_seq_no);
  const hashes = own.map(({ event_hash }) => event_hash);
  return showInclusions(
    kernel,
    showLeaves(window, hashes),
    hashes,
    own.map(({ seq_no }) => seq_no),
  );
}

async function searches(): Promise<Draft[]> {
  const bytesOf = (side: Json) => base64(typeof side === "string" ? side : JSON.stringify(side));
  const draft = (slug: string, left: Json, right: Json, more: JsonObject = {}, expected?: JsonObject): Draft => ({
    name: `fork.find/${slug}`,
    request: { op: "fork.find", left: bytesOf(left), right: bytesOf(right), ...more },
    ...(expected === undefined ? {} : { expected }),
  });
  const nothing = { ok: true, result: null };
  const pairs = (await contradictions()).filter(({ a, b }) => bytesOf(a).length + bytesOf(b).length < LONGEST_PAIR);
  const [six, other] = [receipt(told, 6), receipt(retold, 6)] as unknown as [JsonObject, JsonObject];
  const note = told.checkpoints[1]?.note ?? "";
  const named = { fork_id: "frk_01k30000000000000000000001", detected_at: "2026-03-01T00:00:00.000Z" };
  const seqNos = [5, 7, 8, 9, 10];
  const keys = await keysOfSides();
  return [
    ...pairs.flatMap(({ name, a, b }) => [draft(name, a, b), draft(`${name}-exchanged`, b, a)]),
    ...seqNos.map((seqNo) =>
      draft(`receipts-${seqNo}`, receipt(told, seqNo) as unknown as Json, receipt(retold, seqNo) as unknown as Json),
    ),
    draft("named", six, other, named),
    draft("named-time-alone", six, other, { detected_at: named.detected_at }),
    draft("named-id-alone", six, other, { fork_id: named.fork_id }),
    draft("runs-earliest-event", run(told, 5, 7), run(retold, 4, 6)),
    draft("keys-of-one-signer", { ...run(told, 6), ...keys.told }, { ...run(retold, 6), ...keys.retold }),
    draft("keys-of-two-signers", { ...run(told, 6), ...keys.told }, { ...run(keys.rotated, 6), ...keys.retold }),
    draft("keys-of-none", { ...run(told, 6), key_hints: [] }, { ...run(keys.rotated, 6), key_endorsements: [] }),
    draft("same-receipt", six, six, {}, nothing),
    draft("same-note", note, note, {}, nothing),
    draft(
      "same-history-before-the-fork",
      receipt(told, 2) as unknown as Json,
      receipt(retold, 4) as unknown as Json,
      {},
      nothing,
    ),
    draft("redacted-same-receipt", six, without(six), {}, nothing),
    draft("redacted-other-receipt", without(six), without(other)),
    draft("edited-without-key", six, { ...six, source_ref: "another" }, {}, nothing),
    draft("note-of-nobody", note, "hello\n\n\u2014 x AAAAAAA=\n", {}, nothing),
    ...["frk_1", "", "frk_81k30000000000000000000001", "frk_01k3000000000000000000000I", `${named.fork_id}\n`].map(
      (fork_id, at) => draft(`no-id-${at}`, {}, {}, { fork_id }, refused("malformed_request")),
    ),
    ...["", "2026-03-01", "2026-02-30T00:00:00.000Z", "2026-03-01T00:00:00Z", `${named.detected_at}\n`].map(
      (detected_at, at) => draft(`no-time-${at}`, {}, {}, { detected_at }, refused("malformed_request")),
    ),
    ...["", "no note", "no note\n\n", note.slice(0, -1)].map((side, at) =>
      draft(`no-side-${at}`, six, side, {}, refused("json_malformed")),
    ),
    draft("left-is-named-first", '{"a":1,"a":2}', "", {}, refused("duplicate_name")),
    draft("unsupported-nothing", {}, six, {}, refused("unsupported_object")),
    draft("unsupported-statement", six, told.statements[0] as unknown as Json, {}, refused("unsupported_object")),
    draft("malformed", six, { ...other, seq_no: 0 }, {}, refused("malformed")),
  ];
}

/** Returns a run of records of a history. */
function run({ records }: typeof told, from: number, to = from): JsonObject {
  return { stream_id: records[0]?.stream_id ?? "", records: records.slice(from - 1, to) as unknown as Json[] };
}

/** Returns a history by another key, and keys that travel with two sides: some twice, and some of nobody here. */
async function keysOfSides() {
  const successor = testSigner("successor");
  const own = keyHint(kernel, SERVICE.publicKeyHex);
  const hints = [successor, testSigner("stranger")].map(({ publicKeyHex }) => keyHint(kernel, publicKeyHex));
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, successor.publicKeyHex, at(0));
  return {
    rotated: await issueStream(6, { forkedAt: 5, signer: successor }),
    told: { key_hints: [...hints.toReversed(), own], key_endorsements: [endorsement] } as unknown as JsonObject,
    retold: { key_hints: [own, ...hints], key_endorsements: [endorsement, endorsement] } as unknown as JsonObject,
  };
}

function without({ payload: _, payload_salt: __, ...rest }: JsonObject): JsonObject {
  return rest;
}
