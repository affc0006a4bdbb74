/**
 * The weight of core on a page. It also runs where compiling from text is forbidden. A build gives the same bytes each
 * time.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { buildForBrowsers } from "./browser-build.ts";

const whole = await buildForBrowsers('export * from "./index.ts"');

/** The most bytes after `gzip -9` of the code that a page can load, without the compiled kernel's own bytes. */
const BUILDS = [
  { what: "the verifier, without a kernel", entry: 'export * from "./verify/verifier.ts"', maxGzipBytes: 46_800 },
  {
    what: "what examines truth packages, with the verifier",
    entry: 'export * from "./verify/verifier.ts"; export * from "./verify/truth-package/examine.ts"',
    maxGzipBytes: 55_600,
  },
  { what: "the way to the compiled kernel", entry: 'export * from "./kernel/wasm/index.ts"', maxGzipBytes: 13_400 },
  { what: "the reference kernel", entry: 'export * from "./kernel/reference/index.ts"', maxGzipBytes: 14_600 },
  { what: "everything that core exports", entry: 'export * from "./index.ts"', maxGzipBytes: 119_500 },
];

for (const { what, entry, maxGzipBytes } of BUILDS) {
  test(`${what} weighs at most ${maxGzipBytes} bytes on a page`, async () => {
    const { code, gzipBytes, sources } = await buildForBrowsers(entry);
    const rooms = new Map<string, number>();
    for (const [path, bytes] of sources) rooms.set(roomOf(path), (rooms.get(roomOf(path)) ?? 0) + bytes);
    const heaviest = [...rooms].sort(([, a], [, b]) => b - a).map(([room, bytes]) => `${room} ${bytes}`);
    console.log(`# ${what}: ${code.length} bytes, ${gzipBytes} after gzip -9; before it: ${heaviest.join(", ")}`);
    assert.ok(gzipBytes <= maxGzipBytes, `${gzipBytes} bytes`);
  });
}

test("the verifier holds nothing of a kernel's work", async () => {
  const { sources } = await buildForBrowsers('export * from "./verify/verifier.ts"');
  const ofKernels = sources
    .map(([path]) => path)
    .filter((path) => /\/kernel\/(reference|wasm)\/|ed25519|sha2\.js/.test(path));
  assert.deepEqual(ofKernels, []);
});

test("it needs no module of Node, no schema compiler and no builder of schemas", () => {
  assert.deepEqual(whole.imports, []);
  const foreign = whole.sources.map(([path]) => path).filter((path) => /\/(ajv|typebox)\//.test(path));
  assert.deepEqual(foreign, []);
});

test("what a page does not use is left out", async () => {
  const { sources } = await buildForBrowsers('export { parseNote } from "./index.ts"');
  assert.ok(sources.some(([path]) => path === "packages/core/src/note/signed-note.ts"));
  assert.deepEqual(
    sources.filter(([path]) => /\/(objects|report|reference)\//.test(path)),
    [],
  );
});

test("it verifies where no code may be made from text", async () => {
  const { kind, trust, input } = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/bundle/good.json", import.meta.url), "utf8"),
  );
  const { code } = await buildForBrowsers(
    `import { verify } from "./index.ts";
     const { kind, trust, input } = ${JSON.stringify({ kind, trust, input })};
     console.log(verify(new TextEncoder().encode(input), { kind, trust }).verdict);`,
    "with the kernel",
  );
  assert.equal(runWithoutEval(code).stdout, "verified\n");
  assert.match(
    runWithoutEval(`${code}; new Function("")`).stderr,
    /EvalError: Code generation from strings disallowed/,
  );
  // A message names 'wasm-unsafe-eval'.
  assert.equal(/(?<!-)\beval\b|\bFunction\(/.exec(whole.code), null);
});

function runWithoutEval(code: string): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ["--disallow-code-generation-from-strings", "--input-type=module", "-"], {
    input: code,
    encoding: "utf8",
  });
}

function roomOf(path: string): string {
  const [, dependency] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path) ?? [];
  return (
    dependency ??
    path.replace(/^packages\/(\w+)\/src\/(?:(\w+)\/)?.*/, (_, name, room) => [name, room].filter(Boolean).join("/"))
  );
}
