/**
 * The worked example of docs/protocol.md, recomputed by a program of another language that has only that page: its
 * values are those of the page, the bundle that it writes is the one that core issues, and core verifies it. A changed
 * page is found out.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { without } from "@svc/testkit/runtimes";
import { issueExample } from "../../../docs/worked-example/issue.ts";
import { crossCheck, type Json, referenceKernel } from "../src/index.ts";

const skip = without("python3");

const docs = fileURLToPath(new URL("../../../docs/", import.meta.url));
const page = readFileSync(join(docs, "protocol.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "svc-worked-example-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program. */
function recompute(...args: string[]) {
  const { error, status, stdout, stderr } = spawnSync("python3", [join(docs, "worked_example.py"), ...args], {
    encoding: "utf8",
  });
  assert.equal(error, undefined, `python3 could not be started, and this test needs it: ${error?.message}`);
  return { status, stdout, stderr };
}

/** Returns the text of a labelled block of the page. */
function blockOf(label: string): string {
  const [, text] = new RegExp(`^\`\`\`\\w+ ${label.replaceAll(".", "\\.")}\\n(.*?)\\n\`\`\`$`, "ms").exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/protocol.md has no block ${label}`);
  return text;
}

test("another program comes to every value of the page, and to core's own bundle, which core verifies", {
  skip,
}, async () => {
  const file = join(folder, "bundle.json");
  const { status, stdout, stderr } = recompute("--bundle", file);
  assert.equal(stderr, "");
  assert.equal(status, 0);
  const labels = [...page.matchAll(/^```\w+ (\S+)$/gm)].map(([, label]) => label ?? "");
  const computed = labels.filter((label) => !label.startsWith("given.") && label !== "report");
  assert.ok(computed.length > 0);
  for (const label of computed) assert.ok(stdout.includes(`same  ${label}\n`), `${label} was not compared`);

  const written = new Uint8Array(readFileSync(file));
  const { bundle } = await issueExample();
  assert.deepEqual(written, new Uint8Array(referenceKernel.canonicalize(bundle)));
  const { report, cross_check } = crossCheck(written, { trust: JSON.parse(blockOf("given.trust")) as Json });
  assert.ok(cross_check.agree);
  assert.equal(report.verdict, "verified");
  const stated = JSON.parse(blockOf("report").replaceAll("\n", "")) as { readonly checks: unknown };
  const { kind, verdict, subject, assurance } = report;
  const checks = report.checks.map(({ note: _note, ...check }) => check);
  assert.deepEqual({ kind, verdict, subject, assurance, checks }, stated);
});

/** One character of the page changed, in blocks of every sort. */
const CHANGES: readonly (readonly [label: string, from: string, to: string])[] = [
  ["event-2.event_hash", "0", "1"],
  ["event-2.event_hash.preimage", "loan-1002", "loan-1003"],
  ["event-1.seal.signature", "a", "b"],
  ["window-1.inclusion", '"leaf_index":1', '"leaf_index":0'],
  ["checkpoint.note", "log.example", "log.examplf"],
  ["capsule.author.opened", "Anna", "Anne"],
  ["envelope.seal.preimage", "SVC-PROVENANCE-001", "SVC-PROOFSTREAM-001"],
  ["given.event-3", "loan.paid", "loan.late"],
];

for (const [label, from, to] of CHANGES) {
  test(`a change in the block ${label} is found`, { skip }, () => {
    const block = blockOf(label);
    assert.ok(block.includes(from), `${label} does not hold ${from}`);
    const copy = join(folder, "changed.md");
    const bundle = join(folder, "changed.json");
    writeFileSync(copy, page.replace(`${label}\n${block}`, `${label}\n${block.replace(from, to)}`));
    const { status, stderr } = recompute(copy, "--bundle", bundle);
    assert.equal(status, 1);
    // A given value shows in the values computed from it.
    assert.ok(stderr.includes(`DIFFERS  ${label.startsWith("given.") ? "event-3.event_hash" : label}:`), stderr);
    assert.throws(() => readFileSync(bundle), { code: "ENOENT" }, "nothing is written of what differs");
  });
}

test("a block that is gone and a block that nothing computes are found", { skip }, () => {
  const copy = join(folder, "moved.md");
  writeFileSync(copy, page.replace("```text bundle.sha256\n", "```text bundle.sha512\n"));
  const { status, stderr } = recompute(copy);
  assert.equal(status, 1);
  assert.match(stderr, /^DIFFERS {2}bundle\.sha256: this block is missing$/m);
  assert.match(stderr, /^DIFFERS {2}bundle\.sha512: nothing here computes this block$/m);
});
