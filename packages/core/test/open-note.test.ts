/**
 * Signed notes opened with known keys: the lines that must hold, those that are ignored, and the form of a verification
 * key.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testSigner } from "@svc/testkit/evidence/signer";
import { readVectorJson } from "@svc/testkit/vectors";
import {
  COSIGNATURE_LINE,
  checkpointText,
  cosignatureLine,
  cosignedBytes,
  ED25519_LINE,
  encodeBase64,
  encodeHex,
  encodeNote,
  hexToBytes,
  type NoteLine,
  noteKeyId,
  openNote,
  type PublicKeyHex,
  parseVerificationKey,
  referenceKernel,
  type SignatureHex,
  type Signer,
  type VerificationKey,
  verificationKey,
} from "../src/index.ts";

const kernel = referenceKernel;
const LOG = "log.example/stream";
const text = checkpointText(LOG, 7, new Uint8Array(32).fill(7));

function vkey(name: string, type: number, publicKeyHex: PublicKeyHex): string {
  const typed = Uint8Array.of(type, ...hexToBytes(publicKeyHex));
  return `${name}+${noteKeyId(kernel, name, type, publicKeyHex)}+${encodeBase64(typed)}`;
}

function key(name: string, type: number, { publicKeyHex }: Signer): VerificationKey {
  const parsed = parseVerificationKey(kernel, vkey(name, type, publicKeyHex));
  assert.ok(parsed.ok);
  return parsed.key;
}

async function signedLine(name: string, signer: Signer, signed = text): Promise<NoteLine> {
  const signature = await signer.sign(new TextEncoder().encode(signed));
  return { name, keyId: noteKeyId(kernel, name, ED25519_LINE, signer.publicKeyHex), signature };
}

async function cosignedLine(name: string, signer: Signer, time: number): Promise<NoteLine> {
  const signature = encodeHex(await signer.sign(cosignedBytes(time, text))) as SignatureHex;
  return cosignatureLine(kernel, name, signer.publicKeyHex, time, signature);
}

const log = testSigner("log");
const witness = testSigner("witness");
const stranger = testSigner("stranger");
const logLine = await signedLine(LOG, log);
const witnessLine = await cosignedLine("w.example", witness, 1_767_607_226);
const logKey = key(LOG, ED25519_LINE, log);
const witnessKey = key("w.example", COSIGNATURE_LINE, witness);

test("lines by known keys are named, all others are counted", async () => {
  const note = encodeNote(text, [logLine, witnessLine, await signedLine("s.example", stranger)]);
  assert.deepEqual(openNote(kernel, note, [witnessKey, logKey]), {
    ok: true,
    text,
    signatures: [
      { key: logKey, cosignedAt: null },
      { key: witnessKey, cosignedAt: 1_767_607_226 },
    ],
    ignored: 1,
  });
  assert.deepEqual(openNote(kernel, note, [logKey]), {
    ok: true,
    text,
    signatures: [{ key: logKey, cosignedAt: null }],
    ignored: 2,
  });
});

test("a note without a line by a known key stays shut", () => {
  const note = encodeNote(text, [logLine]);
  for (const keys of [[], [witnessKey], [key("other.example", ED25519_LINE, log)], [key(LOG, COSIGNATURE_LINE, log)]])
    assert.deepEqual(openNote(kernel, note, keys), { ok: false, code: "key_not_pinned" });
});

test("one wrong line by a known key shuts a note, wherever it stands and whatever else holds", async () => {
  const wrong = await signedLine(LOG, log, `${text}x`);
  const short = { ...logLine, signature: logLine.signature.subarray(1) };
  const otherKeys = { ...logLine, signature: (await signedLine(LOG, stranger)).signature };
  for (const bad of [wrong, short, otherKeys])
    for (const lines of [[bad], [bad, logLine], [logLine, bad], [logLine, witnessLine, bad]])
      assert.deepEqual(openNote(kernel, encodeNote(text, lines), [logKey, witnessKey]), {
        ok: false,
        code: "signature_invalid",
      });
  const late = { ...witnessLine, signature: witnessLine.signature.map((byte, i) => (i === 7 ? byte ^ 1 : byte)) };
  const timeless = { ...witnessLine, signature: witnessLine.signature.map((byte, i) => (i < 8 ? 0 : byte)) };
  const noTime = { ...witnessLine, signature: witnessLine.signature.subarray(8) };
  for (const bad of [late, timeless, noTime])
    assert.deepEqual(openNote(kernel, encodeNote(text, [logLine, bad]), [logKey, witnessKey]), {
      ok: false,
      code: "witness_signature_invalid",
    });
});

test("a wrong line by an unknown key is ignored like a right one", () => {
  const wrong = { ...witnessLine, signature: witnessLine.signature.toReversed() };
  const opened = openNote(kernel, encodeNote(text, [wrong, logLine]), [logKey]);
  assert.ok(opened.ok);
  assert.equal(opened.ignored, 1);
});

test("a line may be by any of the known keys that share its name and id", () => {
  const colliding: VerificationKey = { ...logKey, publicKeyHex: stranger.publicKeyHex };
  const opened = openNote(kernel, encodeNote(text, [logLine]), [colliding, logKey]);
  assert.deepEqual(opened.ok && opened.signatures, [{ key: logKey, cosignedAt: null }]);
  assert.equal(openNote(kernel, encodeNote(text, [logLine]), [colliding]).ok, false);
});

test("a key of another name is another key, also where its id is the same", () => {
  const renamed: VerificationKey = { ...logKey, name: "other.example" };
  assert.deepEqual(openNote(kernel, encodeNote(text, [logLine]), [renamed]), { ok: false, code: "key_not_pinned" });
  const renumbered: VerificationKey = { ...logKey, keyId: witnessKey.keyId };
  assert.deepEqual(openNote(kernel, encodeNote(text, [logLine]), [renumbered]), { ok: false, code: "key_not_pinned" });
});

test("what is no signed note is malformed, whatever the keys", () => {
  const good = encodeNote(text, [logLine]);
  for (const bad of [
    "",
    text,
    good.slice(0, -1),
    good.replace("\n\n", "\n"),
    `${good}x\n`,
    good.replace("— ", "- "),
    `\u0001${good}`,
  ])
    assert.deepEqual(openNote(kernel, bad, [logKey]), { ok: false, code: "note_malformed" });
  const lines = Array.from({ length: 65 }, () => logLine);
  assert.equal(openNote(kernel, encodeNote(text, lines), [logKey]).ok, false);
  assert.equal(openNote(kernel, encodeNote(text, lines.slice(1)), [logKey]).ok, true);
});

test("notes and cosignature lines of the golden vectors open", () => {
  for (const one of readVectorJson("proofstream/notes.json") as Record<string, string>[]) {
    const { name, origin = "", note = "", public_key_hex, witness_name = "", witness_public_key_hex } = one;
    const cosigned = note + one.cosignature_line;
    const keys = [
      vkey(origin, ED25519_LINE, public_key_hex as PublicKeyHex),
      vkey(witness_name, COSIGNATURE_LINE, witness_public_key_hex as PublicKeyHex),
    ].map((each) => parseVerificationKey(kernel, each));
    const opened = openNote(
      kernel,
      cosigned,
      keys.flatMap((each) => (each.ok ? [each.key] : [])),
    );
    assert.ok(opened.ok, name);
    assert.deepEqual(
      opened.signatures.map((signature) => signature.key.name),
      [origin, witness_name],
    );
  }
});

test("verification keys are read strictly, and are what they are written as", () => {
  const good = verificationKey(kernel, LOG, log.publicKeyHex);
  assert.equal(good, vkey(LOG, ED25519_LINE, log.publicKeyHex));
  assert.deepEqual(parseVerificationKey(kernel, good), { ok: true, key: logKey });
  const [name = "", id = ""] = good.split("+");
  const base64 = good.slice(name.length + id.length + 2);
  const otherName = `other.example+${id}+${base64}`;
  const otherId = `${name}+${id.startsWith("0") ? "1" : "0"}${id.slice(1)}+${base64}`;
  for (const text of [otherName, otherId])
    assert.deepEqual(parseVerificationKey(kernel, text), { ok: false, code: "kid_mismatch" });
  for (const type of [0, 2, 3, 5, 6, 0xff])
    assert.deepEqual(parseVerificationKey(kernel, vkey(name, type, log.publicKeyHex)), {
      ok: false,
      code: "unsupported_object",
    });
  const shortKey = encodeBase64(Uint8Array.of(1, ...hexToBytes(log.publicKeyHex).subarray(1)));
  const malformed = [
    "",
    name,
    `${name}+${id}`,
    `${name}+${id}+`,
    `${name}+${id}+AQ==`,
    `${name}+${id}+${shortKey}`,
    `+${id}+${base64}`,
    `a b+${id}+${base64}`,
    `${name}+${id.toUpperCase()}G+${base64}`,
    `${name}+${id.slice(1)}+${base64}`,
    `${name}+${id}+${base64.replaceAll("=", "")}*`,
    `${name}+${id}+${base64}\n`,
    ` ${good}`,
    `${good} `,
  ];
  for (const bad of malformed)
    assert.deepEqual(parseVerificationKey(kernel, bad), { ok: false, code: "malformed" }, bad);
});
