/**
 * No small change of a good object stays `verified`, but for what the protocol leaves free: payloads may be left out of a bundle, key
 * hints may come and go while the key is pinned, and what is unsealed may be left out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  issueAnchorConsistency,
  issueConsistency,
  type Json,
  pinKeys,
  portableReceiptOf,
  referenceKernel,
  verify,
  windowHash,
} from "../src/index.ts";
import { anchorOf, serviceLog } from "./anchors.ts";
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

const anchor = await anchorOf([first, second]);
const earlier = await anchorOf([first], { state: "published", epochNo: 2 });

const FREE: Readonly<Record<string, RegExp>> = {
  // A run cut at an end is a shorter run.
  stream: /^\/records\/(0|2) dropped$/,
  // Leaves are unsealed, and a window does not need them.
  window: /^\/leaves deleted$/,
  // Members are unsealed, in any order, and their ids stand under no hash.
  anchor: /^\/members(\/[01] (dropped|repeated|swapped)|\/[01]\/checkpoint_id changed to .*)$/,
  "consistency of anchors":
    /^\/(from|to)_anchor\/members(\/[01] (dropped|repeated|swapped)|\/[01]\/checkpoint_id changed to .*)$/,
  bundle: /^\/payloads(\/sev_\w+)? deleted$|^\/key_hints\/0 (dropped|repeated)$/,
  "bundle with an anchor": /^\/payloads(\/sev_\w+)? deleted$|^\/key_hints\/0 (dropped|repeated)$/,
  "portable-receipt": /^\/(witnesses|key_hints|checkpoint\/frontier) deleted$|^\/key_hints\/0 (dropped|repeated)$/,
};

const objects: Readonly<Record<string, unknown>> = {
  receipt: record,
  stream: { stream_id: record.stream_id, records: evidence.records },
  window: { ...window, leaves: evidence.records.slice(0, 2).map((one) => one.event_hash) },
  checkpoint: first,
  consistency: issueConsistency(kernel, first, second, windowHashes),
  anchor,
  "consistency of anchors": issueAnchorConsistency(kernel, earlier, anchor, serviceLog([first, second])),
  bundle: await bundleOf(evidence),
  "bundle with an anchor": await bundleOf(evidence, 1, SERVICE, [anchor]),
  "portable-receipt": portableReceiptOf(kernel, await bundleOf(evidence), 2),
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
