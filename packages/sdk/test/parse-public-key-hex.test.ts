/** A key from settings is accepted or refused with a reason, before anything is pinned. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadKernel, parsePublicKeyHex, pinKeys } from "../src/entries/verify.ts";

const KEY = "0123456789abcdef".repeat(4);

test("a public key is 64 lowercase hex characters, and nothing around them", async () => {
  assert.equal(parsePublicKeyHex(KEY), KEY);
  assert.equal(pinKeys(await loadKernel(), [parsePublicKeyHex(KEY)]).signers[0]?.public_key_hex, KEY);
  for (const none of [undefined, ""])
    assert.throws(() => parsePublicKeyHex(none), { name: "TypeError", message: /is missing/ });
  for (const other of [KEY.toUpperCase(), KEY.slice(1), `${KEY}0`, `${KEY}\n`, ` ${KEY}`, `g${KEY.slice(1)}`])
    assert.throws(() => parsePublicKeyHex(other), {
      name: "TypeError",
      message: /64 lowercase hex characters.*init prints it/,
    });
});
