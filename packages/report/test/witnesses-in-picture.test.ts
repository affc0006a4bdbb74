/** The witnesses in the picture of a chain: one whose statement fails has cosigned nothing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { referenceKernel, type TrustPolicy, verify } from "@svc/core";
import { chainsOf, contentsOf, htmlOf, sectionsOf } from "../src/index.ts";

const kernel = referenceKernel;

/** `changed`: how the statements of its witness are changed. */
function drawnOf(name: string, changed: (signature: string, index: number) => string) {
  const text = readFileSync(new URL(`../../../fixtures/cases/${name}.json`, import.meta.url), "utf8");
  const { input, trust } = JSON.parse(text) as { readonly input: string; readonly trust?: TrustPolicy };
  const bundle = JSON.parse(input);
  for (const [index, statement] of bundle.artifacts["witnesses.json"].statements.entries())
    statement.signature = changed(statement.signature, index);
  const bytes = kernel.canonicalize(bundle);
  const report = verify(bytes, { kernel, ...(trust === undefined ? {} : { trust }) });
  const contents = contentsOf(kernel, report, bytes) ?? assert.fail("contents");
  const shown = {
    ...{ report, bytes, contents, trust, linkKids: [] },
    file: { name: "file.json", bytes: bytes.length, sha256Hex: "0".repeat(64) },
    checked: { at: "2026-03-01T00:00:00.000Z", seconds: 1 },
  };
  return {
    witnesses: chainsOf(report, contents, trust).flatMap(({ witnesses }) => witnesses),
    page: sectionsOf(shown).above.map(htmlOf).join(""),
  };
}

const broken = "1".repeat(128);

test("a witness has cosigned, also if another statement of it fails", () => {
  for (const failing of [-1, 0]) {
    const { witnesses, page } = drawnOf("bundle/good", (signature, index) => (index === failing ? broken : signature));
    assert.deepEqual(
      witnesses.map(({ isBroken }) => isBroken),
      [false],
    );
    assert.match(page, /Cosigned by /);
  }
});

test("nobody has cosigned by statements whose signatures fail", () => {
  const { witnesses, page } = drawnOf("bundle/good", () => broken);
  assert.deepEqual(
    witnesses.map(({ isBroken }) => isBroken),
    [true],
  );
  assert.doesNotMatch(page, /Cosigned by |1 witness\b/);
  assert.match(page, /No statement of a witness holds\./);
});
