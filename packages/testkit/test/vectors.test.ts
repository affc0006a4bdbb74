/** Vectors that are missing, and files without cases, are failures that name the file. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { listVectors, readVector, readVectorJson, vectorCases, vectorLines } from "@svc/testkit/vectors";

const VECTORS = fileURLToPath(new URL("../../../fixtures/vectors", import.meta.url));
const missing = { message: "test vectors are missing: fixtures/vectors/proofstream/absent.jsonl" };

test("a missing file or folder is named", () => {
  for (const read of [readVector, readVectorJson, vectorLines, vectorCases])
    assert.throws(() => read("proofstream/absent.jsonl"), missing);
  assert.throws(() => listVectors("proofstream/absent.jsonl", ".json"), missing);
});

test("a file without cases, and a folder without files, are failures", () => {
  const folder = temporaryFolder();
  const path = relative(VECTORS, folder).replaceAll("\\", "/");
  assert.throws(() => listVectors(path, ".jsonl"), /no \.jsonl files/);
  for (const text of ["", "\n"]) {
    writeFileSync(join(folder, "empty.jsonl"), text);
    assert.throws(() => vectorCases(`${path}/empty.jsonl`), /no cases/);
  }
});

test("the tests over a missing file are one that fails and names it, and the others of the file run", () => {
  const { SVC_TEST_MODULES: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const program = `
    import { test } from "node:test";
    import { vectorTests } from "@svc/testkit/vectors";
    vectorTests("proofstream/absent.jsonl", "agrees", () => undefined);
    test("another", () => undefined);`;
  const words = ["--test-reporter=tap", "--input-type=module", "--eval", program];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: import.meta.dirname, encoding: "utf8", env });
  assert.equal(status, 1);
  assert.match(stdout, /^not ok 1 - proofstream\/absent agrees$/m);
  assert.ok(stdout.includes(missing.message));
  assert.match(stdout, /^ok 2 - another$/m);
});
