/** Files of one stream, each of which holds by itself: `svc verify` compares them, and finds two histories. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { issueKeyEndorsement, type Json, pinKeys, referenceKernel, verify } from "@svc/core";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import { fork, putRow } from "./row.ts";
import { FOLDER, PIN, put, svc } from "./svc.ts";
import { testTranscripts } from "./transcript.ts";

const UNTRUSTED_SIGNER = testSigner("stranger");
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);

putRow();
put(
  "stranger.bundle.json",
  await bundleOf(await issueStream(20, { forkedAt: 3, signer: UNTRUSTED_SIGNER }), 1, UNTRUSTED_SIGNER),
);
// A successor whom the pinned key endorses tells another history.
const successor = testSigner("successor");
put("successor.bundle.json", {
  ...(await bundleOf(await issueStream(20, { forkedAt: 9, signer: successor }), 1, successor)),
  key_endorsements: [
    await issueKeyEndorsement(referenceKernel, SERVICE, successor.publicKeyHex, "2026-01-01T00:00:00.000Z"),
  ],
});
put("march.truth.zip", await packageOf(await packageInput()));
put("other.bundle.json", await bundleOf(await issueStream(10, { forkedAt: 5 })));

testTranscripts("together", [
  ["two-histories", 1, ["verify", "march.bundle.json", "april.bundle.json", "retold.bundle.json", ...PIN]],
  ["two-histories-unpinned", 2, ["verify", "march.bundle.json", "retold.bundle.json"]],
  ["one-history", 0, ["verify", "march.bundle.json", "april.bundle.json", "march.bundle.json", ...PIN]],
  ["fork-evidence", 1, ["verify", "april.bundle.json", "fork.json", ...PIN]],
  ["fork-evidence-unpinned", 2, ["verify", "april.bundle.json", "fork.json"]],
  ["stranger", 2, ["verify", "march.bundle.json", "stranger.bundle.json", ...PIN]],
  ["successor", 1, ["verify", "march.bundle.json", "successor.bundle.json", ...PIN]],
  ["package", 1, ["verify", "march.truth.zip", "other.bundle.json", ...PIN]],
]);

const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
const isProof = (proof: Json) => verify(referenceKernel.canonicalize(proof), { kind: "fork", trust }).verdict;

test("--json reports two histories on a separate line, with proof that others can verify", async () => {
  const files = ["march.bundle.json", "retold.bundle.json"];
  const { stdout, code } = await svc(["verify", ...files, "--json", "--report", "all.jsonl", ...PIN]);
  const { proof, ...said } = lastLine(stdout);
  const stream_id = "str_01k30000000000000000000001";
  assert.deepEqual(said, { fork_detected: true, stream_id, files, reached: true, place: { seq_no: 9 } });
  assert.equal(isProof(proof), "verified");
  assert.equal(code, 1);
  const proven = await svc(["verify", "april.bundle.json", "fork.json", "--json", ...PIN]);
  assert.deepEqual(lastLine(proven.stdout), { fork_detected: true, stream_id, files: ["fork.json"], reached: true });
  assert.equal(isProof(fork), "verified");
  assert.equal((await svc(["verify", ...files, "--quiet", ...PIN])).code, 1);
});

test("of a hundred receipts the two that contradict each other are found, whatever the threads", async () => {
  mkdirSync(join(FOLDER, "hundred"));
  const told = await issueStream(99);
  const retold = await issueStream(99, { forkedAt: 40 });
  for (const [index, record] of told.records.entries()) put(`hundred/${index}.receipt.json`, record);
  put("hundred/again.receipt.json", told.records[36]);
  assert.equal((await svc(["verify", "hundred", ...PIN])).code, 0);
  put("hundred/x.receipt.json", retold.records[69]);
  for (const jobs of ["1", "3"]) {
    const { stdout, code } = await svc(["verify", "hundred", "--json", "--jobs", jobs, ...PIN]);
    const { files, place } = lastLine(stdout);
    assert.deepEqual([files, place], [["hundred/69.receipt.json", "hundred/x.receipt.json"], { seq_no: 70 }]);
    assert.equal(code, 1);
  }
});

test("of very many contradictions ten are shown, and --json lists all", async () => {
  mkdirSync(join(FOLDER, "many"));
  const told = await issueStream(40);
  for (const [index, record] of told.records.slice(20).entries()) {
    put(`many/${index}.a.receipt.json`, record);
    const { records } = await issueStream(40, { forkedAt: index + 21 });
    put(`many/${index}.b.receipt.json`, records[index + 20]);
  }
  const { stdout } = await svc(["verify", "many", ...PIN]);
  assert.equal(stdout.match(/^▲ /gm)?.length, 10);
  assert.match(stdout, /^And 10 more, which --json lists\.$/m);
  const lines = (await svc(["verify", "many", "--json", ...PIN])).stdout.trimEnd().split("\n");
  const forks = lines.map((line) => JSON.parse(line)).filter((line) => line.fork_detected === true);
  assert.deepEqual([forks.length, forks.filter(({ proof }) => proof !== null).length], [20, 10]);
});
