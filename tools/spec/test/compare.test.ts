/** A folder is compared with what it should hold: a file that is missing, changed or too many is named. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { faultsOf, write } from "../compare.ts";

const root = mkdtempSync(join(tmpdir(), "svc-spec-"));
after(() => rmSync(root, { recursive: true }));
const files = new Map([
  ["spec/a.json", "1\n"],
  ["spec/schemas/b.json", "2\n"],
]);

test("every file that is not as it should be is named with the command that writes it, until that is run", () => {
  assert.deepEqual(faultsOf(root, files), [
    "spec/a.json is not what core and the server give: run `npx -y pnpm@12 run spec`.",
    "spec/schemas/b.json is not what core and the server give: run `npx -y pnpm@12 run spec`.",
  ]);
  write(root, files);
  assert.deepEqual(faultsOf(root, files), []);
  assert.equal(readFileSync(join(root, "spec/schemas/b.json"), "utf8"), "2\n");
  writeFileSync(join(root, "spec/a.json"), "1");
  writeFileSync(join(root, "spec/schemas/c.json"), "3\n");
  assert.deepEqual(faultsOf(root, files), [
    "spec/a.json is not what core and the server give: run `npx -y pnpm@12 run spec`.",
    "spec/schemas/c.json is made of nothing: run `npx -y pnpm@12 run spec`.",
  ]);
  write(root, files);
  assert.deepEqual(faultsOf(root, files), []);
});
