/**
 * One module is the way to a network. Only the commands that ask a server load it, and only when they do: read from the
 * import graph of the program, which esbuild makes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const NETWORK = "packages/cli/src/online/exchange.ts";
/** The names by which JavaScript can reach out without an import. */
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

const all = Object.entries(metafile.inputs);

test("five modules lead to the one that connects, and load it when they ask", () => {
  const leading = all.flatMap(([path, { imports }]) =>
    imports.filter((each) => each.path === NETWORK).map(({ kind }) => `${path}: ${kind}`),
  );
  assert.deepEqual(leading.sort(), [
    "packages/cli/src/online/chain-node.ts: dynamic-import",
    "packages/cli/src/online/service-keys.ts: dynamic-import",
    "packages/cli/src/online/verify.ts: dynamic-import",
    "packages/cli/src/watch/command.ts: dynamic-import",
    "packages/cli/src/watch/service.ts: dynamic-import",
  ]);
});

test("the module that connects imports nothing, and no code of a service's client is in the file", () => {
  assert.deepEqual(metafile.inputs[NETWORK]?.imports, []);
  assert.deepEqual(
    all.map(([path]) => path).filter((path) => path.startsWith("packages/sdk/")),
    [],
  );
});

test("nothing else in the built file could reach out", () => {
  const code = outputFiles[0]?.text ?? "";
  // esbuild writes the path of each module above its code.
  const parts = code.split(/^(?=\/\/ (?:packages|node_modules)\/)/m);
  const reaching = parts.filter((part) => REACHES.test(part)).map((part) => part.slice(3, part.indexOf("\n")));
  assert.deepEqual(reaching, [NETWORK]);
});
