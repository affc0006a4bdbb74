/** Which tests a change can break follows from the folders of both. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  bareMachine,
  DEPENDENTS,
  distanceOf,
  folderOf,
  ITSELF,
  roomOf,
  SAME_FOLDER,
  SAME_ROOM,
  WHOLE_ROOM,
} from "../affected.ts";
import { testFiles } from "../plan.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const distance = (file: string, ...changes: string[]) => distanceOf({ file, form: "plain" }, changes);

test("the rooms of the table are there, and so are those that it names", () => {
  for (const room of [...Object.keys(DEPENDENTS), ...Object.values(DEPENDENTS).flat()]) {
    assert.ok(existsSync(join(ROOT, room)), room);
    assert.ok(Object.hasOwn(DEPENDENTS, room), room);
  }
});

test("each package and each folder of tests is in a room, but for testkit, which every test uses", () => {
  for (const name of readdirSync(join(ROOT, "packages")))
    assert.equal(roomOf(`packages/${name}/src/a.ts`), name === "testkit" ? null : `packages/${name}`);
  for (const file of testFiles(ROOT))
    if (!file.startsWith("packages/testkit/")) assert.notEqual(roomOf(file), null, file);
});

test("a changed file affects itself, its folder, its package, and the packages that depend on it, in this order", () => {
  const source = "packages/host/src/jobs/claims.ts";
  assert.equal(distance(source.replace("src", "test"), source.replace("src", "test")), ITSELF);
  assert.equal(distance("packages/host/test/jobs/leases.test.ts", source), SAME_FOLDER);
  assert.equal(distance("packages/host/test/settings.test.ts", source), WHOLE_ROOM);
  assert.equal(distance("packages/host/test/store/rows.test.ts", source), SAME_ROOM);
  const ofServer = distance("packages/server/test/crash.test.ts", source) ?? 0;
  assert.ok(ofServer > SAME_ROOM);
  assert.ok((distance("sdks/pytest-svc/test/pytest-svc.slow.test.ts", source) ?? 0) > ofServer);
  assert.equal(distance("packages/core/test/json.test.ts", source), null);
  assert.equal(distance("packages/report/test/page.slow.test.ts", source), null);
});

test("the directest of several changes counts", () => {
  const changes = ["packages/core/src/bytes.ts", "packages/server/src/streams/append.ts"];
  assert.equal(distance("packages/server/test/streams/append.test.ts", ...changes), SAME_FOLDER);
});

test("a path in no room affects everything, and so do unknown changes", () => {
  for (const path of [
    "package.json",
    "pnpm-lock.yaml",
    "tsconfig.json",
    "packages/testkit/src/built.ts",
    "new/thing.ts",
  ])
    assert.equal(distance("sdks/go/test/go.slow.test.ts", path), SAME_ROOM, path);
  assert.equal(distanceOf({ file: "sdks/go/test/go.slow.test.ts", form: "plain" }, null), SAME_ROOM);
});

test("nothing is affected by nothing, nor by the costs", () => {
  assert.equal(distance("packages/server/test/crash.test.ts"), null);
  assert.equal(distance("packages/server/test/crash.test.ts", "tools/suite/costs.json"), null);
});

test("pages at the root are documentation", () => {
  for (const path of ["README.md", "CHANGELOG.md", "LICENSE"]) assert.equal(roomOf(path), "docs");
});

test("a page affects first the tests that name it", () => {
  const pages = "packages/sdk/test/pages.slow.test.ts";
  assert.equal(distance(pages, "docs/sdk-guide.md"), SAME_FOLDER);
  assert.equal(distance(pages, "packages/sdk/README.md"), SAME_FOLDER);
  assert.ok((distance(pages, "README.md") ?? 0) > SAME_ROOM, "the README of a folder is not that of the root");
  assert.ok((distance("packages/core/test/fixtures.test.ts", "docs/sdk-guide.md") ?? 0) > SAME_ROOM);
});

test("folders are those of sources and of tests alike", () => {
  assert.equal(folderOf("packages/server/src/streams/append.ts"), "streams");
  assert.equal(folderOf("packages/server/test/streams/deep/append.test.ts"), "streams");
  assert.equal(folderOf("packages/server/src/main.ts"), null);
  assert.equal(folderOf("docs/api/errors.md"), null);
});

test("the bare machine is tried for manifests, the lockfile, tools, deploy and CI, and for unknown changes", () => {
  const all = [
    "package.json",
    "packages/sdk/package.json",
    "pnpm-lock.yaml",
    "tools/run.mjs",
    "deploy/Dockerfile",
    ".ci/run",
  ];
  for (const path of all)
    assert.deepEqual(bareMachine(["docs/api/errors.md", path]), {
      isTried: true,
      why: `${path} has changed: the bare machine is tried.`,
    });
  const others = ["packages/sdk/src/index.ts", "tools/suite/costs.json", "docs/tools/package.md"];
  assert.equal(bareMachine(others).isTried, false);
  assert.equal(bareMachine([]).isTried, false);
  assert.equal(bareMachine(null).isTried, true);
});
