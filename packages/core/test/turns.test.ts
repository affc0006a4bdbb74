/** Verification with pauses: the same whole report, pauses between the parts, and an end where the pause wants one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, pinKeys, referenceKernel, selectKernel, type Turns, verify, verifyInTurns } from "../src/index.ts";
import { bundleOf, issueStream, SERVICE } from "./service.ts";

const kernel = selectKernel("wasm");
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
const bundle = await bundleOf(await issueStream(400, { perWindow: 100, perCheckpoint: 2 }));
const good = kernel.canonicalize(bundle as unknown as Json);
const bad = new TextEncoder().encode(new TextDecoder().decode(good).replace('"amount":12501', '"amount":12502'));

/** Turns that note how far they are. */
function noting(partBytes?: number): { readonly turns: Turns; readonly seen: (readonly [number, number])[] } {
  const seen: (readonly [number, number])[] = [];
  const pause = async (done: number, parts: number) => void seen.push([done, parts]);
  return { turns: { pause, ...(partBytes === undefined ? {} : { partBytes }) }, seen };
}

test("the report is that of verify, whatever the size of the parts", async () => {
  for (const each of [kernel, referenceKernel]) {
    for (const bytes of [good, bad]) {
      const wanted = verify(bytes, { trust, kernel: each });
      for (const partBytes of [undefined, 1, 20_000])
        assert.deepEqual(await verifyInTurns(bytes, { trust, kernel: each }, noting(partBytes).turns), wanted);
    }
  }
  assert.equal(verify(good, { trust, kernel }).verdict, "verified");
  assert.equal(verify(bad, { trust, kernel }).problems[0]?.code, "payload_hash_mismatch");
});

test("there is a pause after each part, which knows how many there are", async () => {
  const { turns, seen } = noting(20_000);
  await verifyInTurns(good, { trust, kernel }, turns);
  const parts = seen[0]?.[1] ?? 0;
  assert.ok(parts > 10, `${parts}`);
  assert.deepEqual(
    seen,
    Array.from({ length: parts }, (_, at) => [at + 1, parts]),
  );
});

test("a pause that rejects ends the work", async () => {
  const stopped = new Error("stopped");
  const pause = async (done: number) => {
    if (done === 2) throw stopped;
    assert.ok(done < 2);
  };
  await assert.rejects(
    verifyInTurns(good, { trust, kernel }, { pause, partBytes: 20_000 }),
    (error) => error === stopped,
  );
});
