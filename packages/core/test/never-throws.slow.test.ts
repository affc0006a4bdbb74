/**
 * 200,000 random inputs: `verify` never throws, its reports are well formed, and both kernels give the same.
 * never-throws.fuzz.ts runs more, by hand.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { selectKernel, verify } from "../src/index.ts";
import { fuzz } from "./never-throws.fuzz.ts";
import { readCorpus } from "./never-throws-corpus.ts";
import { inputOf } from "./never-throws-inputs.ts";
import { reportFault } from "./never-throws-report.ts";

const COUNT = 200_000;
const THREADS = 2;
/** Fewer different first problems would mean that the inputs stop at their shape. */
const LEAST_CODES = 40;

test(`verify answers ${COUNT} random inputs, and both kernels alike`, async () => {
  const seed = randomInt(2 ** 31);
  console.log(`# seed ${seed}`);
  const { finds, codes, ...verdicts } = await fuzz({ seed, from: 0, count: COUNT, threads: THREADS, out: tmpdir() });
  console.log(`# ${JSON.stringify({ ...verdicts, codes })}`);
  assert.deepEqual(finds, []);
  assert.equal(verdicts.verified + verdicts.untrusted + verdicts.rejected, COUNT);
  for (const [verdict, count] of Object.entries(verdicts)) assert.ok(count > COUNT / 1000, `${verdict}: ${count}`);
  assert.ok(Object.keys(codes).length >= LEAST_CODES, `first problems: ${Object.keys(codes)}`);
});

test("an input can be made again from its seed and its index alone", () => {
  const corpus = readCorpus();
  const inputs = Array.from({ length: 100 }, (_, index) => inputOf(corpus, 7, index));
  assert.deepEqual(inputs[60], inputOf(corpus, 7, 60));
  assert.notDeepEqual(inputs[60], inputOf(corpus, 8, 60));
  assert.equal(new Set(inputs.map(({ bytes }) => Buffer.from(bytes).toString("latin1"))).size > 90, true);
});

test("a report that is not well formed is noticed", () => {
  const report = verify(new TextEncoder().encode("{}"), { kernel: selectKernel() });
  assert.equal(reportFault(report, undefined), null);
  const [problem] = report.problems;
  assert.ok(problem);
  const faulty = [
    { ...report, ok: true },
    { ...report, verdict: "verified", ok: true },
    { ...report, verdict: "untrusted" },
    { ...report, more: 0 },
    { ...report, problems: [] },
    { ...report, problems: [{ ...problem, action: "" }] },
    { ...report, problems: [{ ...problem, message: "\ud800" }] },
    { ...report, problems: [{ ...problem, path: "a" }] },
    { ...report, checks: report.checks.slice(1) },
    { ...report, checks: report.checks.map((check) => ({ ...check, status: "pass" })) },
    { ...report, assurance: { ...report.assurance, redacted: -1 } },
    { ...report, subject: {} },
  ] as never[];
  for (const one of faulty) assert.notEqual(reportFault(one, undefined), null, JSON.stringify(one).slice(0, 300));
  assert.notEqual(reportFault(report, "bundle"), null);
});
