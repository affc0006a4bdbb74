/** The demands of a verifier beside a good object, at the edges of each. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WITNESS } from "@svc/testkit/evidence/service";
import { type Kind, referenceKernel, type Subject, type TrustPolicy } from "../src/index.ts";
import { Examination } from "../src/report/examination.ts";
import { examineExpectations } from "../src/report/expectations.ts";

const STREAM = "str_01k30000000000000000000001";

/** Returns the result of the check of expectations for an object. */
function outcome(
  expect: TrustPolicy["expect"],
  subject: Omit<Subject, "id">,
  more: Partial<Examination> = {},
  trust = {},
) {
  const exam = new Examination(referenceKernel, { signers: [], ...(expect === undefined ? {} : { expect }), ...trust });
  Object.assign(exam, { kind: "bundle", subject: { id: null, ...subject }, ...more });
  examineExpectations(exam);
  const { checks, problems } = exam.report();
  const { status, count } = checks.find(({ id }) => id === "expectation") ?? assert.fail();
  const said = problems.map(({ code, path, expected, actual }) => [code, path, expected, actual]);
  return { status, count, said };
}

const PASS = (count: number) => ({ status: "pass", count, said: [] });
const FAIL = (count: number, ...said: unknown[]) => ({ status: "fail", count, said });

test("the stream is the one that is expected", () => {
  const expect = { stream_id: STREAM };
  assert.deepEqual(outcome(expect, { stream_id: STREAM }), PASS(1));
  const other = STREAM.replace(/1$/, "2");
  assert.deepEqual(outcome(expect, { stream_id: other }), FAIL(1, ["stream_unexpected", "", STREAM, other]));
  assert.deepEqual(outcome(expect, {}), FAIL(1, ["stream_unexpected", "", STREAM, "no stream"]));
});

test("the range covers the one that is expected, both ends included", () => {
  const incomplete = (expected: string, actual: string) => FAIL(1, ["range_incomplete", "", expected, actual]);
  for (const [expect, subject, expected] of [
    [{ from_seq_no: 5, to_seq_no: 9 }, { from_seq_no: 5, to_seq_no: 9 }, PASS(1)],
    [{ from_seq_no: 5, to_seq_no: 9 }, { from_seq_no: 4, to_seq_no: 10 }, PASS(1)],
    [{ from_seq_no: 5, to_seq_no: 9 }, { from_seq_no: 6, to_seq_no: 9 }, incomplete("5 to 9", "6 to 9")],
    [{ from_seq_no: 5, to_seq_no: 9 }, { from_seq_no: 5, to_seq_no: 8 }, incomplete("5 to 9", "5 to 8")],
    [{ from_seq_no: 5 }, { from_seq_no: 5, to_seq_no: 5 }, PASS(1)],
    [{ from_seq_no: 5 }, { from_seq_no: 6, to_seq_no: 6 }, incomplete("5 to any", "6 to 6")],
    [{ to_seq_no: 9 }, { from_seq_no: 9, to_seq_no: 9 }, PASS(1)],
    [{ to_seq_no: 9 }, { from_seq_no: 1, to_seq_no: 8 }, incomplete("any to 9", "1 to 8")],
    // A lone checkpoint states only its end.
    [{ from_seq_no: 5, to_seq_no: 9 }, { to_seq_no: 9 }, PASS(1)],
    [{ from_seq_no: 5, to_seq_no: 9 }, { to_seq_no: 8 }, incomplete("5 to 9", "unknown to 8")],
    [{ from_seq_no: 5, to_seq_no: 9 }, { from_seq_no: 5 }, PASS(1)],
    [{ from_seq_no: 5, to_seq_no: 9 }, {}, incomplete("5 to 9", "unknown to unknown")],
    [{ to_seq_no: 9 }, {}, incomplete("any to 9", "unknown to unknown")],
    [{ from_seq_no: 5 }, {}, incomplete("5 to any", "unknown to unknown")],
  ] as const)
    assert.deepEqual(outcome(expect, subject), expected, `${JSON.stringify(expect)} ${JSON.stringify(subject)}`);
});

test("who asks for nothing gets nothing checked", () => {
  const nothing = { status: "not_checked", count: undefined, said: [] };
  assert.deepEqual(outcome(undefined, { stream_id: STREAM }), nothing);
  assert.deepEqual(outcome({}, { stream_id: STREAM }), nothing);
  assert.deepEqual(outcome(undefined, {}, {}, { require: [] }), nothing);
});

test("required evidence is that which the verifier can rely on", () => {
  const witnesses = [{ name: "w", public_key_hex: WITNESS.publicKeyHex }];
  const met = (requirement: string, more: object, trust: object = {}) => {
    const { status } = outcome(undefined, {}, more, { require: [requirement], witnesses, ...trust });
    return status === "pass";
  };
  const seen = (pinned: number) => ({ witnessed: { required: 0, valid: 3, pinned } });
  for (const [requirement, more, expected, trust] of [
    ["included", { included: true }, true],
    ["included", { included: false }, false],
    ["witnessed", seen(1), true],
    ["witnessed", seen(0), false],
    ["witnessed", { ...seen(1), quorumMet: true }, true, { quorum: 1 }],
    ["witnessed", { ...seen(1), quorumMet: false }, false, { quorum: 1 }],
    ["witnessed", { ...seen(0), quorumMet: true }, false, { quorum: 1 }],
    ["published", { published: "none" }, false],
    ["published", { published: "included" }, true],
    ["published", { published: "witnessed" }, true],
    ["anchored", { anchored: "none" }, false],
    ["anchored", { anchored: "pending" }, false],
    ["anchored", { anchored: "unpinned" }, false],
    ["anchored", { anchored: "pinned" }, true],
  ] as const)
    assert.equal(met(requirement, more, trust), expected, `${requirement} ${JSON.stringify(more)}`);
  const two = outcome(undefined, {}, {}, { require: ["included", "anchored"] });
  const missing = (name: string) => ["evidence_missing", "", name, undefined];
  assert.deepEqual(two, FAIL(2, missing("included"), missing("anchored")));
});

test("keys and forks show no evidence of this sort, and are asked for none; their stream is", () => {
  for (const kind of ["key", "fork"] as Kind[]) {
    assert.deepEqual(outcome(undefined, {}, { kind }, { require: ["included"] }).said, []);
    const { said } = outcome({ stream_id: STREAM }, {}, { kind }, { require: ["included"] });
    assert.deepEqual(said, [["stream_unexpected", "", STREAM, "no stream"]]);
  }
});
