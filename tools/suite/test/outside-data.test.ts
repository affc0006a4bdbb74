/** A file that names a folder beside the clone for test data is found in every spelling of the languages here. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { outsideDataFaults } from "../../outside-data.ts";

function faultsOf(t: TestContext, files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "svc-outside-data-"));
  t.after(() => rmSync(root, { recursive: true }));
  execFileSync("git", ["init", "--quiet", root]);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return outsideDataFaults(root).sort();
}

const fault = (place: string) =>
  `${place}: names data outside of the clone; vectors are in fixtures/vectors, and yardsticks in bench/yardsticks`;

test("a path beside the clone is found in code, scripts and pages, with its line", (t) => {
  const files = {
    "bench/go/programs.ts": 'const ROOT = "";\nconst PLAIN = join(ROOT, "../shared/bench/plain-verify-go");\n',
    "packages/testkit/src/vectors.ts": 'new URL("../../../../shared/", import.meta.url);\n',
    "sdks/go/files.go": 'folder = filepath.Join(Root(t), "..", "shared", "vectors")\n',
    "sdks/python/tests/conftest.py": 'VECTORS = ROOT.parent / "shared" / "vectors"\n',
    ".ci/bare": 'ln -s "$source/../shared" "$bare/shared"\n',
    "README.md": "They lie in `shared/vectors`.\n",
  };
  assert.deepEqual(
    faultsOf(t, files),
    [
      ".ci/bare:1",
      "README.md:1",
      "bench/go/programs.ts:2",
      "packages/testkit/src/vectors.ts:1",
      "sdks/go/files.go:1",
      "sdks/python/tests/conftest.py:1",
    ].map(fault),
  );
});

test("the variable for another folder of vectors is found", (t) => {
  const files = { "packages/testkit/src/vectors.ts": "const override = process.env.SVC_VECTORS;\n" };
  assert.deepEqual(faultsOf(t, files), [fault("packages/testkit/src/vectors.ts:1")]);
});

test("folders of the clone, other words and ignored files are no fault", (t) => {
  const files = {
    ".gitignore": "dist/\n",
    "dist/one.ts": 'const PLAIN = "../shared/bench";\n',
    "bench/go/programs.ts": 'join(ROOT, "bench/yardsticks/plain-verify-go");\n',
    "packages/sdk/src/one.ts": '// Vectors that are shared: vectors of others.\nimport "../shared-key.ts";\n',
    "packages/sdk/src/two.ts": "const shared = { vectors: 1 };\n",
  };
  assert.deepEqual(faultsOf(t, files), []);
});
