/**
 * An import of another package's tests is found in every form, and so is an import of testkit in a package's source.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { testImportFaults } from "../../test-imports.ts";

function faultsOf(t: TestContext, files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "svc-test-imports-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return testImportFaults(root).sort();
}

const foreign = (file: string, owner: string) =>
  `${file}: imports from the tests of ${owner}; what tests share is in packages/testkit`;

test("tests, tools, benches and fixtures import no other package's tests", (t) => {
  const files = {
    "packages/core/test/service.ts": "",
    "packages/core/test/deep/service.ts": "",
    "tools/suite/test/two.ts": "",
    "packages/cli/test/deep/one.test.ts": 'import {\n  a,\n} from "../../../core/test/service.ts";\n',
    "packages/cli/test/types.test.ts": 'import type { A } from "../../core/test/service.ts";\n',
    "packages/cli/test/again.ts": 'export { a } from "../../core/test/deep/service.ts";\n',
    "packages/cli/test/thread.ts": 'new Worker(new URL("../../core/test/service.ts", import.meta.url));\n',
    "bench/main.ts": 'await import("../packages/core/test/service.ts");\n',
    "fixtures/cases.mjs": 'import "../packages/core/test/service.ts";\n',
    "tools/chaos/test/one.test.ts": 'import { a } from "../../suite/test/two.ts";\n',
  };
  assert.deepEqual(faultsOf(t, files), [
    foreign("bench/main.ts", "packages/core"),
    foreign("fixtures/cases.mjs", "packages/core"),
    foreign("packages/cli/test/again.ts", "packages/core"),
    foreign("packages/cli/test/deep/one.test.ts", "packages/core"),
    foreign("packages/cli/test/thread.ts", "packages/core"),
    foreign("packages/cli/test/types.test.ts", "packages/core"),
    foreign("tools/chaos/test/one.test.ts", "tools/suite"),
  ]);
});

test("a package imports its own tests' files, its sources, and what all share", (t) => {
  const files = {
    "packages/cli/test/deep/one.test.ts": 'import { a } from "../row.ts";\nimport { b } from "@svc/testkit/until";\n',
    "packages/cli/test/row.ts": 'import { a } from "../src/main.ts";\nimport { b } from "../../core/src/seal.ts";\n',
    "packages/testkit/src/built.ts": 'import { until } from "./until.ts";\nimport { b } from "@svc/testkit/until";\n',
    "bench/main.ts": 'import { until } from "@svc/testkit/until";\n',
    "packages/core/src/generated/node_modules/x/index.js": 'import "../../../../cli/test/row.ts";\n',
  };
  assert.deepEqual(faultsOf(t, files), []);
});

test("no package's source imports testkit", (t) => {
  const files = {
    "packages/core/src/one.ts": 'import { until } from "@svc/testkit/until";\n',
    "packages/core/src/two.ts": 'const { until } = await import("@svc/testkit/until");\n',
    "packages/core/src/three.ts": 'import { until } from "../../testkit/src/until.ts";\n',
  };
  const fault = (name: string) => `packages/core/src/${name}: imports testkit, which ships nowhere`;
  assert.deepEqual(faultsOf(t, files), [fault("one.ts"), fault("three.ts"), fault("two.ts")]);
});
