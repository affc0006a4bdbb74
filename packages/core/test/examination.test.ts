/** Findings of checks become a report: counts, statuses, notes, results so far, and the order of problems. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { type CheckResult, type Kernel, pinKeys, referenceKernel, type TrustPolicy } from "../src/index.ts";
import { shortened } from "../src/report/bounds.ts";
import type { CheckId } from "../src/report/checks.ts";
import { reportDifference } from "../src/report/difference.ts";
import { Examination } from "../src/report/examination.ts";
import type { Finding } from "../src/report/report.ts";

const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
const MESSAGE = new Uint8Array(3);
const good = await SERVICE.sign(MESSAGE);
const bad = good.with(0, (good[0] ?? 0) ^ 1);
const finding = (code: Finding["code"], path = ""): Finding => ({ code, path, message: "" });

function begin(policy: TrustPolicy = trust, kernel: Kernel = referenceKernel): Examination {
  const exam = new Examination(kernel, policy);
  exam.kind = "bundle";
  return exam;
}

function result(exam: Examination, check: CheckId): CheckResult {
  return exam.report().checks.find(({ id }) => id === check) ?? assert.fail(check);
}

test("a check is passed if it looked at something and found nothing wrong", () => {
  const of = (act: (exam: Examination) => unknown) => {
    const exam = begin();
    act(exam);
    return result(exam, "manifest");
  };
  const id = "manifest";
  assert.deepEqual(
    of(() => {}),
    { id, status: "not_checked" },
  );
  assert.deepEqual(
    of((exam) => exam.looked(id)),
    { id, status: "pass", count: 1 },
  );
  assert.deepEqual(
    of((exam) => exam.looked(id, 0)),
    { id, status: "not_checked" },
  );
  assert.deepEqual(
    of((exam) => [exam.looked(id, 2), exam.looked(id)]),
    { id, status: "pass", count: 3 },
  );
  assert.deepEqual(
    of((exam) => exam.notChecked(id, "why")),
    { id, status: "not_checked", note: "why" },
  );
  assert.deepEqual(
    of((exam) => [exam.looked(id), exam.notChecked(id, "n")]),
    { id, status: "pass", count: 1, note: "n" },
  );
  assert.deepEqual(
    of((exam) => [exam.looked(id), exam.found(id, "f")]),
    { id, status: "pass", count: 1, note: "f" },
  );
  assert.deepEqual(
    of((exam) => [exam.found(id, "f"), exam.reject(id, finding("malformed"))]),
    { id, status: "fail" },
    "of what does not hold nothing was found",
  );
  assert.deepEqual(
    of((exam) => [exam.notChecked(id, "n"), exam.found(id, "f"), exam.reject(id, finding("malformed"))]),
    { id, status: "fail", note: "n" },
  );
  assert.deepEqual(
    of((exam) => [exam.looked(id), exam.cannotEvaluate(id, "n")]),
    {
      id,
      status: "cannot_evaluate",
      count: 1,
      note: "n",
    },
  );
  assert.deepEqual(
    of((exam) => [exam.cannotEvaluate(id, "n"), exam.reject(id, finding("malformed"))]),
    {
      id,
      status: "fail",
      note: "n",
    },
  );
});

test("a comparison counts unless told otherwise, and a failed one says both values", () => {
  const exam = begin();
  const at = { path: "/a", message: "m" };
  assert.equal(exam.expectEqual("manifest", "malformed", "x", "x", at), true);
  assert.equal(exam.expectEqual("manifest", "malformed", "x", "x", { ...at, count: false }), true);
  assert.equal(exam.expect("manifest", true, finding("malformed")), true);
  assert.equal(exam.rejected, false);
  assert.equal(exam.expectEqual("manifest", "malformed", "x", "y", at), false);
  assert.equal(exam.rejected, true);
  const { problems, checks } = exam.report();
  const [{ action: _action, ...problem } = assert.fail()] = problems;
  assert.deepEqual(problem, { code: "malformed", path: "/a", message: "m", expected: "x", actual: "y" });
  assert.equal(checks.find(({ id }) => id === "manifest")?.count, 2);
});

test("a check holds until something is wrong or could not be looked at", () => {
  const exam = begin();
  assert.equal(exam.held("manifest", "note"), true, "also if it looked at nothing");
  exam.looked("manifest");
  exam.notChecked("note", "n");
  assert.equal(exam.held("manifest", "note"), true);
  exam.cannotEvaluate("note", "n");
  assert.deepEqual([exam.held("manifest", "note"), exam.held("manifest"), exam.held("note")], [false, true, false]);
  exam.reject("manifest", finding("malformed"));
  assert.equal(exam.held("manifest"), false);
});

test("signatures are checked when settled, at once where asked for, and none twice", () => {
  let asked = 0;
  const counting: Kernel = {
    ...referenceKernel,
    sha256Hex: null,
    verifyEd25519: (items) => {
      asked += items.length;
      return referenceKernel.verifyEd25519(items);
    },
  };
  const exam = begin(trust, counting);
  const [kid] = exam.keys.pinned();
  assert.ok(kid);
  const signer = { kid, publicKeyHex: SERVICE.publicKeyHex, role: "bundle", reached: "endorsed" } as const;
  const handIn = (signature: Uint8Array) =>
    exam.signature("note", SERVICE.publicKeyHex, MESSAGE, signature, finding("signature_invalid", "/s"), signer);
  const [first, second] = [handIn(good), handIn(bad)];
  assert.deepEqual([first.valid, second.valid, asked], [null, null, 0]);
  exam.settle();
  assert.deepEqual([first.valid, second.valid, asked], [true, false, 2]);
  exam.settle();
  assert.equal(asked, 2);
  assert.deepEqual([...exam.sealers], [kid]);
  const now = (signature: Uint8Array) =>
    exam.signatureNow("witness", SERVICE.publicKeyHex, MESSAGE, signature, finding("malformed", "/w"));
  assert.deepEqual([now(good), now(bad), asked], [true, false, 4]);
  const { problems, checks } = exam.report();
  assert.deepEqual(
    problems.map(({ code, path }) => `${code} ${path}`),
    ["signature_invalid /s", "malformed /w"],
  );
  for (const [check, status] of [
    ["note", "fail"],
    ["witness", "fail"],
  ])
    assert.deepEqual(
      checks.filter(({ id }) => id === check),
      [{ id: check, status, count: 2 }],
    );
});

test("an object is signed if seals were there, all their keys were known, and none was broken", () => {
  const isSigned = (act: (exam: Examination) => unknown) => {
    const exam = begin();
    act(exam);
    return exam.report().assurance.signed;
  };
  const handIn = (exam: Examination, code: Finding["code"], signature: Uint8Array) =>
    exam.signature("manifest", SERVICE.publicKeyHex, MESSAGE, signature, finding(code));
  assert.equal(
    isSigned(() => {}),
    false,
  );
  assert.equal(
    isSigned((exam) => exam.signerSeen()),
    true,
  );
  assert.equal(
    isSigned((exam) => [exam.signerSeen(), exam.signatureMissing("manifest")]),
    false,
  );
  assert.equal(
    isSigned((exam) => [exam.signerSeen(), handIn(exam, "signature_invalid", good)]),
    true,
  );
  assert.equal(
    isSigned((exam) => [exam.signerSeen(), handIn(exam, "signature_invalid", bad)]),
    false,
  );
  assert.equal(
    isSigned((exam) => [exam.signerSeen(), handIn(exam, "witness_signature_invalid", bad)]),
    true,
  );
  const checks: CheckId[] = ["receipt_signature", "window_seal", "checkpoint_seal", "note", "bundle_seal"];
  for (const check of [...checks, "key_endorsements", "json", "shape"] as const)
    assert.equal(
      isSigned((exam) => [exam.signerSeen(), exam.reject(check, finding("malformed"))]),
      false,
      check,
    );
  for (const check of ["manifest", "witness", "trust"] as const)
    assert.equal(
      isSigned((exam) => [exam.signerSeen(), exam.reject(check, finding("malformed"))]),
      true,
      check,
    );
});

test("problems are in the order of the checks, distrust of one key is said once, and of very many the first", () => {
  const exam = begin();
  exam.distrust(finding("key_not_pinned", "/1"), "a");
  exam.distrust(finding("key_not_pinned", "/2"), "a");
  exam.distrust(finding("key_not_pinned", "/3"), "b");
  exam.distrust(finding("key_revoked", "/4"), "a");
  exam.reject("expectation", finding("range_incomplete", "/5"));
  exam.reject("json", finding("json_malformed", "/6"));
  exam.reject("shape", finding("malformed", "/7"));
  exam.reject("shape", finding("malformed", "/8"));
  const { problems, verdict } = exam.report();
  assert.equal(verdict, "rejected");
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["/6", "/7", "/8", "/1", "/3", "/4", "/5"],
  );
  const many = begin();
  for (let index = 0; index < 1001; index++) many.reject("shape", finding("malformed", `/${index}`));
  const all = many.report().problems;
  assert.deepEqual([all.length, all.at(-1)?.path], [1000, "/999"]);
});

test("trust passes where all signers were judged, and cannot be evaluated where one is not reached", () => {
  const trustOf = (act: (exam: Examination) => unknown) => {
    const exam = begin();
    act(exam);
    const { verdict } = exam.report();
    const { status, count, note } = result(exam, "trust");
    return [verdict, status, count, note !== undefined];
  };
  const distrusted = (exam: Examination) => exam.distrust(finding("key_not_pinned"), "a");
  assert.deepEqual(
    trustOf(() => {}),
    ["verified", "not_checked", undefined, false],
  );
  assert.equal(trustOf((exam) => exam.signerSeen())[1], "pass");
  assert.deepEqual(trustOf(distrusted).slice(0, 2), ["untrusted", "cannot_evaluate"]);
  assert.equal(trustOf(distrusted)[3], true);
  const both = (exam: Examination) => [distrusted(exam), exam.reject("trust", finding("kid_mismatch"))];
  assert.deepEqual(trustOf(both).slice(0, 2), ["rejected", "fail"]);
});

test("what a part found of its signers is taken over, with places in the whole, and what is known stays", () => {
  const [whole, part] = [begin(), begin()];
  whole.distrust(finding("key_not_pinned", "/known"), "a");
  part.signerSeen();
  part.signatureMissing("note");
  part.distrust(finding("key_not_pinned", "/other"), "a");
  part.distrust(finding("key_not_pinned", "/new"), "b");
  whole.adoptSigners(part, (path) => `/part${path}`);
  const { problems, assurance } = whole.report();
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["/known", "/part/new"],
  );
  assert.equal(assurance.signed, false, "a signature is missing");
  assert.equal(result(whole, "trust").count, 2);
});

test("a pinned witness whose key is revoked is not trusted", () => {
  const witnesses = [{ name: "w", public_key_hex: WITNESS.publicKeyHex }];
  const { kid } = pinKeys(referenceKernel, [WITNESS.publicKeyHex]).signers[0] ?? assert.fail();
  assert.deepEqual(begin({ ...trust, witnesses }).trustedWitnesses, witnesses);
  assert.deepEqual(begin({ ...trust, witnesses, revoked: [kid] }).trustedWitnesses, []);
  assert.deepEqual(begin().trustedWitnesses, []);
});

test("a report settles what was handed in, and says who made it", () => {
  const exam = begin();
  exam.signature("note", SERVICE.publicKeyHex, MESSAGE, bad, finding("note_mismatch", "/s"));
  const { verdict, problems, verifier } = exam.report();
  assert.deepEqual([verdict, problems[0]?.path, verifier.name], ["rejected", "/s", "svc-core"]);
  assert.deepEqual([exam.quorumMet, exam.checkList], [false, null]);
});

test("a text of a problem is cut behind a thousand characters, and is well-formed", () => {
  const x = (length: number) => "x".repeat(length);
  const cut = (text: string) => {
    const { path, message, expected, actual } = shortened({
      code: "malformed",
      path: text,
      message: text,
      expected: text,
      actual: text,
    });
    assert.deepEqual([message, expected, actual], [path, path, path]);
    return path;
  };
  assert.equal(cut(x(1000)), x(1000));
  assert.equal(cut(x(1001)), `${x(1000)}…`);
  assert.equal(cut(`${x(999)}\u{1f600}`), `${x(999)}\ufffd…`);
  assert.deepEqual(Object.keys(shortened(finding("malformed"))), ["code", "path", "message"]);
});

test("reports differ where a list stands for an object, and where a member is missing", () => {
  const report = begin().report();
  const at = (changes: object) => reportDifference(report, { ...report, ...changes } as never);
  assert.equal(at({ verifier: null }), null);
  assert.deepEqual(at({ problems: {} }), { path: "/problems", values: ["[]", "{}"] });
  assert.deepEqual(at({ kind: "key" }), { path: "/kind", values: ['"bundle"', '"key"'] });
  assert.deepEqual(at({ more: 1 }), { path: "/more", values: [null, "1"] });
  assert.deepEqual(at({ assurance: null })?.path, "/assurance");
});
