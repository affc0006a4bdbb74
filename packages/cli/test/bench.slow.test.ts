/** `svc bench`: its output, not its speed. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { referenceKernel, selectKernel, VERSION, verify } from "@svc/core";
import { benchEvidence } from "../src/bench/evidence.ts";
import { buildWithFault, svc } from "./svc.ts";

const blind = await buildWithFault("blind", "verifyEd25519: (items) => items.map(() => false)");

test("the figures name what computed them, and none is nothing", async () => {
  const { stdout, stderr, code } = await svc(["bench", "--json"]);
  assert.deepEqual([stderr, code], ["", 0]);
  const { receipts_per_second, bundle, signatures_per_second, ...rest } = JSON.parse(stdout);
  for (const rate of [receipts_per_second, signatures_per_second, bundle.events_per_second, bundle.bundles_per_second])
    assert.ok(rate > 0);
  assert.equal(bundle.events, 512);
  assert.deepEqual(rest, {
    kernel: "wasm",
    kernel_sha256: selectKernel("wasm").sha256Hex,
    svc: VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  });
});

test("for a person they are in words, with the kernel's whole hash", async () => {
  const { stdout, code } = await svc(["bench"]);
  assert.equal(code, 0);
  assert.match(stdout, /\n {2}one receipt {2}[\d,]+ a second\n {2}a bundle {5}[\d,]+ events a second, of 512 events/);
  assert.ok(stdout.includes(`${selectKernel("wasm").sha256Hex}`));
});

test("what bench makes is verified by both kernels", async () => {
  const { receipt, bundle, signatures, trust } = await benchEvidence(referenceKernel, 130);
  for (const kernel of [referenceKernel, selectKernel("wasm")]) {
    assert.equal(verify(receipt, { kind: "receipt", kernel, trust }).verdict, "verified");
    const { verdict, subject, assurance } = verify(bundle, { kind: "bundle", kernel, trust });
    assert.deepEqual([verdict, subject.to_seq_no, assurance.complete], ["verified", 130, true]);
    assert.ok(kernel.verifyEd25519(signatures.slice(0, 3)).every(Boolean));
  }
});

test("a kernel that verifies nothing gets no figures", async () => {
  const { stdout, stderr, code } = await svc(["bench"], { program: blind });
  assert.deepEqual([stdout, code], ["", 70]);
  assert.match(stderr, /the receipt that bench made is rejected/);
});
