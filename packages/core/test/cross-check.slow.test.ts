/**
 * Cross-checks: there is a verdict only if both kernels agree, in every function of a kernel. No file can provoke a
 * disagreement, so these kernels lie.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { kernelOrNull } from "@svc/testkit/kernels";
import { inputBytes, vectorCases } from "@svc/testkit/vectors";
import { crossCheck, type Kernel, type Kind, pinKeys, referenceKernel, selectKernel, verify } from "../src/index.ts";
import { checksOf } from "../src/report/checks.ts";
import { INDEPENDENT_CASES, type IndependentCase } from "./independent-cases.ts";

const honest = referenceKernel;
/** A second kernel that has nothing to do with the first: another object, with another name for its computing. */
const other = kernelOrNull("wasm") ?? { ...honest, sha256Hex: "0".repeat(64) };
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const bundle = await bundleOf(await issueStream(6));
const bytes = encode(bundle);
const trust = pinKeys(honest, [SERVICE.publicKeyHex]);
const payloadChanged = structuredClone(bundle);
Object.assign(Object.values(payloadChanged.payloads ?? {})[0]?.payload ?? {}, { amount: 0 });

/** Returns the honest kernel with one function replaced. */
function lying(lie: Partial<Kernel>): Kernel {
  return { ...honest, ...lie };
}

const fixtures = new URL("../../../fixtures/cases/", import.meta.url);
const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));

test(`the kernels give the same report of every fixture (${other.name}, ${honest.name})`, () => {
  assert.notEqual(files.length, 0);
  for (const file of files) {
    const fixture = JSON.parse(readFileSync(new URL(file, fixtures), "utf8"));
    const { kind, trust, links = [] } = fixture;
    const input_bytes = inputBytes(fixture);
    const { report, cross_check } = crossCheck(input_bytes, { kind, trust, links, kernels: [other, honest] });
    assert.deepEqual(cross_check.first_difference, null, file);
    assert.equal(cross_check.agree, true, file);
    assert.equal(report.verdict, fixture.verdict, file);
    const [left, right] = cross_check.runs;
    assert.equal(report, left.report, "the first kernel's report, as it is");
    assert.deepEqual({ ...left.report, verifier: null }, { ...right.report, verifier: null }, file);
    assert.deepEqual([left.kernel, left.kernel_sha256], [other.name, other.sha256Hex]);
    assert.deepEqual([right.kernel, right.kernel_sha256, right.error], ["reference", null, null]);
    assert.deepEqual(right.report, verify(input_bytes, { kind, trust, links, kernel: honest }), file);
  }
});

for (const path of INDEPENDENT_CASES)
  test(`the kernels give the same report of every independent case: ${path}`, () => {
    for (const one of vectorCases<IndependentCase>(path)) {
      const { trust, links = [], kind } = one;
      const kernels = [other, honest] as const;
      const { cross_check } = crossCheck(inputBytes(one), { kind: kind as Kind, trust, links, kernels });
      assert.deepEqual(cross_check.first_difference, null, one.name);
      assert.equal(cross_check.agree, true, one.name);
    }
  });

test("a kernel that lets a wrong signature through does not get its verdict", () => {
  const forged = encode({ ...bundle, seal: { ...bundle.seal, signature: "0".repeat(128) } });
  const liar = lying({ verifyEd25519: (items) => items.map(() => true) });
  assert.equal(verify(forged, { trust, kernel: liar }).verdict, "verified", "the lie works on one kernel alone");
  for (const kernels of [
    [liar, honest],
    [honest, liar],
  ] as const) {
    const { report, cross_check } = crossCheck(forged, { trust, kernels });
    assert.equal(report.verdict, "rejected");
    assert.equal(report.ok, false);
    assert.deepEqual(
      report.problems.map(({ code }) => code),
      ["kernels_disagree"],
    );
    assert.equal(cross_check.agree, false);
    assert.deepEqual(cross_check.first_difference, {
      path: "/ok",
      values: [`${kernels[0] === liar}`, `${kernels[1] === liar}`],
    });
    assert.deepEqual(
      cross_check.runs.map((run) => run.report),
      kernels.map((kernel) => verify(forged, { trust, kernel })),
      "both reports are kept whole",
    );
  }
});

test("the refusal says who said what, in a report of the ordinary shape that shows nothing", () => {
  const liar = lying({ verifyEd25519: (items) => items.map(() => false) });
  const { report } = crossCheck(bytes, { trust, kernels: [liar, honest] });
  const usual = verify(bytes, { trust, kernel: honest });
  assert.deepEqual(Object.keys(report), Object.keys(usual));
  assert.deepEqual(report.subject, usual.subject);
  assert.equal(report.kind, "bundle");
  assert.deepEqual(report.verifier, usual.verifier);
  assert.deepEqual(
    report.checks.map(({ id, status }) => [id, status]),
    checksOf("bundle").map((id) => [id, "cannot_evaluate"]),
  );
  assert.deepEqual(report.assurance, verify(encode({}), { kernel: honest }).assurance);
  assert.deepEqual(report.proves, []);
  assert.match(report.does_not_prove[0] ?? "", /^anything: the kernels of this verifier do not agree/);
  const [problem] = report.problems;
  assert.equal(problem?.path, "");
  assert.equal(
    problem?.message,
    "The kernels do not agree: reference says rejected (signature_invalid); reference says verified. Their " +
      "reports first differ at /ok: false, and true.",
  );
});

const empty = encode({});
const tooDeep = { ok: false, code: "too_deep", offset: 0 } as const;

/** One lie for each function that a verification calls; each alone must be enough. */
const lies: Readonly<Record<string, Partial<Kernel>>> = {
  "parsing: another value": { parseJson: () => honest.parseJson(empty), openJson: () => honest.openJson(empty) },
  "parsing: an error": { parseJson: () => tooDeep, openJson: () => tooDeep },
  "canonicalize: a byte more": { canonicalize: (value) => Uint8Array.of(...honest.canonicalize(value), 0x20) },
  "sha256: one bit": { sha256: (data) => flipped(honest.sha256(data)) },
  "leafHash: one bit": { leafHash: (data) => flipped(honest.leafHash(data)) },
  "verifyEd25519: nothing holds": { verifyEd25519: (items) => items.map(() => false) },
  "rootFromFrontier: one bit": { rootFromFrontier: (frontier) => flipped(honest.rootFromFrontier(frontier)) },
};

for (const [name, lie] of Object.entries(lies)) {
  test(`a lie is found: ${name}`, () => {
    const { report, cross_check } = crossCheck(bytes, { kind: "bundle", trust, kernels: [honest, lying(lie)] });
    assert.equal(cross_check.agree, false);
    assert.equal(report.verdict, "rejected");
    assert.equal(report.problems[0]?.code, "kernels_disagree");
    assert.equal(cross_check.runs[0].report?.verdict, "verified");
  });
}

test("the same verdict for another reason is a disagreement, too", () => {
  const kernel = lying({
    parseJson: (input) => ({ ...honest.parseJson(input), ok: false, code: "lossy_number", offset: 9 }),
  });
  const { report, cross_check } = crossCheck(encode(payloadChanged), {
    kind: "bundle",
    trust,
    kernels: [kernel, honest],
  });
  assert.deepEqual(
    cross_check.runs.map((run) => run.report?.verdict),
    ["rejected", "rejected"],
  );
  assert.equal(report.problems[0]?.code, "kernels_disagree");
  assert.equal(cross_check.first_difference?.path, "/subject/id");
  assert.deepEqual(report.subject, { id: null });
});

test("what the kernels do not both say of the object is not said of it", () => {
  const blind = lying({ parseJson: () => honest.parseJson(empty), openJson: () => honest.openJson(empty) });
  for (const kernels of [
    [blind, honest],
    [honest, blind],
  ] as const) {
    const { report } = crossCheck(bytes, { trust, kernels });
    assert.deepEqual([report.kind, report.subject], [null, { id: null }]);
    assert.equal(crossCheck(bytes, { trust, kernels, kind: "bundle" }).report.kind, "bundle");
  }
});

test("where one report says more than the other, the message says that nothing is there", () => {
  const [record] = bundle.artifacts["receipts.json"];
  const more = lying({ parseJson: () => honest.parseJson(encode({ ...record, a: 1, b: 1 })) });
  const { report } = crossCheck(encode({ ...record, a: 1 }), { kind: "receipt", trust, kernels: [honest, more] });
  assert.match(report.problems[0]?.message ?? "", /first differ at \/problems\/1: nothing, and \{"code":.{52}…\.$/);
});

test("an error of a thousand characters is kept whole, and of a longer one so much", () => {
  for (const [length, end] of [
    [1000, "x"],
    [1001, "…"],
  ] as const) {
    const broken = lying({
      verifyEd25519: () => {
        throw new TypeError("x".repeat(length - "TypeError: ".length));
      },
    });
    const { error } = crossCheck(bytes, { trust, kernels: [broken, honest] }).cross_check.runs[0];
    assert.deepEqual([error?.length, error?.at(-1)], [length, end]);
  }
});

test("one kernel that fails is a disagreement, and its error is kept", () => {
  const broken = lying({
    verifyEd25519: () => {
      throw new TypeError(`no table\ud800${"x".repeat(2000)}`);
    },
  });
  for (const kernels of [
    [broken, honest],
    [honest, broken],
  ] as const) {
    const { report, cross_check } = crossCheck(bytes, { trust, kernels });
    assert.equal(report.verdict, "rejected");
    assert.equal(report.problems[0]?.code, "kernels_disagree");
    assert.match(report.problems[0]?.message ?? "", /reference failed \(TypeError: no table/);
    assert.equal(cross_check.first_difference, null);
    const failed = cross_check.runs[kernels[0] === broken ? 0 : 1];
    assert.equal(failed.report, null);
    assert.match(failed.error ?? "", /^TypeError: no table\ufffdx+…$/);
    assert.ok((failed.error ?? "").length <= 1001);
    assert.equal(cross_check.runs[kernels[0] === broken ? 1 : 0].report?.verdict, "verified");
  }
});

test("where both kernels fail there is no verdict to refuse: the error comes out", () => {
  const broken = (text: string) =>
    lying({
      parseJson: () => {
        throw new TypeError(text);
      },
    });
  assert.throws(() => crossCheck(bytes, { kernels: [broken("first"), broken("second")] }), /first/);
});

test("one kernel is not two", () => {
  assert.throws(() => crossCheck(bytes, { kernels: [honest, honest] }), TypeError);
});

test("without kernels it takes the compiled and the reference one, and nothing in place of the first", () => {
  if (kernelOrNull("wasm") === null) {
    assert.throws(() => crossCheck(bytes), { code: "kernel_unavailable" });
    return;
  }
  const { report, cross_check } = crossCheck(bytes, { trust: trust });
  assert.equal(report.verdict, "verified");
  assert.equal(report.verifier.kernel_sha256, selectKernel("wasm").sha256Hex);
  assert.deepEqual(
    cross_check.runs.map(({ kernel }) => kernel),
    ["wasm", "reference"],
  );
});

test("evidence of nobody's is untrusted by both", () => {
  const stranger = pinKeys(honest, [testSigner("stranger").publicKeyHex]);
  const { report, cross_check } = crossCheck(bytes, { trust: stranger, kernels: [other, honest] });
  assert.equal(report.verdict, "untrusted");
  assert.equal(cross_check.agree, true);
});

function flipped(hash: Uint8Array): Uint8Array {
  const [first = 0, ...rest] = hash;
  return Uint8Array.of(first ^ 1, ...rest);
}
