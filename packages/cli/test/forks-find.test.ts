/** `svc forks find` on a receipt and a checkpoint that leaves it out: a broken promise, by the policy that is given. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { told } from "@svc/testkit/evidence/forks";
import { bundleOf, issueStream } from "@svc/testkit/evidence/service";
import { FOLDER, KEY, PIN, put, svc } from "./svc.ts";

const late = await issueStream(4, { perWindow: 2, perCheckpoint: 2, sealedAfter: 106 });
put("held.receipt.json", told.records[8]);
put("late.checkpoint.json", late.checkpoints[0]);
put("late.policy.json", late.policies[0]);
put("late.bundle.json", await bundleOf(late));

const find = (...more: string[]) =>
  svc([
    "forks",
    "find",
    "held.receipt.json",
    "late.checkpoint.json",
    ...more,
    ...PIN,
    "--out",
    "omission.json",
    "--force",
  ]);

test("without the policy nobody can tell by when a checkpoint must cover a receipt", async () => {
  const { stdout, code } = await find();
  assert.match(stdout, /Nothing found/);
  assert.equal(code, 0);
});

for (const file of ["late.policy.json", "late.bundle.json"])
  test(`with ${file} it is proof, which holds by itself`, async () => {
    const { stdout, stderr, code } = await find("--policy", file);
    assert.match(stdout.replace(/\s+/g, " "), /proof of the kind omission/);
    assert.deepEqual([code, stderr], [1, ""]);
    const { kind, policy } = JSON.parse(readFileSync(join(FOLDER, "omission.json"), "utf8"));
    assert.deepEqual([kind, policy], ["omission", late.policies[0]]);
    assert.equal((await svc(["forks", "verify", "omission.json", "--public-key-hex", KEY])).code, 0);
  });

test("another policy than the named one convicts nobody, and a file that is no policy is refused", async () => {
  const other = await find("--policy", put("other.policy.json", { ...late.policies[0], window_max_seconds: 1 }));
  assert.deepEqual([other.code, /Nothing found/.test(other.stdout)], [0, true]);
  const refused = await find("--policy", "held.receipt.json");
  assert.match(refused.stderr, /is no policy of a stream/);
  assert.equal(refused.code, 66);
});
