/** The seal that is shown beside a verified bundle is the bundle's own, however its text is laid out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, pinKeys, referenceKernel, verify } from "@svc/core";
import { bundleOf, issueStream, SERVICE } from "../../core/test/service.ts";
import { decodeEvidence, evidenceBeside, kidAt } from "../src/index.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const bundle = await bundleOf(await issueStream(4));
const { seal, ...rest } = bundle;
const report = verify(kernel.canonicalize(bundle as unknown as Json), { trust, kernel });
const bytesOf = (text: string) => new TextEncoder().encode(text);

test("of a verified bundle that ends with its seal, nothing else is built", () => {
  assert.equal(report.verdict, "verified");
  for (const text of [JSON.stringify({ ...rest, seal }), `${JSON.stringify({ ...rest, seal }, null, 4)}\n`]) {
    const evidence = evidenceBeside(report, kernel, bytesOf(text));
    assert.deepEqual(evidence.value, { seal: { ...seal } });
    assert.equal(kidAt(evidence, "/seal/kid"), kidAt(decodeEvidence(kernel, bytesOf(text)), "/seal/kid"));
  }
});

test("anything else is built whole", () => {
  const [receipt] = bundle.artifacts["receipts.json"];
  const window = bundle.artifacts["windows.json"].at(-1);
  for (const value of [
    { seal, ...rest },
    { ...rest, seal, more: { seal } },
    { ...rest, window },
    { seal: [seal] },
    receipt,
  ]) {
    const bytes = bytesOf(JSON.stringify(value));
    assert.deepEqual(evidenceBeside(report, kernel, bytes), decodeEvidence(kernel, bytes));
  }
  const bytes = bytesOf(JSON.stringify({ ...rest, seal }));
  for (const other of [
    { ...report, verdict: "untrusted" as const },
    { ...report, kind: "window" as const },
  ])
    assert.deepEqual(evidenceBeside(other, kernel, bytes), decodeEvidence(kernel, bytes));
});
