/** What core weighs on a page, and that it runs where nothing may be compiled from text. A build gives the same bytes each time. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { buildForBrowsers } from "./browser-build.ts";

/** The bytes that `gzip -9` may leave of everything that core exports, the kernel's own bytes apart. */
const MAX_GZIP_BYTES = 73_000;

const whole = await buildForBrowsers('export * from "./index.ts"');

test(`core weighs at most ${MAX_GZIP_BYTES} bytes on a page`, () => {
  const rooms = new Map<string, number>();
  for (const [path, bytes] of whole.sources) rooms.set(roomOf(path), (rooms.get(roomOf(path)) ?? 0) + bytes);
  const heaviest = [...rooms].sort(([, a], [, b]) => b - a).map(([room, bytes]) => `${room} ${bytes}`);
  console.log(`# ${whole.code.length} bytes, ${whole.gzipBytes} after gzip -9; before it: ${heaviest.join(", ")}`);
  assert.ok(whole.gzipBytes <= MAX_GZIP_BYTES, `${whole.gzipBytes} bytes`);
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
