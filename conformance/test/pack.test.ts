/** The kit as one archive: the same bytes each time, its runner, and the cases as they are. */
import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { contentOf, openArchive, selectKernel } from "@svc/core";
import { caseFiles } from "../case-set/case-set.ts";
import { packKit } from "../pack.ts";

const RUNNER = new TextEncoder().encode("console.log('a runner')\n");

test("a kit is the same bytes each time, and holds runner, licence and cases", async () => {
  const bytes = await packKit(RUNNER);
  assert.deepEqual(await packKit(RUNNER), bytes);
  const opened = openArchive(bytes);
  assert.ok(opened.ok);
  const contents = new Map(
    opened.entries.map((entry) => {
      const content = contentOf(selectKernel(), entry);
      assert.ok(content.ok, entry.path);
      return [entry.path, content.bytes];
    }),
  );
  assert.deepEqual(Buffer.from(contents.get("run.mjs") ?? []), Buffer.from(RUNNER));
  const adapters = ["api", "page", "browser", "converse"].map((name) => `adapters/${name}.mjs`);
  for (const path of ["LICENSE", ...adapters, "template.py", "template.go"]) assert.ok(contents.has(path), path);
  for (const [page, least] of Object.entries({ "README.md": 4, "docs/conformance.md": 5, "docs/protocol.md": 1 }))
    assert.ok(linksOf(page, contents).length >= least, page);
  const readme = new TextDecoder().decode(contents.get("README.md"));
  const programs = [...readme.matchAll(/--command "(?:python3|go run) (\S+)"/g)].map(([, path = ""]) => path);
  assert.ok(programs.length > 2);
  for (const path of programs) assert.ok(contents.has(path), path);
  for (const [path, expected] of caseFiles())
    assert.ok(Buffer.from(contents.get(`cases/${path}`) ?? []).equals(expected), path);
  const paths = [...contents.keys()];
  assert.equal(paths.filter((path) => path.startsWith("cases/")).length, caseFiles().size);
  assert.ok(
    paths.every((path) =>
      /^(?:run\.mjs|LICENSE|README\.md|template\.(?:py|go)|(?:cases|adapters|docs)\/.+)$/.test(path),
    ),
  );
});

test("another runner is another archive", async () => {
  const other = await packKit(new TextEncoder().encode("console.log('another')\n"));
  assert.notDeepEqual(other, await packKit(RUNNER));
});

/** Returns the links of a page to other files; fails if the kit lacks one of these. */
function linksOf(page: string, contents: ReadonlyMap<string, Uint8Array>): readonly string[] {
  const text = new TextDecoder().decode(contents.get(page) ?? assert.fail(page));
  const links = [...text.matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(([, link = ""]) => link);
  for (const link of links) assert.ok(contents.has(posix.join(posix.dirname(page), link)), `${page}: ${link}`);
  return links;
}
