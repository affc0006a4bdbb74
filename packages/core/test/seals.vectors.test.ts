/** The exact bytes that seals, notes and cosignatures sign, against the independent implementation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readVectorJson, vectorEntries } from "@svc/testkit/vectors";
import { encodeHex, hexToBytes } from "../src/encoding/hex.ts";
import { encodeUtf8 } from "../src/encoding/utf8.ts";
import {
  type JsonObject,
  kidOf,
  PROTOCOL,
  type PublicKeyHex,
  referenceKernel,
  type SignatureHex,
} from "../src/index.ts";
import { cosignatureLine, cosignedBytes, parseCosignature } from "../src/note/cosignature.ts";
import {
  checkpointText,
  ED25519_LINE,
  encodeNote,
  encodeNoteLine,
  noteKeyId,
  parseNote,
} from "../src/note/signed-note.ts";
import { type Tag, wordOf } from "../src/protocol.ts";
import { sealedBytes } from "../src/seal.ts";

const kernel = referenceKernel;

interface SealVector {
  readonly name: string;
  readonly word?: string;
  readonly tag: Tag;
  readonly body: JsonObject;
  readonly public_key_hex: PublicKeyHex;
  readonly seal: { readonly protocol: string; readonly kid: string; readonly signature: string };
  readonly message_hex: string;
}

for (const [path, more] of [
  ["proofstream/seals.json", []],
  ["provenance/seals.json", ["word"]],
] as const) {
  test(`seals of ${path} sign these bytes, and their signatures verify`, () => expectSeals(path, more));
}

function expectSeals(path: string, more: readonly "word"[]): void {
  const names = ["name", "tag", "body", "public_key_hex", "seal", "message_hex", ...more] as const;
  for (const one of vectorEntries<SealVector>(readVectorJson(path), names)) {
    assert.equal(wordOf(one.tag), one.word ?? PROTOCOL, one.name);
    assert.equal(wordOf(one.tag), one.seal.protocol, one.name);
    const message = sealedBytes(kernel, one.tag, one.body, one.seal.kid);
    assert.equal(encodeHex(message), one.message_hex, one.name);
    assert.equal(kidOf(kernel, one.public_key_hex), one.seal.kid, one.name);
    const item = { publicKey: hexToBytes(one.public_key_hex), message, signature: hexToBytes(one.seal.signature) };
    assert.deepEqual(kernel.verifyEd25519([item]), [true], one.name);
  }
}

interface NoteVector {
  readonly name: string;
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly public_key_hex: PublicKeyHex;
  readonly note: string;
  readonly cosignature: { readonly cosigned_at: number; readonly signature: SignatureHex };
  readonly witness_name: string;
  readonly witness_public_key_hex: PublicKeyHex;
  readonly cosignature_line: string;
  readonly cosigned_message_hex: string;
}

test("notes and cosignature lines are these bytes", () => {
  const names = ["name", "origin", "size", "root", "public_key_hex", "note", "cosignature", "witness_name"] as const;
  const more = ["witness_public_key_hex", "cosignature_line", "cosigned_message_hex"] as const;
  for (const one of vectorEntries<NoteVector>(readVectorJson("proofstream/notes.json"), [...names, ...more])) {
    const text = checkpointText(one.origin, one.size, hexToBytes(one.root));
    const parsed = parseNote(one.note);
    const [line] = parsed?.lines ?? [];
    assert.ok(parsed !== null && line !== undefined, one.name);
    assert.equal(parsed.text, text, one.name);
    assert.equal(line.name, one.origin);
    assert.equal(line.keyId, noteKeyId(kernel, one.origin, ED25519_LINE, one.public_key_hex));
    const item = { publicKey: hexToBytes(one.public_key_hex), message: encodeUtf8(text), signature: line.signature };
    assert.deepEqual(kernel.verifyEd25519([item]), [true]);
    assert.equal(encodeNote(text, parsed.lines), one.note);

    const { cosigned_at, signature } = one.cosignature;
    assert.equal(encodeHex(cosignedBytes(cosigned_at, text)), one.cosigned_message_hex, one.name);
    const cosigned = cosignatureLine(kernel, one.witness_name, one.witness_public_key_hex, cosigned_at, signature);
    assert.equal(encodeNoteLine(cosigned), one.cosignature_line, one.name);
    assert.deepEqual(parseCosignature(cosigned.signature), {
      cosignedAt: cosigned_at,
      signature: hexToBytes(signature),
    });
  }
});
