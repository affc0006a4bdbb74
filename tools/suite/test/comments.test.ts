/** Faults of comments are found in every form and every file: long lines, and sentences without a subject in front. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { commentFaults } from "../../comments.ts";

function faultsOf(t: TestContext, files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "svc-comments-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return commentFaults(root).sort();
}

/** Returns a line of so many columns that begins with these characters. */
const line = (begin: string, columns: number) => begin.padEnd(columns, "x");

test("a long comment line is found in blocks, behind slashes, in Rust and in tools, with its number", (t) => {
  const files = {
    "packages/core/src/one.ts": `${line("/** ", 121)} */\n`,
    "packages/core/test/two.test.ts": `/**\n${line(" * ", 121)}\n */\n`,
    "packages/wasm/crates/kernel/src/three.rs": `fn a() {}\n\n${line("    /// ", 121)}\n`,
    "tools/four.mjs": `${line("// ", 121)}\r\n`,
  };
  const fault = (place: string, columns: number) => `${place}: a comment line of ${columns} columns; 120 is the most`;
  assert.deepEqual(faultsOf(t, files), [
    fault("packages/core/src/one.ts:1", 124),
    fault("packages/core/test/two.test.ts:2", 121),
    fault("packages/wasm/crates/kernel/src/three.rs:3", 121),
    fault("tools/four.mjs:1", 121),
  ]);
});

test("120 columns are not too long in any characters; code is the formatter's, and a signature has no break", (t) => {
  const files = {
    "packages/core/src/one.ts": `${line("// ", 120)}\n${"// ".padEnd(120, "…")}\n${line("const a = ", 200)}\n`,
    "packages/core/src/signed.ts": `/**\n *   "signature": "${"a1".repeat(64)}"\n */\n`,
    "packages/core/node_modules/two/index.js": `${line("// ", 200)}\n`,
    "packages/cli/dist/three.mjs": `${line("// ", 200)}\n`,
    "bench/yardsticks/given.mjs": `${line("// ", 200)}\n`,
  };
  assert.deepEqual(faultsOf(t, files), []);
});

test("a sentence that begins with no subject is found, at the first line of its comment", (t) => {
  const files = {
    "packages/core/src/one.ts": "/** Of both sides. */\nconst a = 1;\n\n// It ends. What asks\n// waits.\n",
    "packages/wasm/src/two.rs": "    /// Returns a hash.\n    /// What is hashed is text.\n",
    "tools/three.ts":
      '// `What` is a name. Office hours, and what follows, are fine: "of" too.\nconst b = "Of a text.";\n',
  };
  const places = faultsOf(t, files).map((fault) => /^(\S+): the sentence "(\w+)/.exec(fault)?.slice(1));
  assert.deepEqual(places, [
    ["packages/core/src/one.ts:1", "Of"],
    ["packages/core/src/one.ts:4", "What"],
    ["packages/wasm/src/two.rs:1", "What"],
  ]);
});
