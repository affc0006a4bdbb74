/** Signatures that are requested at one time, alone and in groups: each is that of its message, under its key. */
import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import { signListOnThreads, signOnThread } from "../../src/signing/signing-threads.ts";

test("each message gets its own signature, whatever is asked for beside it", async () => {
  const [one, two] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
  for (const count of [1, 7, 8, 9, 100, 1001]) {
    const messages = Array.from({ length: count }, (_, index) => Buffer.from("m".repeat(index % 50) + index));
    const keyOf = (index: number) => (index % 3 === 0 ? two : one);
    const signatures = await Promise.all(
      messages.map((message, index) => signOnThread(keyOf(index).privateKey, message)),
    );
    for (const [index, signature] of signatures.entries()) {
      assert.equal(signature.length, 64);
      assert.ok(verify(null, messages[index] as Buffer, keyOf(index).publicKey, signature), `${index} of ${count}`);
    }
  }
});

test("a group that cannot be signed is refused as a whole, and the next one is signed", async () => {
  const wrong = generateKeyPairSync("x25519").privateKey;
  const right = generateKeyPairSync("ed25519");
  const message = Buffer.from("message");
  const group = (key: typeof wrong, length = 20) =>
    Promise.allSettled(Array.from({ length }, () => signOnThread(key, message)));
  // One message is signed without a separate thread.
  for (const length of [1, 20])
    assert.ok(
      (await group(wrong, length)).every(({ status }) => status === "rejected"),
      String(length),
    );
  for (const outcome of await group(right.privateKey)) {
    assert.ok(outcome.status === "fulfilled");
    assert.ok(verify(null, message, right.publicKey, outcome.value));
  }
});

test("a list is signed in its order, by the calling thread and others; a key that cannot sign refuses all of it", async () => {
  const right = generateKeyPairSync("ed25519");
  for (const count of [0, 1, 7, 8, 9, 16, 33, 1001]) {
    const messages = Array.from({ length: count }, (_, index) => Buffer.from(`${index}`));
    const signatures = await signListOnThreads(right.privateKey, messages);
    assert.equal(signatures.length, count);
    for (const [index, signature] of signatures.entries())
      assert.ok(verify(null, messages[index] as Buffer, right.publicKey, signature), `${index} of ${count}`);
  }
  const wrong = generateKeyPairSync("x25519").privateKey;
  for (const count of [1, 100])
    await assert.rejects(
      signListOnThreads(
        wrong,
        Array.from({ length: count }, () => Buffer.from("message")),
      ),
    );
  const [signature] = await signListOnThreads(right.privateKey, [Buffer.from("message")]);
  assert.ok(verify(null, Buffer.from("message"), right.publicKey, signature as Uint8Array));
});
