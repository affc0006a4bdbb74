/**
 * Portable receipts cut out of the good bundles of the independent implementation: each event's is as good as the
 * bundle, under the same trust policy. Policies that expect a range or know a checkpoint are left out: one event need
 * not meet them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { vectorCases } from "@svc/testkit/vectors";
import { type Bundle, type Json, portableReceiptOf, redact, referenceKernel, verify } from "../src/index.ts";

const kernel = referenceKernel;

interface Case {
  readonly trust: { readonly [name: string]: Json };
  readonly verdict: string;
  readonly input: string;
}

test("what is cut out of a good bundle is as good as the bundle", () => {
  let anchored = 0;
  let cut = 0;
  for (const { name, trust, verdict, input } of vectorCases<Case>("proofstream/cases/bundle.jsonl")) {
    if (verdict !== "verified" || "expect" in trust || "known_checkpoints" in trust) continue;
    const value = JSON.parse(input) as Json;
    const whole = verify(kernel.canonicalize(value), { trust });
    // Kinds of bundles that this release does not verify.
    if (!whole.ok) continue;
    const bundle = value as Bundle;
    for (const { seq_no } of bundle.artifacts["receipts.json"]) {
      const portable = portableReceiptOf(kernel, bundle, seq_no);
      const redacted = redact(portable, [seq_no]);
      for (const [object, count] of [
        [portable, bundle.payloads?.[portable.receipt.stream_event_id] ? 0 : 1] as const,
        [redacted, 1] as const,
      ]) {
        const { verdict: own, problems, assurance } = verify(kernel.canonicalize(object), { trust });
        assert.equal(own, "verified", `${name}, event ${seq_no}: ${JSON.stringify(problems[0])}`);
        assert.deepEqual(
          assurance,
          { ...whole.assurance, complete: false, redacted: count },
          `${name}, event ${seq_no}`,
        );
      }
      cut++;
      if (portable.anchor !== undefined) anchored++;
    }
  }
  assert.ok(cut > 100 && anchored > 20, `${cut} were cut, ${anchored} of them with an anchor`);
});
