/** The committed reference is up to date, everything in it has a docstring, and its links lead somewhere. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAGE, referencePage } from "../page.ts";

test("the reference of the SDK", () => {
  const { page, undocumented } = referencePage();
  assert.deepEqual(undocumented, [], "these exports have no docstring");
  assert.ok(
    page === readFileSync(PAGE, "utf8"),
    "docs/sdk-reference.md is not the page of these sources: pnpm docs:sdk",
  );
  const anchors = [...page.matchAll(/^### (\w+)$/gm)].map(([, name = ""]) => name.toLowerCase());
  assert.equal(new Set(anchors).size, anchors.length);
  const links = [...page.matchAll(/\]\(#(\w+)\)/g)].map(([, anchor]) => anchor);
  assert.deepEqual(new Set(links), new Set(anchors));
});
