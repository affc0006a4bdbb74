/**
 * A kernel that stopped in the middle of a call: the call fails as such, and the next one gets an instance in which
 * nothing happened.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileKernelSync, KernelInstance, KernelStopped } from "@svc/wasm";
import { referenceKernel, verify } from "../../src/index.ts";
import { verifyEd25519 } from "../../src/kernel/wasm/hashes.ts";
import { startWasmKernel } from "../../src/kernel/wasm/index.ts";
import { checkJson } from "../../src/kernel/wasm/json.ts";
import { instanceAnswers, KNOWN } from "./answers.ts";
import { CASES, KERNEL_BYTES } from "./expected.ts";
import { stoppingIn } from "./patched-kernel.ts";

const TEXT = new TextEncoder().encode('{"a":[1,2],"b":3}');

test("the instance is replaced: what was in it is gone", () => {
  const instance = new KernelInstance(compileKernelSync(stoppingIn(KERNEL_BYTES, "ed25519_verify")));
  checkJson(instance, "document_open", TEXT);
  assert.deepEqual([instance.documentLength(), instance.generation], [TEXT.length, 0]);
  assert.throws(() => instanceAnswers(instance), isStopIn("ed25519_verify"));
  assert.equal(instance.memoryBytes, 0);
  assert.throws(() => instance.output(), KernelStopped, "no leftovers of the call that failed can be read");
  checkJson(instance, "json_check", TEXT);
  assert.deepEqual([instance.documentLength(), instance.generation], [0, 1]);
});

test("the same instance stops, and works again, as often as it is asked", () => {
  const instance = new KernelInstance(compileKernelSync(stoppingIn(KERNEL_BYTES, "hashes")));
  for (const generation of [1, 2, 3]) {
    assert.throws(() => instanceAnswers(instance), isStopIn("hashes"));
    assert.equal(instance.generation, generation);
  }
  assert.deepEqual(verifyEd25519(instance, []), []);
});

test("a kernel whose digests stop still answers everything else rightly", () => {
  const kernel = startWasmKernel(stoppingIn(KERNEL_BYTES, "hashes"));
  const leaves = [1, 2, 3].map((byte) => referenceKernel.leafHash(Uint8Array.of(byte)));
  for (const _ of [1, 2]) {
    assert.throws(() => kernel.sha256(TEXT), isStopIn("hashes"));
    assert.deepEqual(kernel.rootFromLeafHashes(leaves), referenceKernel.rootFromLeafHashes(leaves));
    assert.deepEqual(kernel.parseJson(TEXT), referenceKernel.parseJson(TEXT));
  }
});

test("an open document outlives the instance that it was in", () => {
  const kernel = startWasmKernel(stoppingIn(KERNEL_BYTES, "document_hash"));
  const opened = kernel.openJson(TEXT);
  const expected = referenceKernel.openJson(TEXT);
  assert.ok(opened.ok && expected.ok);
  assert.throws(() => opened.document.hashPart(new Uint8Array(), { start: 0, end: 1 }), isStopIn("document_hash"));
  assert.deepEqual(opened.document.members(["a"]), expected.document.members(["a"]));
});

test("a stop shows nothing: the report says that the kernel could not check the object", () => {
  const [{ input = "", kind, trust } = assert.fail()] = CASES;
  const bytes = new TextEncoder().encode(input);
  for (const name of ["json_check", "ed25519_verify"]) {
    const kernel = startWasmKernel(stoppingIn(KERNEL_BYTES, name));
    const report = verify(bytes, { kind, trust, kernel });
    assert.deepEqual([report.verdict, report.problems[0]?.code], ["rejected", "unsupported_object"], name);
    assert.match(
      report.problems[0]?.message ?? "",
      new RegExp(`^The kernel could not check the object: .* in ${name}`),
    );
    assert.equal(report.checks.find(({ id }) => id === "receipt_signature")?.status !== "pass", true, name);
  }
  // Outside the object's own bytes, while it reads the trust policy, there is nothing to report on.
  const kernel = startWasmKernel(stoppingIn(KERNEL_BYTES, "hashes"));
  assert.throws(() => verify(bytes, { kind, trust, kernel }), isStopIn("hashes"));
});

test("a memory that cannot be had is an input too large, not a broken kernel", () => {
  const kernel = startWasmKernel(stoppingIn(KERNEL_BYTES, "reserve"));
  assert.throws(() => kernel.sha256(TEXT), RangeError);
});

test("unchanged, the same kernel answers everything", () => {
  const { sha256, signatures, root } = KNOWN;
  const answers = instanceAnswers(new KernelInstance(compileKernelSync(KERNEL_BYTES)));
  assert.deepEqual(answers, { sha256, signatures, root });
});

function isStopIn(name: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof KernelStopped, String(error));
    assert.equal(error.code, "kernel_stopped");
    assert.match(error.message, new RegExp(`^The compiled kernel stopped in ${name}: RuntimeError: `));
    return true;
  };
}
