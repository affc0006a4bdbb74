/**
 * The way to a network is one module, and no command that verifies imports it: read from the import graph of the program as esbuild
 * sees it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";

const NETWORK = "packages/cli/src/trust/service-keys.ts";
/** What can reach out in JavaScript without an import. */
const REACHES = /\bfetch\s*[(.,]|WebSocket|EventSource|XMLHttpRequest/;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["packages/cli/src/main.ts"],
  outfile: "svc.mjs",
  bundle: true,
  write: false,
  metafile: true,
  platform: "node",
  format: "esm",
});

/** Every module that imports one of these, directly or by others. */
function importersOf({ inputs }: Metafile, modules: readonly string[]): string[] {
  const found = new Set(modules);
  const all = Object.entries(inputs);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [path, { imports }] of all) if (imports.some((each) => found.has(each.path))) found.add(path);
  }
  return [...found].filter((path) => !modules.includes(path)).sort();
}

test("only pin-from, and what gathers the commands, leads to the module that connects", () => {
  assert.deepEqual(importersOf(metafile, [NETWORK]), [
    "packages/cli/src/commands/trust-pin-from.ts",
    "packages/cli/src/commands/trust.ts",
    "packages/cli/src/main.ts",
    "packages/cli/src/program.ts",
  ]);
});

test("the walk sees what verifies", () => {
  const importers = importersOf(metafile, ["packages/cli/src/trust.ts"]);
  assert.ok(importers.includes("packages/cli/src/commands/verify-file.ts"));
});

test("only that module leads to the client of a service", () => {
  const client = Object.keys(metafile.inputs).filter((path) => path.startsWith("packages/sdk/"));
  assert.ok(client.includes("packages/sdk/src/transport.ts"));
  const direct = Object.entries(metafile.inputs).filter(
    ([path, { imports }]) => !client.includes(path) && imports.some((each) => client.includes(each.path)),
  );
  assert.deepEqual(
    direct.map(([path]) => path),
    [NETWORK],
  );
});

test("nothing else in the built file could reach out", () => {
  const code = outputFiles[0]?.text ?? "";
  // esbuild writes the path of each module above its code.
  const parts = code.split(/^(?=\/\/ (?:packages|node_modules)\/)/m);
  const reaching = parts.filter((part) => REACHES.test(part)).map((part) => part.slice(3, part.indexOf("\n")));
  // The second is loaded by the commands that ask a server, when they do: offline.test.ts.
  assert.deepEqual(reaching.sort(), ["packages/cli/src/online/exchange.ts", NETWORK]);
});
