/**
 * No small change of a good object stays `verified`, but for what the protocol leaves free: payloads may be left out of a bundle, key
 * hints may come and go while the key is pinned, and what is unsealed may be left out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { issueConsistency, type Json, pinKeys, referenceKernel, verify, windowHash } from "../src/index.ts";
import { mutants } from "./mutations.ts";
import { bundleOf, issueStream, SERVICE } from "./service.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueStream(3, { perWindow: 2, perCheckpoint: 1 });
const [record] = evidence.records;
const [window] = evidence.windows;
const [first, second] = evidence.checkpoints;
assert.ok(record !== undefined && window !== undefined && first !== undefined && second !== undefined);
const windowHashes = evidence.windows.map((one) => windowHash(kernel, one));

const FREE: Readonly<Record<string, RegExp>> = {
  // A run cut at an end is a shorter run.
  stream: /^\/records\/(0|2) dropped$/,
  // Leaves are unsealed, and a window does not need them.
  window: /^\/leaves deleted$/,
  bundle: /^\/payloads(\/sev_\w+)? deleted$|^\/key_hints\/0 (dropped|repeated)$/,
};

const objects: Readonly<Record<string, unknown>> = {
  receipt: record,
  stream: { stream_id: record.stream_id, records: evidence.records },
  window: { ...window, leaves: evidence.records.slice(0, 2).map((one) => one.event_hash) },
  checkpoint: first,
  consistency: issueConsistency(kernel, first, second, windowHashes),
  bundle: await bundleOf(evidence),
};

for (const [kind, object] of Object.entries(objects)) {
  test(`no mutant of a good ${kind} stays verified`, () => {
    const good = JSON.parse(JSON.stringify(object)) as Json;
    const check = (value: Json) => verify(kernel.canonicalize(value), { trust });
    assert.equal(check(good).verdict, "verified");
    const survivors: string[] = [];
    let free = 0;
    let count = 0;
    for (const { what, value } of mutants(good)) {
      count++;
      const report = check(value);
      if (!report.ok) assert.notEqual(report.problems.length, 0, `${what} is ${report.verdict} without a problem`);
      else if (FREE[kind]?.test(what)) free++;
      else survivors.push(what);
    }
    assert.deepEqual(survivors, []);
    console.log(`# ${kind}: ${count} mutants, ${free} of them free, no survivors`);
  });
}
