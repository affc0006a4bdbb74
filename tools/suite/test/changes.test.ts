/** Changes come from git, whatever the names, and are unknown where git does not know them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { changesSince, commitTime, headOf } from "../changes.ts";

const AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example.org"];

/** Makes a repository in a folder with a blank in its name. */
function repository() {
  const root = join(temporaryFolder(), "a clone");
  mkdirSync(root);
  const git = (...words: string[]) => execFileSync("git", [...AUTHOR, ...words], { cwd: root, encoding: "utf8" });
  const put = (name: string) => writeFileSync(join(root, name), `${name}\n`.repeat(20));
  const commit = (time = "2026-01-02T03:04:05Z") => {
    git("add", "--all");
    execFileSync("git", [...AUTHOR, "commit", "--quiet", "--message", "a change"], {
      cwd: root,
      env: { ...process.env, GIT_COMMITTER_DATE: time },
    });
    return git("rev-parse", "HEAD").trim();
  };
  git("init", "--quiet");
  return { root, git, put, commit };
}

test("finds changed, new, deleted and renamed files, committed or not", () => {
  const { root, git, put, commit } = repository();
  for (const name of ["same", "changed", "deleted", "old name"]) put(name);
  writeFileSync(join(root, ".gitignore"), "ignored\n");
  const first = commit();
  assert.deepEqual(changesSince(first, root), []);
  renameSync(join(root, "old name"), join(root, "new näme"));
  put("committed");
  commit();
  writeFileSync(join(root, "changed"), "");
  git("rm", "--quiet", "deleted");
  put("untracked");
  put("ignored");
  const expected = ["changed", "committed", "deleted", "new näme", "old name", "untracked"];
  assert.deepEqual(changesSince(first, root), expected);
});

test("in a clone without the history the changes are unknown", () => {
  const { root, put, commit } = repository();
  put("one");
  const first = commit();
  put("two");
  const second = commit();
  const shallow = join(temporaryFolder(), "shallow");
  execFileSync("git", ["clone", "--quiet", "--depth=1", `${pathToFileURL(root)}`, shallow]);
  assert.equal(headOf(shallow), second);
  assert.equal(changesSince(first, shallow), null);
  assert.deepEqual(changesSince(second, shallow), []);
});

test("without a commit, and outside of a repository, the changes are unknown", () => {
  const { root } = repository();
  assert.equal(changesSince(null, root), null);
  const none = temporaryFolder();
  assert.equal(changesSince("0".repeat(40), none), null);
  assert.equal(headOf(none), null);
  assert.equal(commitTime(none), 0);
});

test("the time of a commit is in milliseconds", () => {
  const { root, put, commit } = repository();
  put("one");
  commit("2026-01-02T03:04:05Z");
  assert.equal(commitTime(root), Date.UTC(2026, 0, 2, 3, 4, 5));
});
