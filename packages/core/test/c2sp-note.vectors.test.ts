/**
 * Signed notes, verification keys, checkpoints and cosignatures: the examples of the C2SP specifications, and the forms
 * that they forbid.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import {
  cosignedBytes,
  encodeHex,
  encodeNote,
  encodeNoteLine,
  openNote,
  parseCheckpointText,
  parseCosignature,
  parseNote,
  parseVerificationKey,
  selectKernel,
  verificationKey,
} from "../src/index.ts";
import { CHECKPOINT, POEM, SIGNED_NOTE } from "./c2sp-examples.ts";

for (const kernel of KERNEL_NAMES.map(selectKernel)) {
  test(`${kernel.name}: the verifier key of signed-note.md verifies its note, and no other text`, () => {
    const parsed = parseVerificationKey(kernel, SIGNED_NOTE.vkey);
    assert.ok(parsed.ok);
    const { name, keyId, type, publicKeyHex } = parsed.key;
    assert.deepEqual([name, keyId, type], ["example.com/foo", "530d903a", 1]);
    assert.equal(verificationKey(kernel, name, publicKeyHex), SIGNED_NOTE.vkey);
    const opened = openNote(kernel, SIGNED_NOTE.note, [parsed.key]);
    assert.ok(opened.ok);
    assert.equal(opened.text, "This is an example message.\n");
    assert.deepEqual(openNote(kernel, SIGNED_NOTE.note.replace("example message", "other message"), [parsed.key]), {
      ok: false,
      code: "signature_invalid",
    });
    const other = SIGNED_NOTE.vkey.replace("530d903a", "530d903b");
    assert.deepEqual(parseVerificationKey(kernel, other), { ok: false, code: "kid_mismatch" });
  });
}

test("the last empty line parts the text from the signatures", () => {
  const note = parseNote(POEM.note);
  assert.equal(note?.text, POEM.text);
  assert.deepEqual(
    note?.lines.map(({ name, keyId, signature }) => [name, keyId, signature.length]),
    [["quasimodo.example/salvatore", "367ba04b", 64]],
  );
  assert.equal(encodeNote(POEM.text, note?.lines ?? []), POEM.note);
});

test("the checkpoint of tlog-checkpoint.md is read, and its cosignature in tlog-cosignature.md", () => {
  const { text, logLine, witnessLine, time, cosigned } = CHECKPOINT;
  const note = parseNote(`${text}\n${logLine}${witnessLine}`);
  assert.equal(note?.text, text);
  const [log, witness] = note?.lines ?? [];
  assert.ok(log !== undefined && witness !== undefined);
  assert.deepEqual([log.keyId, log.signature.length], ["033de0ae", 64]);
  assert.deepEqual([witness.name, witness.keyId], ["witness.example.com/w1", "8d66cf3f"]);
  assert.equal(parseCosignature(witness.signature)?.cosignedAt, time);
  assert.equal(new TextDecoder().decode(cosignedBytes(time, text)), cosigned);
  assert.equal(encodeNoteLine(log) + encodeNoteLine(witness), logLine + witnessLine);
  const tree = parseCheckpointText(text);
  assert.deepEqual([tree?.origin, tree?.treeSize, tree?.extensions], ["example.com/behind-the-sofa", 20852163, []]);
  assert.equal(encodeHex(tree?.rootHash ?? new Uint8Array()).slice(0, 8), "0ac5186a");
});

test("a checkpoint has an origin, a decimal size, a root of 32 bytes, and no empty line", () => {
  const [origin = "", size = "", root = ""] = CHECKPOINT.text.split("\n");
  const text = (...lines: string[]) => `${lines.join("\n")}\n`;
  assert.deepEqual(parseCheckpointText(text(origin, "0", root, "an extension"))?.extensions, ["an extension"]);
  assert.equal(parseCheckpointText(text(origin, "9007199254740991", root))?.treeSize, Number.MAX_SAFE_INTEGER);
  for (const bad of [
    "",
    "\n",
    text(origin, size),
    text("", size, root),
    text(origin, size, root, ""),
    text(origin, size, root).slice(0, -1),
    ...["", "01", "+1", "-0", "1e3", "0x1", " 1", "１", "9007199254740992", "99999999999999999999"].map((each) =>
      text(origin, each, root),
    ),
    text(origin, size, root.slice(0, -1)),
    text(origin, size, `${root}=`),
    text(origin, size, root.replace("I=", "J=")),
    text(origin, size, "AAAA"),
  ])
    assert.equal(parseCheckpointText(bad), null, JSON.stringify(bad));
});

test("names, lines and characters are those of signed-note.md", () => {
  const { note } = SIGNED_NOTE;
  const named = (name: string) => note.replace("example.com/foo", name);
  const [, blob = ""] = /foo (\S+)\n$/.exec(note) ?? [];
  for (const good of [
    named("é.example"),
    named("\u007f"),
    named("—"),
    named("\ufeff"),
    `\n${note}`,
    `a\tb${note}`.replace("\t", "\u2003"),
  ])
    assert.notEqual(parseNote(good), null, JSON.stringify(good));
  const spaces = ["\u0085", "\u00a0", "\u1680", "\u2000", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"];
  for (const bad of [
    named(""),
    named("a+b"),
    named("a b"),
    ...spaces.map((space) => named(`a${space}b`)),
    `a\tb${note}`,
    `\r${note}`,
    `\u0000${note}`,
    `\ud800${note}`,
    note.replaceAll("\n", "\r\n"),
    note.replace("— ", "—"),
    note.replace("— ", "–  "),
    note.replace("— ", " — "),
    note.replace(`${blob}\n`, `${blob} \n`),
    note.replace(blob, blob.replaceAll("=", "")),
    note.replace(blob, "Uw2QOg=="),
    note.replace(blob, blob.replace("QM=", "QN=")),
    note.replace(blob, blob.replace(/^U/, "_")),
    `${note}\n`,
  ])
    assert.equal(parseNote(bad), null, JSON.stringify(bad));
});
