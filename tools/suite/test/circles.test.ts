/** Circles of folders are found in any direction and at any depth; imports of types are counted apart. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Circle, circlesOf } from "../../circles.ts";

function house(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  imports: Parameters<typeof circlesOf>[1] = "values",
): Circle[] {
  const source = mkdtempSync(join(tmpdir(), "svc-circles-"));
  t.after(() => rmSync(source, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, name)), { recursive: true });
    writeFileSync(join(source, name), text);
  }
  return circlesOf(source, imports);
}

test("folders that import each other are a circle, also by way of a third", (t) => {
  const files = {
    "a/one.ts": 'import { b } from "../b/one.ts";\n',
    "b/one.ts": 'export { c } from "../c/deep/one.ts";\n',
    "c/deep/one.ts": 'import {\n  a,\n} from "../../a/two.ts";\n',
    "d/one.ts": 'import { a } from "../a/one.ts";\n',
  };
  assert.deepEqual(house(t, files), [{ folder: "", rooms: ["a", "b", "c"] }]);
});

test("two circles are two, and a file beside the folders is a room", (t) => {
  const files = {
    "a/one.ts": 'import { x } from "../top.ts";\n',
    "top.ts": 'import { a } from "./a/one.ts";\nimport { c } from "./c/one.ts";\n',
    "c/one.ts": 'import { d } from "../d/one.ts";\n',
    "d/one.ts": 'import { c } from "../c/one.ts";\n',
  };
  assert.deepEqual(
    house(t, files).toSorted((one, other) => (one.rooms < other.rooms ? -1 : 1)),
    [
      { folder: "", rooms: ["a", "top.ts"] },
      { folder: "", rooms: ["c", "d"] },
    ],
  );
});

test("a circle deep in a folder is found, of files and of folders", (t) => {
  const files = {
    "a/one.ts": 'import { two } from "./two.ts";\n',
    "a/two.ts": 'import { one } from "./one.ts";\n',
    "b/c/d/one.ts": 'import { e } from "../../e/one.ts";\n',
    "b/e/one.ts": 'import { d } from "../c/other.ts";\n',
  };
  assert.deepEqual(house(t, files), [
    { folder: "a", rooms: ["one.ts", "two.ts"] },
    { folder: "b", rooms: ["c", "e"] },
  ]);
});

test("imports of types are a circle only where they count; not so imports one way and out of the sources", (t) => {
  const files = {
    "a/one.ts": 'import { b } from "../b/one.ts";\nimport { two } from "./two.ts";\nimport { x } from "../../x.ts";\n',
    "a/two.ts": 'import { x } from "../../x.ts";\n',
    "b/one.ts": 'import type { A } from "../a/one.ts";\nexport type { B } from "../a/two.ts";\n',
  };
  assert.deepEqual(house(t, files), []);
  assert.deepEqual(house(t, files, "types too"), [{ folder: "", rooms: ["a", "b"] }]);
});
