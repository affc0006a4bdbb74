/** Notes, cosignatures and the keys of a tlog-policy text at their bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { logVkey, ML_DSA, mlDsaKey, vkeyOf, witnessVkey } from "@svc/testkit/evidence/vkeys";
import {
  cosignatureLine,
  ED25519_LINE,
  encodeNote,
  type Json,
  parseCosignature,
  parseNote,
  parseTrustPolicy,
  parseVerificationKey,
  referenceKernel,
  type SignatureHex,
} from "../src/index.ts";

const kernel = referenceKernel;
const LARGEST = Number.MAX_SAFE_INTEGER;

function cosignatureAt(time: bigint, length = 72): number | null {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setBigUint64(0, time);
  return parseCosignature(bytes)?.cosignedAt ?? null;
}

test("a cosignature has a time of 1 to 2^53-1 and 64 bytes behind it", () => {
  assert.deepEqual(
    [0n, 1n, BigInt(LARGEST), BigInt(LARGEST) + 1n].map((time) => cosignatureAt(time)),
    [null, 1, LARGEST, null],
  );
  assert.deepEqual(
    [71, 72, 73].map((length) => cosignatureAt(1n, length)),
    [null, 1, null],
  );
  const line = cosignatureLine(kernel, "w.example", WITNESS.publicKeyHex, LARGEST, "ab".repeat(64) as SignatureHex);
  assert.equal(parseCosignature(line.signature)?.cosignedAt, LARGEST);
});

test("a note is a text, an empty line, and lines that are nothing but signatures", () => {
  const line = { name: "l.example", keyId: "00000000", signature: new Uint8Array(1) };
  const note = encodeNote("text\n", [line]);
  assert.equal(parseNote(note)?.text, "text\n");
  assert.equal(parseNote(`\n\n${note.slice("text\n\n".length)}`)?.text, "\n", "a text of one empty line");
  const [row = ""] = note.split("\n").slice(2);
  for (const bad of [
    `text\n${row}\n`,
    `text\n\n${row}`,
    `text\n\nx${row}\n`,
    `text\n\n${row} x\n`,
    `text\n\n${row}\n${row}x x\n`,
    `x${row}\n`,
    `text\n\n${row}x`,
  ])
    assert.equal(parseNote(bad), null, JSON.stringify(bad));
  assert.equal(parseNote(encodeNote("text\n", [{ ...line, signature: new Uint8Array() }])), null, "a key id alone");
});

test("a verification key has a name that a note line can carry", () => {
  const key = Uint8Array.from(Buffer.from(SERVICE.publicKeyHex, "hex"));
  assert.equal(parseVerificationKey(kernel, vkeyOf("l.example", ED25519_LINE, key)).ok, true);
  for (const name of ["l example", "l.example\n", "l\u2003example"])
    assert.deepEqual(parseVerificationKey(kernel, vkeyOf(name, ED25519_LINE, key)), { ok: false, code: "malformed" });
  assert.equal(parseVerificationKey(kernel, `x+${vkeyOf("l.example", ED25519_LINE, key)}`).ok, false, "two names");
  assert.deepEqual(parseVerificationKey(kernel, vkeyOf("l.example", 2, key.subarray(0, 1))), {
    ok: false,
    code: "unsupported_object",
  });
  assert.deepEqual(parseVerificationKey(kernel, vkeyOf("l.example", 2, new Uint8Array())), {
    ok: false,
    code: "malformed",
  });
  for (const bytes of [new Uint8Array(), key.subarray(0, 1)])
    assert.deepEqual(parseVerificationKey(kernel, vkeyOf("l.example", ED25519_LINE, bytes)), {
      ok: false,
      code: "malformed",
    });
});

function read(policy: Json) {
  const parsed = parseTrustPolicy(kernel, policy);
  assert.ok(parsed.ok);
  return parsed.policy;
}

test("a log line pins a stream only where its whole name ends in a stream id", () => {
  const stream = id("str", 1);
  const pinned = (name: string) =>
    read({ signers: [], quorum: `log ${logVkey(name, SERVICE)}\nquorum none\n` }).signers.map(({ origin, streams }) => [
      origin,
      streams,
    ]);
  assert.deepEqual(pinned(`${ORIGIN}/${stream}`), [[ORIGIN, [stream]]]);
  for (const name of [`${ORIGIN}/${stream}/x`, `${ORIGIN}/${stream}0`, `${ORIGIN}/x${stream}`, ORIGIN])
    assert.deepEqual(pinned(name), [[name, undefined]]);
});

test("what a text pins and the policy pins already is there once, whatever the order of its members", () => {
  const name = `${ORIGIN}/witness`;
  const quorum = `log ${logVkey(ORIGIN, SERVICE)}\nwitness w ${witnessVkey(name, WITNESS)}\nquorum w\n`;
  const [signer] = read({ signers: [], quorum }).signers as unknown as [
    { kid: string; public_key_hex: string; origin: string },
  ];
  const { kid, public_key_hex, origin } = signer;
  const policy = read({
    signers: [{ origin, public_key_hex, kid }],
    witnesses: [{ public_key_hex: WITNESS.publicKeyHex, name }],
    quorum,
  });
  assert.deepEqual([policy.signers.length, policy.witnesses?.length], [1, 1]);
  const dated = read({ signers: [{ origin, public_key_hex, kid, valid_to: at(0) }], quorum });
  assert.equal(dated.signers.length, 2, "a pin with an end is another one");
});

test("keys of ML-DSA-44 pin nobody", () => {
  const quorum =
    `log ${vkeyOf("l.example", ML_DSA, mlDsaKey("log"))}\nwitness w ` +
    `${vkeyOf("w.example", ML_DSA, mlDsaKey("w"))}\nquorum w\n`;
  const policy = read({ signers: [], quorum });
  assert.deepEqual([policy.signers, policy.witnesses], [[], undefined]);
});

test("a wrong pin beside a good text refuses the policy", () => {
  const quorum = `log ${logVkey(ORIGIN, SERVICE)}\nquorum none\n`;
  const signers = [{ kid: "ed25519-0000000000000000", public_key_hex: SERVICE.publicKeyHex }];
  const parsed = parseTrustPolicy(kernel, { signers, quorum });
  assert.deepEqual(parsed.ok ? [] : parsed.problems.map(({ code, path }) => [code, path]), [
    ["kid_mismatch", "trust:/signers/0/kid"],
  ]);
});
