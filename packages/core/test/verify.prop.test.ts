/**
 * Verification never throws because of input bytes, and every report keeps its shape: a verdict that its problems
 * explain, and the kind's checks in their fixed order.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { type Json, pinKeys, portableReceiptOf, type Report, referenceKernel, verify } from "../src/index.ts";
import { checksOf } from "../src/report/checks.ts";
import { reportFault } from "./never-throws-report.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueStream(3, { perWindow: 2, perCheckpoint: 1 });
const bundle = JSON.parse(JSON.stringify(await bundleOf(evidence))) as Json;
const portable = JSON.parse(JSON.stringify(portableReceiptOf(kernel, await bundleOf(evidence), 2))) as Json;
const parts = [bundle, ...collect(bundle), portable, ...collect(portable)];

/** Returns every object and array inside a value. */
function collect(value: Json): Json[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((member) => [member, ...collect(member)]);
}

function assertSound(report: Report): void {
  assert.equal(reportFault(report, undefined), null);
  assert.deepEqual(
    report.checks.map(({ id }) => id),
    checksOf(report.kind),
  );
}

test("verify answers with a sound report for random bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assertSound(verify(bytes, { trust }))));
});

test("verify answers with a sound report for truncated and overwritten bundles", () => {
  const bytes = kernel.canonicalize(bundle);
  const position = fc.nat(bytes.length - 1);
  fc.assert(
    fc.property(position, position, fc.nat(255), (end, at, byte) => {
      assertSound(verify(bytes.subarray(0, end), { trust }));
      const changed = bytes.slice();
      changed[at] = byte;
      const report = verify(changed, { trust });
      assertSound(report);
      if (bytes[at] !== byte && report.ok) assert.fail(`byte ${at} changed unnoticed`);
    }),
    { numRuns: runs(300) },
  );
});

test("verify answers with a sound report for parts of evidence put together in any way", () => {
  const names = fc.constantFrom(
    ...new Set(parts.filter((part) => !Array.isArray(part)).flatMap((part) => Object.keys(part ?? {}))),
  );
  const spliced = fc.dictionary(names, fc.constantFrom(...parts), { maxKeys: 20 });
  fc.assert(
    fc.property(spliced, fc.constantFrom(...parts), (value, other) => {
      assertSound(verify(kernel.canonicalize(value as Json), { trust }));
      const grafted = typeof other === "object" && !Array.isArray(other) ? { ...other, ...value } : value;
      assertSound(verify(kernel.canonicalize(grafted as Json), { trust: grafted as Json, links: [grafted as Json] }));
    }),
    { numRuns: runs(500) },
  );
});
