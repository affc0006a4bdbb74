/** The words about who signed: nothing untrue, and nothing that leads a reader to a forger's key. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type Json,
  type PublicKeyHex,
  pinKeys,
  type Report,
  referenceKernel,
  type TrustPolicy,
  verify,
} from "@svc/core";
import { detailsOf, inGroups, isFromLink, ladderOf, type Reader, whatHolds, whoseKey } from "../src/index.ts";
import { voucherOf } from "../src/page/vouchers.ts";
import { stretchOf } from "../src/received.ts";
import { isSignerKnown } from "../src/signers.ts";

const CASES = new URL("../../../fixtures/cases/", import.meta.url);
const kernel = referenceKernel;

interface Fixture {
  readonly trust: TrustPolicy;
  readonly input: string;
  readonly links?: readonly Json[];
}

const read = (name: string): Fixture => JSON.parse(readFileSync(new URL(`${name}.json`, CASES), "utf8"));
const good = read("bundle/good");
const [pin] = good.trust.signers;
assert.ok(pin);
const stranger = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c" as PublicKeyHex;

function reportOn(name: string, trust: TrustPolicy): Report {
  const { input, links = [] } = read(name);
  return verify(new TextEncoder().encode(input), { kernel, trust, links });
}

/** Returns everything that is said of a fixture under a policy, with the report. */
function said(name: string, trust: TrustPolicy, reader: Partial<Reader> = {}) {
  const report = reportOn(name, trust);
  const own: Reader = { trust: trust.signers.length === 0 ? undefined : trust, ...reader };
  const advice = report.verdict === "untrusted" ? whoseKey(report, own) : [];
  return { report, details: detailsOf(report, own), all: [...detailsOf(report, own), ...advice].join("\n") };
}

test("without a pin: unbroken, but anybody could have made it", () => {
  const { details, all } = said("bundle/good", { signers: [] });
  assert.equal(details.at(-1), "unbroken, but anybody could have made it: you have not said whose key to trust");
  assert.doesNotMatch(all, /nothing is wrong|the right one/i);
});

test("under another pin: not sealed by the key that you pinned, and the sender is nobody to ask", () => {
  const trust = pinKeys(kernel, [stranger]);
  const [other] = trust.signers;
  const { details, all, report } = said("bundle/good", trust);
  for (const { message, action } of report.problems) {
    assert.doesNotMatch(message, /have not said/);
    assert.match(action, /^Compare the key that you pinned/);
  }
  const words =
    "Compare that key with the service's own: if it fits, the service has changed its key, or this is not from " +
    "the service. Ask the service, not the sender of the file";
  assert.equal(details.at(-1), `not sealed by the key that you pinned. ${words}`);
  assert.doesNotMatch(all, /nothing is wrong|unbroken|the right one/i);
  const named = said("bundle/good", trust, { names: { [`${other?.kid}`]: "acme\u001b 2026" } });
  assert.equal(named.details.at(-1), `not sealed by the key that you pinned ("acme\\u{1b} 2026"). ${words}`);
});

test("a pin that differs in one or two digits is called a slip, with its place; any other pin is another key", () => {
  const [slip, two, other] = ["pin-with-a-slip", "pin-with-two-slips", "pin-of-another"].map((name) => {
    const { report, details } = said(`bundle/${name}`, read(`bundle/${name}`).trust);
    return { last: details.at(-1), problem: report.problems[0] };
  });
  assert.equal(slip?.last, "the key that you pinned differs from this file's in digit 2: compare the two again");
  assert.match(`${two?.last}`, /differs from this file's in digits 2 and 40: compare/);
  assert.match(`${slip?.problem?.action}`, /digit by digit/);
  assert.match(`${other?.last}`, /^not sealed by the key that you pinned\./);
  assert.doesNotMatch(`${other?.problem?.action}`, /digit by digit/);
});

test("what a stranger's step takes to fake is said as such", () => {
  const { report } = said("bundle/good", { signers: [] });
  assert.ok(!isSignerKnown(report, { trust: undefined }));
  for (const { name } of ladderOf(report).slice(0, 5)) {
    assert.equal(voucherOf(name, false).faked, "Anybody with a key can make this.", name);
    assert.doesNotMatch(voucherOf(name, false).who, /service/, name);
    assert.notEqual(voucherOf(name, true).faked, voucherOf(name, false).faked, name);
  }
});

test("fingerprints are compared the right way round, and whole", () => {
  const { all, report } = said("bundle/good", { signers: [] });
  const groups = inGroups(report.signers[0]?.fingerprint ?? "");
  assert.match(groups, /^([0-9a-f]{4} ){15}[0-9a-f]{4}$/);
  assert.ok(all.includes(`Fingerprint of the key in this file: ${groups}. If the service never had it,`), all);
});

test("a fingerprint that was given as a key is recognised", () => {
  const fingerprint = reportOn("bundle/good", good.trust).signers[0]?.fingerprint as PublicKeyHex;
  const { details } = said("bundle/good", pinKeys(kernel, [fingerprint]));
  assert.equal(details.at(-1), "what you gave is the fingerprint of this file's key: it fits. Give the key itself");
});

test("a bare proof says that nobody signed it, whichever keys are pinned", () => {
  for (const trust of [good.trust, { signers: [] }])
    assert.equal(
      said("inclusion/bare", trust).details.at(-1),
      "anybody could have made it: nobody signed it by itself",
    );
});

test("a verdict names the service, the reader's name for the key, the times and whose clock", () => {
  const { details } = said("bundle/good", good.trust, { names: { [`${pin.kid}`]: "acme 2026" } });
  assert.deepEqual(details.slice(1), [
    "received 1 March 2026, 00:00 UTC, by the service's clock",
    `sealed by acme 2026 (${pin.kid}), which you pinned, for test.example/evidence`,
  ]);
  const unsaid = said("bundle/good", { signers: [] }).details;
  assert.ok(unsaid.includes("it says that it comes from test.example/evidence"));
  assert.ok(unsaid.includes("received 1 March 2026, 00:00 UTC, by the signer's clock"));
  assert.doesNotMatch(said("bundle/payload-edited", good.trust).all, /received|sealed by/);
});

test("what extends a remembered checkpoint says so", () => {
  const { trust } = read("checkpoint/good-known-linked");
  const { details } = said("checkpoint/good-known-linked", trust);
  assert.match(details.at(-1) ?? "", /^it extends the checkpoint that you remembered, of \d+ windows?: nothing before/);
  assert.doesNotMatch(said("checkpoint/good", read("checkpoint/good").trust).all, /extends/);
});

test("a key from the link is never one that the reader pinned", () => {
  const { report, all } = said("bundle/good", good.trust, { linkKids: [pin.kid] });
  assert.match(all, /which came with the link/);
  assert.doesNotMatch(all, /you pinned/);
  assert.equal(isFromLink(report, { trust: good.trust, linkKids: [pin.kid] }), true);
  assert.equal(isFromLink(report, { trust: good.trust, linkKids: [] }), false);
  // A report does not say which pin led to an endorsed key: it may have been the link's.
  const rotated = read("bundle/good-rotated").trust;
  const endorsed = reportOn("bundle/good-rotated", rotated);
  assert.equal(isFromLink(endorsed, { trust: rotated, linkKids: ["ed25519-0000000000000000"] }), true);
});

test("no mark is a full one where no pin of the reader leads to the signer", () => {
  const seen = new Set<string>();
  const marks = (report: Report, reader: Reader) => ladderOf(report, reader).map(({ mark, tone }) => `${mark} ${tone}`);
  const names = [
    "bundle/good-two-witnesses-pinned",
    "bundle/good-vaults-pinned",
    "anchor/good-pinned",
    "envelope/good-claim",
  ];
  for (const name of names) {
    const { trust } = read(name);
    const known = reportOn(name, trust);
    assert.equal(known.verdict, "verified", name);
    for (const mark of marks(known, { trust })) seen.add(mark);
    const kids = known.signers.map(({ kid }) => kid);
    assert.equal(marks(known, { trust, linkKids: kids }).includes("● good"), false, name);
    for (const signers of [[], pinKeys(kernel, [stranger]).signers]) {
      const other = { ...trust, signers };
      const report = reportOn(name, other);
      if (report.verdict !== "untrusted") continue;
      assert.equal(marks(report, { trust: other }).includes("● good"), false, name);
      assert.doesNotMatch(said(name, other).details.join(), /service's clock/);
    }
  }
  assert.ok(seen.has("● good"));
  const linked = said("bundle/good", good.trust, { linkKids: [pin.kid] }).details;
  assert.ok(linked.includes("received 1 March 2026, 00:00 UTC, by the signer's clock"), linked.join("; "));
});

test("the service's own witness is nobody who would have to collude", () => {
  const step = (trust: TrustPolicy) =>
    ladderOf(reportOn("bundle/good", trust)).find(({ name }) => name === "witnessed");
  const own = "by the signer's own witness only: this step adds nothing against the signer itself";
  // Pinning its key changes nothing.
  const { witnesses } = read("checkpoint/good-quorum").trust;
  assert.ok(witnesses);
  for (const trust of [good.trust, { ...good.trust, witnesses }]) {
    const { mark, tone, text } = step(trust) ?? {};
    assert.deepEqual([mark, tone, text], ["○", null, own]);
  }
});

test("a stretch of time is said as shortly as it can be", () => {
  const cases = [
    ["2026-03-01T09:00:00.000Z", "2026-03-01T09:00:59.000Z", "1 March 2026, 09:00 UTC"],
    ["2026-03-01T09:00:00.000Z", "2026-03-01T17:30:00.000Z", "1 March 2026, 09:00 to 17:30 UTC"],
    ["2026-03-01T09:00:00.000Z", "2026-03-31T17:30:00.000Z", "1 to 31 March 2026"],
    ["2026-03-01T09:00:00.000Z", "2026-04-02T17:30:00.000Z", "1 March to 2 April 2026"],
    ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", "31 December 2025 to 1 January 2026"],
  ] as const;
  for (const [from, to, words] of cases) assert.equal(stretchOf(from, to), words);
  for (const other of [undefined, "", "yesterday", "2026-13-01T00:00:00.000Z"])
    assert.equal(stretchOf(other, "2026-03-01T09:00:00.000Z"), null);
});

test("a rejected file says under whose key the rest holds, and a key of the link alone is not called trusted", () => {
  const report = reportOn("bundle/payload-edited", good.trust);
  assert.equal(report.verdict, "rejected");
  assert.match(whatHolds(report) ?? "", /\(signatures under a key that you trust\)\.$/);
  const linked = whatHolds(report, { trust: good.trust, linkKids: [pin.kid] } as Reader) ?? "";
  assert.match(linked, /\(signatures under a key that came with the link\)\.$/);
  const unpinned = whatHolds(reportOn("bundle/payload-edited", { signers: [] })) ?? "";
  assert.match(unpinned, /\(signatures not all under a key that you trust\)\.$/);
  const unsigned = whatHolds(reportOn("receipt/signature-edited", good.trust)) ?? "";
  assert.match(unsigned, /holds: 1 payload, 1 event hash\.$/);
});

test("a bundle says that its key is missing only where a signature could not be checked", () => {
  const report = reportOn("bundle/good", good.trust);
  const included = (signed: boolean) => {
    const assurance = { ...report.assurance, signed, included: false };
    return ladderOf({ ...report, assurance }).find(({ name }) => name === "included")?.text ?? "";
  };
  assert.match(included(false), /the key that is missing/);
  assert.doesNotMatch(included(true), /the key that is missing/);
});
