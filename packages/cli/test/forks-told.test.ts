/** Forks and strangers' files as `svc` tells them, with the files of fixtures/cases. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { issueStream } from "@svc/testkit/evidence/service";
import { changed, PIN, put, svc } from "./svc.ts";

const inputOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/cases/${name}.json`, import.meta.url), "utf8")).input;
const flat = (text: string) => text.replace(/\s+/g, " ");

const fork = inputOf("fork/good-checkpoint-two-sizes");
const { left, right } = JSON.parse(fork);
put("two-sizes.fork.json", fork);
put("left.json", left);
put("right.json", right);
put("by-stranger.json", inputOf("bundle/sealed-by-stranger"));
const [told, retold] = [await issueStream(12), await issueStream(12, { forkedAt: 6 })];
for (const [name, record, digit] of [
  ["forged-a", told.records[7], "1"],
  ["forged-b", retold.records[7], "2"],
] as const)
  put(
    `${name}.json`,
    changed(record, (copy) => {
      copy.receipt.signature = digit.repeat(128);
    }),
  );

test("evidence of a fork that holds is bad news, alone too", async () => {
  const { stdout, code } = await svc(["verify", "two-sizes.fork.json", ...PIN]);
  assert.equal(code, 1);
  assert.match(stdout, /^FORK {7}frk_/);
  assert.match(
    flat(stdout),
    /evidence of a fork in str_01k30000000000000000000001, within the first 4 windows, and it/,
  );
  const asked = await svc(["forks", "verify", "two-sizes.fork.json", ...PIN]);
  assert.deepEqual([asked.code, /^VERIFIED/.test(asked.stdout)], [0, true]);
  assert.equal((await svc(["verify", "two-sizes.fork.json"])).code, 2);
  assert.match(flat((await svc(["verify", "--help"])).stdout), /A fork under your trust ends with 1 too/);
});

test("nobody is said to have sealed what carries signatures that were not checked", async () => {
  const { stdout, code } = await svc(["verify", "forged-a.json", "forged-b.json"]);
  assert.equal(code, 2);
  const text = flat(stdout);
  assert.match(
    text,
    /▲ forged-a\.json and forged-b\.json show two histories .* Not every signature of forged-a\.json and forged-b\.json was/,
  );
  assert.doesNotMatch(text, /sealed both|Make proof/);
});

test("files that contradict each other without proof are found", async () => {
  for (const out of ["none.json", "-"]) {
    const { stdout, stderr, code } = await svc(["forks", "find", "left.json", "right.json", "--out", out, ...PIN]);
    assert.equal(code, 1);
    const text = flat(out === "-" ? stderr : stdout);
    assert.match(
      text,
      /^Found: left\.json and right\.json show two histories of str_.* keep both\. \(fork_detected\) No proof /,
    );
    if (out === "-") assert.equal(stdout, "");
  }
});

test("an untrusted file is not among those that a pinned key sealed", async () => {
  put("good.json", told.records[0]);
  const { stdout } = await svc(["verify", "good.json", "by-stranger.json", ...PIN]);
  assert.match(stdout, /^Sealed by ed25519-\w+, which you pinned: good\.json\.$/m);
  assert.match(
    flat(stdout),
    /In the name of ed25519-97a229879b079756, which your trust does not reach: by-stranger\.json/,
  );
});
