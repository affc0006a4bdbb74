/**
 * Verifying from every kind of source gives the same report as the bytes; a source that is too large, is ended, or
 * holds no bytes is refused.
 */
import assert from "node:assert/strict";
import { createReadStream, mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type EvidenceSource, loadKernel, verify, verifyFrom } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-sdk-"));
after(() => rmSync(folder, { recursive: true }));

const CASES = fileURLToPath(new URL("../../../fixtures/cases", import.meta.url));

interface Case {
  readonly kind: string;
  readonly trust: never;
  readonly input?: string;
  readonly input_base64?: string;
}

function good(kind: string): { bytes: Uint8Array; trust: never } {
  const { trust, input, input_base64 } = JSON.parse(readFileSync(join(CASES, kind, "good.json"), "utf8")) as Case;
  const bytes = input === undefined ? Buffer.from(input_base64 ?? "", "base64") : Buffer.from(input);
  assert.ok(bytes.length > 0, kind);
  return { bytes: new Uint8Array(bytes), trust };
}

async function sourcesOf(bytes: Uint8Array): Promise<Readonly<Record<string, () => EvidenceSource>>> {
  const path = join(folder, "evidence");
  writeFileSync(path, bytes);
  const file = await openAsBlob(path);
  return {
    memory: () => bytes,
    "a blob": () => new Blob([bytes.slice()]),
    "a file": () => file,
    "a stream": () => file.stream(),
    "the body of an answer": () => new Response(bytes.slice()).body ?? assert.fail(),
    "a stream of Node's": () => createReadStream(path, { highWaterMark: 1000 }),
    async *pieces() {
      for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
    },
  };
}

for (const kind of ["receipt", "bundle", "truth-package", "disclosure", "envelope", "ivc-epoch"]) {
  test(`${kind}: from every source the same report`, async () => {
    const { bytes, trust } = good(kind);
    const expected = verify(bytes, { trust });
    assert.deepEqual([expected.verdict, expected.kind], ["verified", kind]);
    for (const [name, source] of Object.entries(await sourcesOf(bytes)))
      assert.deepEqual(await verifyFrom(source(), { trust }), expected, name);
    const changed = bytes.slice();
    changed[changed.length >> 1] = 0;
    assert.equal((await verifyFrom(new Blob([changed]), { trust })).verdict, "rejected");
  });
}

test("an anchor in a block: the same report, however its members are spelled", async () => {
  const { bytes, trust } = good("anchor");
  const expected = verify(bytes, { trust });
  assert.deepEqual([expected.verdict, expected.assurance.anchored], ["verified", "unpinned"]);
  assert.deepEqual(await verifyFrom(bytes, { trust }), expected);
  const text = new TextDecoder().decode(bytes);
  const escaped = new TextEncoder().encode(text.replace("block_header_rlp", "block\\u005fheader\\u005frlp"));
  assert.deepEqual(await verifyFrom(escaped, { trust }), expected);
});

test("more than may be read is refused, wherever it comes from", async () => {
  const { bytes, trust } = good("receipt");
  for (const [name, source] of Object.entries(await sourcesOf(bytes))) {
    await assert.rejects(verifyFrom(source(), { trust, maxBytes: bytes.length - 1 }), RangeError, name);
    assert.equal((await verifyFrom(source(), { trust, maxBytes: bytes.length })).verdict, "verified", name);
  }
});

test("a stream without end is left when the limit is reached, or the signal says so", async () => {
  let cancelled: unknown;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: (reason) => {
        cancelled = reason ?? "cancelled";
      },
    });
  await assert.rejects(verifyFrom(endless(), { maxBytes: 10_000 }), RangeError);
  assert.equal(cancelled, "cancelled");
  const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) });
  const stop = new AbortController();
  const reading = verifyFrom(silent, { signal: stop.signal });
  const reason = new Error("enough");
  stop.abort(reason);
  await assert.rejects(reading, (error) => error === reason);
  await assert.rejects(verifyFrom(endless(), { signal: AbortSignal.abort(reason) }), (error) => error === reason);
});

test("what the source fails with is what the caller gets; text is no bytes", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: () => {
      throw new Error("the disk is gone");
    },
  });
  await assert.rejects(verifyFrom(broken), { message: "the disk is gone" });
  await assert.rejects(verifyFrom(new Response("{}").body?.pipeThrough(new TextDecoderStream()) as never), TypeError);
});

test("the kernel is the runtime's, or the caller's", async () => {
  assert.equal((await loadKernel()).name, "wasm");
  const { bytes } = good("receipt");
  assert.equal((await verifyFrom(bytes)).verdict, "untrusted");
  assert.notEqual((await verifyFrom(bytes)).verifier.kernel_sha256, null);
});
