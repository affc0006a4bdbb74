/** Pictures of vaults: the leaves of a capsule, the lives of keys, the envelopes beside the events. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, pinKeys, referenceKernel, verify } from "@svc/core";
import { at, SERVICE } from "@svc/testkit/evidence/service";
import {
  disclosureOf,
  issueVaultStream,
  OTHER_VAULT,
  sealedStatus,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import { contentsOf, type Element, htmlOf, type Part, reportHtml, type Shown, sectionsOf } from "../src/index.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const MARKUP = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\u202e`;

const evidence = await issueVaultStream(6, {
  perWindow: 2,
  perCheckpoint: 2,
  vaultOf: (no) => (no % 3 === 0 ? OTHER_VAULT : VAULT),
});

function shownOf(value: unknown): Shown {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const report = verify(bytes, { kernel, trust });
  return {
    report,
    bytes,
    contents: contentsOf(kernel, report, bytes),
    trust,
    linkKids: [],
    file: { name: "file.json", bytes: bytes.length, sha256Hex: "0".repeat(64) },
    checked: { at: "2026-03-01T00:00:00.000Z", seconds: 1 },
  };
}

/** Returns the elements of a section of a page that have a tag and perhaps a class. */
function drawn(shown: Shown, section: string, tag: string, name?: string): Element[] {
  const found: Element[] = [];
  const visit = (part: Part): void => {
    if (typeof part === "string") return;
    if (part.tag === tag && (name === undefined || part.attributes.class === name)) found.push(part);
    part.children.forEach(visit);
  };
  const { above } = sectionsOf(shown);
  above.filter(({ attributes }) => attributes.id === section).forEach(visit);
  return found;
}

test("a capsule is drawn as its closed and opened leaves, and the opened values are below it", async () => {
  const shown = shownOf(await disclosureOf(evidence, 2, { names: ["content", "author"] }));
  assert.equal(shown.report.verdict, "verified");
  assert.equal(drawn(shown, "vault", "rect", "opened").length, 2);
  assert.equal(drawn(shown, "vault", "rect", "closed").length, 6);
  const text = htmlOf(el(drawn(shown, "vault", "figcaption")));
  assert.match(text, /2 leaves are opened. 6 stay closed: the file does not show what they hold/);
  assert.match(text, /Author 2/);
});

test("a large capsule is drawn in neighbours, and says so", async () => {
  const large = await issueVaultStream(2, { capsuleSize: 512 });
  const shown = shownOf(await disclosureOf(large, 1, { names: ["content"] }));
  assert.equal(drawn(shown, "vault", "rect").length, 64);
  assert.match(reportHtml(kernel, shown), /1 leaf is opened. 511 stay closed/);
  assert.match(reportHtml(kernel, shown), /a shape stands for several neighbours/);
});

test("a key's life is a line of time: with its end, and on which side of it the event came", async () => {
  const ended = (second: number) =>
    sealedStatus(VAULT, { status: "revoked", revocationReason: "decommissioned", revokedAt: at(second) });
  const before = shownOf(await disclosureOf(evidence, 2, { keyStatus: await ended(500) }));
  assert.match(reportHtml(kernel, before), /revoked from .*, before that end\./);
  assert.equal(drawn(before, "vault", "line", "broken").length, 1);
  assert.equal(drawn(before, "vault", "line", "event").length, 1);
  const after = shownOf(await disclosureOf(evidence, 2, { keyStatus: await ended(1) }));
  assert.equal(after.report.verdict, "rejected");
  assert.match(reportHtml(kernel, after), /, not before that end\./);
  const alone = shownOf(await sealedStatus(VAULT));
  assert.match(reportHtml(kernel, alone), /enrolled .*; active, as told/);
  assert.equal(drawn(alone, "vault", "line", "event").length, 0);
});

test("the envelopes of each vault are beside the events, and a broken one leads to its problem", async () => {
  const bundle = await vaultBundleOf(evidence);
  const shown = shownOf(bundle);
  assert.equal(shown.report.verdict, "verified");
  assert.equal(drawn(shown, "chain", "line", "tick").length, 6 + 4 + 2);
  const html = reportHtml(kernel, shown);
  assert.match(html, /a vault&#39;s envelopes 1 to 4|a vault's envelopes 1 to 4/);
  assert.ok(html.includes("4 envelopes, its own 1 to 4") && html.includes("2 envelopes, its own 1 to 2"));
  const edited = structuredClone(bundle) as unknown as { artifacts: Record<string, { envelopes: Json[] }> };
  const [, second] = edited.artifacts["provenance.json"]?.envelopes ?? [];
  (second as { envelope: { contentHash: string } }).envelope.contentHash = "0".repeat(64);
  const broken = shownOf(edited);
  const links = drawn(broken, "chain", "a").map(({ attributes }) => attributes["aria-label"]);
  assert.ok(links.includes("the envelope of event 2 is broken: to the problem"), `${links}`);
});

test("nothing in a file becomes markup, and no form of it stops the page", async () => {
  const disclosure = await disclosureOf(evidence, 2);
  const hostile: unknown[] = [
    { ...disclosure, fields: disclosure.fields.map((field) => ({ ...field, name: MARKUP, value: MARKUP })) },
    { ...disclosure, keyStatus: { ...disclosure.keyStatus, installationId: MARKUP, status: MARKUP } },
    { ...disclosure, keyStatus: { ...disclosure.keyStatus, enrolledAt: "2026-99-99T00:00:00.000Z" } },
    { ...disclosure, fields: [{ index: 1e300, name: 1, value: null }, null, "text", { index: -1, name: "a" }] },
    { ...disclosure, fields: "none", keyStatus: [], envelope: null },
    { ...disclosure, envelope: { content: { capsuleSize: 2 ** 40 } } },
  ];
  const bundle = (await vaultBundleOf(evidence)) as unknown as { manifest: object; artifacts: object };
  for (const envelopes of [
    null,
    [null],
    [{ seq_no: "1" }],
    [{ seq_no: 1e300, envelope: { installationId: MARKUP, vaultSeq: 1 } }],
  ])
    hostile.push({ ...bundle, artifacts: { ...bundle.artifacts, "provenance.json": { envelopes } } });
  hostile.push({ ...bundle, manifest: { ...bundle.manifest, vault_key_lifecycle: [null, { status: MARKUP }] } });
  for (const value of hostile) {
    const shown = shownOf(value);
    assert.equal(shown.report.verdict, "rejected");
    const html = reportHtml(kernel, shown);
    assert.ok(!/<img|<script|[\u202e]/.test(html), html.slice(0, 2000));
  }
});

function el(parts: readonly Part[]): Element {
  return { tag: "div", attributes: {}, children: parts };
}
