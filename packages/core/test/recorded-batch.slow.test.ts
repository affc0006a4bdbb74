/** The receipts of a batch, checked as they are in the answer: every standard mutant of them, and every edit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { id, issueStream } from "@svc/testkit/evidence/service";
import type { Json } from "../src/index.ts";
import { mutants as standardMutants } from "../src/tamper/index.ts";
import { mutants } from "./mutations.ts";
import { isAccepted, kernel, read, receipts, STREAM } from "./recorded-batch.ts";

test("every standard mutant of a stream is judged as record by record, forged and spliced ones too", async () => {
  const other = await issueStream(4, { streamNo: 2 });
  const good = { stream_id: STREAM, records: receipts } as unknown as Json;
  const donors = [{ stream_id: id("str", 2), records: other.records.slice(1) } as unknown as Json];
  let all = 0;
  for (const { bytes, description, path } of standardMutants("stream", good, { kernel, donors })) {
    const answer = new TextEncoder().encode(new TextDecoder().decode(bytes).replace('"records":', '"receipts":'));
    assert.equal(read({ answer }) !== null, isAccepted({ answer }), `${path} ${description}`);
    all += 1;
  }
  assert.ok(all > 1000, `${all}`);
});

test("every edit of an answer is judged as record by record without a policy, too", () => {
  let [all, accepted] = [0, 0];
  for (const { what, value } of mutants({ receipts } as unknown as Json)) {
    const given = { answer: kernel.canonicalize(value), trust: null };
    const expected = isAccepted(given);
    assert.equal(read(given) !== null, expected, what);
    [all, accepted] = [all + 1, accepted + Number(expected)];
  }
  // Signatures and names of keys change nothing, since nobody checks them.
  assert.ok(all > 300 && accepted > receipts.length, `${accepted} of ${all}`);
});
