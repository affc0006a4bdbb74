/** The sealing key on a thread without its private half. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signaturesPart } from "../../src/keys/remote-signer.ts";
import { remoteSigningKey } from "../../src/signing/remote-signing-key.ts";
import { contextUnderTest } from "../context-under-test.ts";

test("a lent key signs as the key itself does, and no message for a key that seals no more", async (t) => {
  const { context, store } = await contextUnderTest(t);
  const { sign } = context.parts.use(signaturesPart);
  const key = await store.read((reader) => context.signingKey.current(reader));
  const lent = await store.read((reader) => remoteSigningKey(context.kernel, sign).current(reader));
  assert.deepEqual([lent.kid, lent.publicKeyHex, lent.validFrom], [key.kid, key.publicKeyHex, key.validFrom]);
  const messages = [1, 2, 3].map((byte) => Uint8Array.of(byte));
  const own = await key.signAll(messages);
  assert.deepEqual((await lent.signAll(messages)).map(Buffer.from), own.map(Buffer.from));
  assert.deepEqual(Buffer.from(await lent.sign(Uint8Array.of(1))), Buffer.from(own[0] ?? []));
  await assert.rejects(
    sign(Uint8Array.of(1), "ed25519-0000000000000000"),
    /the sealing key is .*, and no longer ed25519-0+/,
  );
});
