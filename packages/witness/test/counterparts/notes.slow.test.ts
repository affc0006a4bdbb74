/**
 * Signed notes and cosignatures both ways: what we sign, golang.org/x/mod/sumdb/note, transparency-dev/formats and
 * torchwood open; what they sign, core opens; and what one side refuses, the other refuses.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  encodeBase64,
  encodeHex,
  hexToBytes,
  openNote,
  parseCheckpointText,
  parseVerificationKey,
  referenceKernel,
  type VerificationKey,
  verificationKey,
  windowHash,
} from "@svc/core";
import { NO_COUNTERPARTS, runCounterpart } from "@svc/testkit/counterparts";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import { issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { startLitewitness } from "@svc/testkit/litewitness";
import { add, kernel, madeWitness, started } from "../running.ts";

const options = { skip: NO_COUNTERPARTS };

interface Opened {
  readonly error?: string;
  readonly origin?: string;
  readonly size?: number;
  /** Base64. */
  readonly root?: string;
  readonly cosignatures?: readonly { readonly name: string; readonly time: number }[];
}

interface Made {
  readonly note: string;
  readonly vkey: string;
  readonly witness_vkey: string;
  readonly root: string;
  readonly time: number;
}

/** Has the libraries do something for each request, and resolves to their answers. */
async function inGo<Answer>(requests: readonly object[]): Promise<Answer[]> {
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  const lines = (await runCounterpart("notes", [], input)).trimEnd().split("\n");
  assert.equal(lines.length, requests.length);
  return lines.map((line) => JSON.parse(line) as Answer);
}

function keyOf(vkey: string): VerificationKey {
  const parsed = parseVerificationKey(kernel, vkey);
  assert.ok(parsed.ok, vkey);
  return parsed.key;
}

/** Returns a note with one byte of its last line's signature changed. */
function forged(note: string): string {
  const [, head = "", base64 = ""] = /^(.* )(\S+)\n$/s.exec(note) ?? [];
  const bytes = Buffer.from(base64, "base64");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return `${head}${bytes.toString("base64")}\n`;
}

test(
  "the checkpoints of our streams, with cosignatures of svc-witness and litewitness, open in Go",
  options,
  async (t) => {
    const { checkpoints, windows } = await issueStream(24);
    const origin = checkpoints[0]?.origin ?? "";
    const vkey = verificationKey(kernel, origin, SERVICE.publicKeyHex);
    const [ours, theirs] = [await started(t, await madeWitness(vkey)), await startLitewitness(t)];
    await theirs.addOrigin(vkey);
    const leaves = windows.map((window) => kernel.leafHash(hexToBytes(windowHash(referenceKernel, window))));
    const requests: { open: string; log: string; witnesses: string[] }[] = [];
    let old = 0;
    for (const { note, window_count } of checkpoints) {
      const proof = old === 0 ? [] : kernel.proveConsistency(leaves.slice(0, window_count), old);
      const body = bodyOf(old, proof.map(encodeBase64), note);
      const [own, other] = [await add(ours, body), await add(theirs, body)];
      assert.deepEqual([own.status, other.status], [200, 200]);
      requests.push({ open: `${note}${own.text}${other.text}`, log: vkey, witnesses: [ours.vkey, theirs.vkey] });
      old = window_count;
    }
    const answers = await inGo<Opened>(requests);
    for (const [index, { error, size, root, cosignatures = [], ...opened }] of answers.entries()) {
      assert.equal(error, undefined);
      assert.equal(opened.origin, origin);
      const checkpoint = checkpoints[index];
      assert.equal(size, checkpoint?.window_count);
      assert.equal(root, Buffer.from(checkpoint?.checkpoint_root ?? "", "hex").toString("base64"));
      // Core reads the same names and times, those of litewitness among them.
      const read = openNote(kernel, requests[index]?.open ?? "", [keyOf(ours.vkey), keyOf(theirs.vkey)]);
      assert.ok(read.ok);
      assert.deepEqual(
        cosignatures,
        read.signatures.map(({ key, cosignedAt }) => ({ name: key.name, time: cosignedAt })),
      );
      assert.equal(cosignatures.length, 2);
    }
  },
);

test("what Go signs, core opens: the checkpoint, and the witness's cosignature with its time", options, async () => {
  const sizes = [0, 1, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
  const requests = sizes.map((size) => ({ make: "log.example/made in Go", size, witness: "witness.example/go" }));
  // A name with a space is invalid.
  const [refused] = await inGo<Opened>(requests.slice(0, 1));
  assert.ok(refused?.error !== undefined);
  const made = await inGo<Made>(requests.map((request) => ({ ...request, make: "log.example/go" })));
  for (const [index, { note, vkey, witness_vkey, root, time }] of made.entries()) {
    const opened = openNote(kernel, note, [keyOf(vkey), keyOf(witness_vkey)]);
    assert.ok(opened.ok, opened.ok ? "" : opened.code);
    assert.deepEqual(
      opened.signatures.map(({ key, cosignedAt }) => [key.name, cosignedAt]),
      [
        ["log.example/go", null],
        ["witness.example/go", time],
      ],
    );
    const tree = parseCheckpointText(opened.text);
    assert.deepEqual(
      [tree?.origin, tree?.treeSize, tree && encodeHex(tree.rootHash)],
      ["log.example/go", sizes[index], Buffer.from(root, "base64").toString("hex")],
    );
  }
});

test("one bit of a cosignature, of the time or of the text: both sides refuse", options, async (t) => {
  const log = new TestLog("log.example/one").growTo(3);
  const witness = await started(t, await madeWitness(log.vkey));
  const own = `${await log.note()}${(await add(witness, await log.body(0))).text}`;
  const [{ note = "", vkey = "", witness_vkey = "" } = {}] = await inGo<Partial<Made>>([
    { make: "log.example/go", size: 7, witness: "witness.example/go" },
  ]);
  const cases = [
    { whole: own, log: log.vkey, witness: witness.vkey },
    { whole: note, log: vkey, witness: witness_vkey },
  ].flatMap(({ whole, ...keys }) =>
    [whole, forged(whole), whole.replace(/\n(\d+)\n/, "\n1$1\n"), withAnotherTime(whole)].map((open) => ({
      open,
      ...keys,
    })),
  );
  const answers = await inGo<Opened>(cases.map(({ open, log, witness }) => ({ open, log, witnesses: [witness] })));
  const inGoHolds = answers.map(({ error }) => error === undefined);
  const ours = cases.map(({ open, log, witness }) => openNote(kernel, open, [keyOf(log), keyOf(witness)]).ok);
  const expected = [true, false, false, false, true, false, false, false];
  assert.deepEqual([inGoHolds, ours], [expected, expected]);
});

/** Returns a note whose last cosignature states another time. */
function withAnotherTime(note: string): string {
  const [, head = "", base64 = ""] = /^(.* )(\S+)\n$/s.exec(note) ?? [];
  const bytes = Buffer.from(base64, "base64");
  // The time ends twelve bytes into the line: behind four bytes of the key, it has eight bytes.
  bytes[11] = (bytes[11] ?? 0) ^ 1;
  return `${head}${bytes.toString("base64")}\n`;
}
