/**
 * Portable receipts: cut out of bundles of every shape they verify, they name no other event, and random changes never
 * stay verified.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { bundleOf, frontierOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import fc from "fast-check";
import {
  crossCheck,
  hexToBytes,
  issuePortableReceipt,
  type Json,
  type PortableReceipt,
  pinKeys,
  portableReceiptOf,
  proveWindow,
  type Report,
  referenceKernel,
  showFrontier,
  showInclusions,
  showLeaves,
  verify,
} from "../src/index.ts";
import { mutants } from "./mutations.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueStream(14, { perWindow: 2, perCheckpoint: 3 });
const bundle = await bundleOf(evidence);

const bytesOf = (object: unknown) => kernel.canonicalize(JSON.parse(JSON.stringify(object)) as Json);

function check(portable: unknown): Report {
  const { report, cross_check } = crossCheck(bytesOf(portable), { trust });
  assert.deepEqual(cross_check.first_difference, null);
  return report;
}

function assertVerified(portable: PortableReceipt): void {
  const { verdict, kind, problems, assurance } = check(portable);
  assert.deepEqual([verdict, kind, problems], ["verified", "portable-receipt", []]);
  assert.equal(assurance.included, true);
  assert.equal(assurance.witnessed.valid, 1);
}

test("every event of bundles that start anywhere gives a good portable receipt under every checkpoint over it", async () => {
  let cut = 0;
  for (const { window_no, from_seq_no } of evidence.windows) {
    const part = await bundleOf(evidence, window_no);
    for (const { seq_no } of evidence.records.slice(from_seq_no - 1)) {
      for (const { checkpoint_no, to_seq_no } of part.artifacts["checkpoints.json"]) {
        if (to_seq_no < seq_no) {
          assert.throws(() => portableReceiptOf(kernel, part, seq_no, { checkpointNo: checkpoint_no }), RangeError);
          continue;
        }
        assertVerified(portableReceiptOf(kernel, part, seq_no, { checkpointNo: checkpoint_no }));
        cut++;
      }
    }
  }
  assert.ok(cut > 100, `${cut} were cut`);
});

test("a portable receipt shows its own event and no other one's hash or payload", () => {
  const text = JSON.stringify(portableReceiptOf(kernel, bundle, 5));
  for (const { seq_no, payload_salt, stream_event_id } of evidence.records) {
    assert.equal(text.includes(payload_salt ?? "?"), seq_no === 5);
    assert.equal(text.includes(stream_event_id), seq_no === 5);
  }
});

test("what is not in the bundle cannot be cut out of it", async () => {
  for (const seqNo of [0, 15, 1.5]) assert.throws(() => portableReceiptOf(kernel, bundle, seqNo), RangeError);
  const later = await bundleOf(evidence, 4);
  assert.throws(() => portableReceiptOf(kernel, later, 6), /event 6 is not in the bundle, which covers 7 to 14/);
  assert.throws(() => portableReceiptOf(kernel, bundle, 1, { checkpointNo: 9 }), RangeError);
});

test("paths from a frontier are those from all leaves", () => {
  const leaf = (no: number) => kernel.leafHash(new TextEncoder().encode(`window ${no}`));
  const hashes = Array.from({ length: 33 }, (_, index) => Buffer.from(leaf(index + 1)).toString("hex") as never);
  const leaves = hashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  for (let priorCount = 0; priorCount < hashes.length; priorCount++) {
    const frontier = kernel.appendToFrontier(0, [], leaves.slice(0, priorCount));
    const tree = {
      priorCount,
      priorFrontier: frontier.map((hash) => Buffer.from(hash).toString("hex") as never),
      windowHashes: hashes.slice(priorCount),
    };
    for (let count = priorCount + 1; count <= hashes.length; count++) {
      for (let no = priorCount + 1; no <= count; no++) {
        const naive = kernel
          .proveInclusion(leaves.slice(0, count), no - 1)
          .map((hash) => Buffer.from(hash).toString("hex"));
        assert.deepEqual(proveWindow(kernel, tree, no, count), naive, `window ${no} of ${count}, ${priorCount} before`);
      }
    }
    assert.throws(() => proveWindow(kernel, tree, priorCount, hashes.length), RangeError);
    assert.throws(() => proveWindow(kernel, tree, hashes.length, hashes.length + 1), RangeError);
  }
});

test("unsealed parts of windows and checkpoints are checked where they stand", () => {
  const good = portableReceiptOf(kernel, bundle, 5);
  const { window, checkpoint } = good;
  assert.ok(window !== undefined && checkpoint !== undefined);
  const hashes = evidence.records.slice(4, 6).map(({ event_hash }) => event_hash);
  const leaves = showLeaves(window, hashes);
  const inclusions = showInclusions(kernel, window, hashes, [6]);
  const listedFrom = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
  const rooted = showFrontier(checkpoint, frontierOf(evidence.windows.slice(0, listedFrom)));
  assertVerified({ ...good, window: leaves });
  assertVerified({ ...good, window: inclusions });
  assertVerified({ ...good, checkpoint: rooted });
  const codes = (changed: PortableReceipt) => check(changed).problems.map(({ code }) => code);
  const swapped = { ...leaves, leaves: [...hashes].reverse() };
  assert.deepEqual(codes({ ...good, window: swapped }), ["window_root_mismatch", "head_hash_mismatch"]);
  const wrong = frontierOf(evidence.windows.slice(1, listedFrom + 1));
  assert.deepEqual(codes({ ...good, checkpoint: showFrontier(checkpoint, wrong) }), ["checkpoint_root_mismatch"]);
  assert.throws(() => showLeaves(window, hashes.slice(1)), RangeError);
  assert.throws(() => showInclusions(kernel, window, hashes, [7]), RangeError);
  assert.throws(() => showInclusions(kernel, window, [...hashes, ...hashes], [6]), RangeError);
  assert.throws(() => showFrontier(checkpoint, []), RangeError);
});

test("parts that make no portable receipt are refused", () => {
  const { format: _format, version: _version, ...parts } = portableReceiptOf(kernel, bundle, 5);
  const { window: _window, ...windowless } = parts;
  const { last_window: _last, ...lastless } = parts;
  assert.deepEqual(issuePortableReceipt(parts), portableReceiptOf(kernel, bundle, 5));
  assert.throws(() => issuePortableReceipt(windowless), /no portable receipt: \/window/);
  assert.throws(() => issuePortableReceipt(lastless), /no portable receipt: \/last_window/);
  assert.throws(() => issuePortableReceipt({ ...lastless, receipt: null as never }), TypeError);
});

test("random changes of a good portable receipt are never verified", () => {
  const good = JSON.parse(JSON.stringify(portableReceiptOf(kernel, bundle, 5))) as Members;
  const all = [...mutants(good)];
  const changed = fc.constantFrom(...all).chain((first) => {
    const second = fc.nat().map((pick) => {
      const again = [...mutants(first.value)];
      return again[pick % again.length] ?? first;
    });
    return fc.tuple(fc.constant(first), fc.oneof(fc.constant(first), second));
  });
  fc.assert(
    fc.property(changed, ([first, last]) => {
      const report = verify(kernel.canonicalize(last.value), { trust });
      if (report.ok) assert.ok(isCut(last.value as Members, good), `${first.what}, then ${last.what}`);
    }),
    { numRuns: 300 },
  );
});

type Members = { readonly [name: string]: Json };

/**
 * Says whether a value is the good one without parts that may be left out: witnesses that nobody demands, hints, a
 * frontier, payload with salt.
 */
function isCut(value: Members, good: Members): boolean {
  const { key_hints = [], witnesses = good.witnesses, receipt, checkpoint, ...rest } = value;
  const { frontier } = good.checkpoint as Members;
  const { payload: _payload, payload_salt: _salt, ...record } = good.receipt as Members;
  const [hint] = good.key_hints as Json[];
  assert.ok(Array.isArray(key_hints) && witnesses !== undefined);
  for (const one of key_hints) assert.deepEqual(one, hint);
  const whole = { ...rest, witnesses, key_hints: good.key_hints, checkpoint: { frontier, ...(checkpoint as Members) } };
  const asGood = [good.receipt, record].map((one) => ({ ...good, receipt: one }));
  return asGood.some((one) => isDeepStrictEqual({ ...whole, receipt }, one));
}
