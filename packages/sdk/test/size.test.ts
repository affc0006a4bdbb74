/**
 * The size of the entries for pages and workers before anything else is loaded: everything that is reachable by static
 * imports.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleEntries, ENTRIES } from "../build.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Loaded {
  /** The sum over all files, each compressed by `gzip -9`. */
  readonly gzipBytes: number;
  readonly sources: readonly string[];
  /** The files that are loaded later, if at all. */
  readonly later: readonly string[];
}

/** Resolves to the files that a page loads at once for an entry, built as a page's own build would. */
async function loadedWith(entry: keyof typeof ENTRIES): Promise<Loaded> {
  const outdir = mkdtempSync(join(tmpdir(), "svc-sdk-size-"));
  try {
    const { metafile } = await bundleEntries(outdir, { minify: true, entries: { [entry]: ENTRIES[entry] } });
    const files = new Set([relative(root, join(outdir, `${entry}.js`))]);
    const later = new Set<string>();
    // The loop also visits files that it adds.
    for (const file of files)
      for (const { path, kind } of metafile.outputs[file]?.imports ?? [])
        (kind === "import-statement" ? files : later).add(path);
    const sizes = [...files].map((file) => gzipSync(readFileSync(join(root, file)), { level: 9 }).length);
    const sourcesOf = (paths: Iterable<string>) =>
      [...paths].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
    return { gzipBytes: sizes.reduce((sum, size) => sum + size), sources: sourcesOf(files), later: sourcesOf(later) };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

test("the client weighs at most 12,000 bytes, and brings nothing of core with it", async () => {
  const { gzipBytes, sources, later } = await loadedWith("client");
  console.log(`# the client: ${gzipBytes} bytes after gzip -9`);
  assert.ok(gzipBytes <= 12_000, `${gzipBytes} bytes`);
  assert.deepEqual(
    sources.filter((path) => !path.startsWith("packages/sdk/src/")),
    [],
  );
  assert.ok(later.includes("packages/sdk/src/verifier/verifier.ts"));
});

test("what verifies in a page weighs at most 50,000 bytes, and brings no kernel with it", async () => {
  const { gzipBytes, sources, later } = await loadedWith("verify");
  console.log(`# the verifier: ${gzipBytes} bytes after gzip -9`);
  assert.ok(gzipBytes <= 50_000, `${gzipBytes} bytes`);
  const ofKernels = (path: string) => /\/kernel\/(reference|wasm)\/|\/wasm\/src\/generated|ed25519|sha2\.js/.test(path);
  assert.deepEqual(sources.filter(ofKernels), []);
  assert.ok(sources.includes("packages/core/src/verify/verifier.ts"));
  for (const path of ["sdk/src/verify/kernel.ts", "core/src/objects/anchor/evidence.ts", "core/src/verify/vaults.ts"])
    assert.ok(later.includes(`packages/${path}`), path);
  assert.deepEqual(
    sources.filter((path) => /\/(keccak|rlp|trie)\.ts$/.test(path)),
    [],
    "the proofs of a chain",
  );
});
