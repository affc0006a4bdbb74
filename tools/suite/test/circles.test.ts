/** Circles of folders are found in any direction, and imports of types make none. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { circlesOf } from "../../circles.ts";

function house(t: TestContext, files: Readonly<Record<string, string>>): string[][] {
  const source = mkdtempSync(join(tmpdir(), "svc-circles-"));
  t.after(() => rmSync(source, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, name)), { recursive: true });
    writeFileSync(join(source, name), text);
  }
  return circlesOf(source);
}

test("folders that import each other are a circle, also by way of a third", (t) => {
  const files = {
    "a/one.ts": 'import { b } from "../b/one.ts";\n',
    "b/one.ts": 'export { c } from "../c/deep/one.ts";\n',
    "c/deep/one.ts": 'import {\n  a,\n} from "../../a/two.ts";\n',
    "d/one.ts": 'import { a } from "../a/one.ts";\n',
  };
  assert.deepEqual(house(t, files), [["a", "b", "c"]]);
});

test("two circles are two, and a file beside the folders is a room", (t) => {
  const files = {
    "a/one.ts": 'import { x } from "../top.ts";\n',
    "top.ts": 'import { a } from "./a/one.ts";\nimport { c } from "./c/one.ts";\n',
    "c/one.ts": 'import { d } from "../d/one.ts";\n',
    "d/one.ts": 'import { c } from "../c/one.ts";\n',
  };
  assert.deepEqual(house(t, files).sort(), [
    ["a", "top.ts"],
    ["c", "d"],
  ]);
});

test("imports of types, within a folder, and one way only are no circle", (t) => {
  const files = {
    "a/one.ts": 'import { b } from "../b/one.ts";\nimport { two } from "./two.ts";\n',
    "a/two.ts": 'import { one } from "./one.ts";\n',
    "b/one.ts": 'import type { A } from "../a/one.ts";\nexport type { B } from "../a/two.ts";\n',
  };
  assert.deepEqual(house(t, files), []);
});
