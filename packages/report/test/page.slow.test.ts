/**
 * The page of a report as data and as HTML: texts stay texts, every verdict has its word, and the picture shows the
 * contents.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Json, type Kind, type Report, referenceKernel, type TrustPolicy, verify } from "@svc/core";
import {
  CHECK_NAMES,
  chainsOf,
  contentsOf,
  detailsOf,
  type Element,
  el,
  eventFacts,
  groupedIn,
  htmlOf,
  type Part,
  REPORT_STYLE,
  readableTime,
  reportHtml,
  type Shown,
  sectionsOf,
  VERDICTS,
} from "../src/index.ts";

const CASES = new URL("../../../fixtures/cases/", import.meta.url);
const kernel = referenceKernel;

interface Fixture {
  readonly kind: Kind;
  readonly trust: TrustPolicy;
  readonly links?: readonly Json[];
  readonly input?: string;
  readonly input_base64?: string;
}

function shownOf(name: string): Shown {
  const {
    kind,
    trust,
    links = [],
    input,
    input_base64 = "",
  } = JSON.parse(readFileSync(new URL(`${name}.json`, CASES), "utf8")) as Fixture;
  const bytes =
    input === undefined ? new Uint8Array(Buffer.from(input_base64, "base64")) : new TextEncoder().encode(input);
  const report: Report = verify(bytes, { kernel, kind, trust, links });
  return {
    report,
    bytes,
    contents: contentsOf(kernel, report, bytes),
    trust,
    linkKids: [],
    file: { name: `${name}.json`, bytes: bytes.length, sha256Hex: "0".repeat(64) },
    checked: { at: "2026-03-01T00:00:00.000Z", seconds: 1 },
  };
}

const names = readdirSync(CASES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length));

function textOf(part: Part): string {
  return typeof part === "string" ? part : part.children.map(textOf).join(" ");
}

/** True evidence of a fork is bad news. */
const FORK = { word: "FORK", tone: "bad" };

test("of every fixture there is a page that says the verdict, each problem's code, and each check", () => {
  assert.ok(names.length > 500);
  for (const name of names) {
    const shown = shownOf(name);
    const { above, below } = sectionsOf(shown);
    const text = [...above, ...below].map(textOf).join(" ");
    const { verdict, kind, problems, checks, does_not_prove } = shown.report;
    const { word, tone } = verdict === "verified" && kind === "fork" ? FORK : VERDICTS[verdict];
    assert.ok(text.includes(word), name);
    for (const { code } of problems.slice(0, 50)) assert.ok(text.includes(code), `${name}: ${code}`);
    for (const { id } of checks) assert.ok(text.includes(CHECK_NAMES[id]), `${name}: ${id}`);
    for (const each of does_not_prove) assert.ok(text.includes(each), `${name}: ${each}`);
    assert.match(above[0]?.attributes.class ?? "", new RegExp(`^verdict ${tone}$`), name);
  }
});

test("no two elements have the same id, and every link leads to one", () => {
  for (const name of ["bundle/payload-edited", "bundle/good", "truth-package/good", "portable-receipt/good"]) {
    const { above, below } = sectionsOf(shownOf(name));
    const ids: string[] = [];
    const links: string[] = [];
    const visit = (part: Part): void => {
      if (typeof part === "string") return;
      if (part.attributes.id !== undefined) ids.push(part.attributes.id);
      if (part.tag === "a") links.push(part.attributes.href?.slice(1) ?? "");
      part.children.forEach(visit);
    };
    [...above, ...below].forEach(visit);
    assert.equal(new Set(ids).size, ids.length, name);
    for (const link of links) assert.ok(ids.includes(link), `${name}: ${link}`);
    if (name === "bundle/payload-edited") assert.equal(links.length, 1);
  }
});

test("the chain of a bundle is what it holds; what is only not trusted is not broken", () => {
  const chainOf = (name: string) => {
    const { report, contents, trust } = shownOf(name);
    return chainsOf(report, contents ?? assert.fail("contents"), trust)[0] ?? assert.fail("a chain");
  };
  const good = chainOf("bundle/good");
  assert.deepEqual(good.events, { from: 1, to: 10, count: 10, heldTo: 10 });
  assert.deepEqual([good.windows.length, good.checkpoints.length, good.witnesses.length], [4, 2, 1]);
  assert.equal(good.witnesses[0]?.isManaged, true);
  assert.deepEqual(good.brokenEvents, []);
  assert.deepEqual(
    chainOf("bundle/payload-edited").brokenEvents.map(({ no }) => no),
    [4],
  );
  assert.deepEqual(chainOf("portable-receipt/good").events, { from: 4, to: 10, count: 1, heldTo: 4 });
});

test("events that the file does not hold are not drawn as if it did", () => {
  const html = reportHtml(kernel, shownOf("portable-receipt/good"));
  const marks = (name: string) => html.match(new RegExp(`<line class="${name}"`, "g"))?.length;
  assert.deepEqual([marks("tick"), marks("tick absent")], [1, 6]);
  assert.match(html, /Event 4, of a chain up to event 10 of <code>/);
});

test("a text is never markup", () => {
  const text = `<b a="1">&amp;'`;
  assert.equal(
    htmlOf(el("p", { title: text }, text)),
    `<p title="&lt;b a=&quot;1&quot;&gt;&amp;amp;'">&lt;b a="1"&gt;&amp;amp;'</p>`,
  );
  assert.equal(htmlOf(el("meta", { charset: "utf-8", none: undefined })), `<meta charset="utf-8">`);
});

test("the file is the same for the same input, and has its events", () => {
  const shown = shownOf("bundle/good");
  const html = reportHtml(kernel, shown);
  assert.equal(reportHtml(kernel, shown), html);
  assert.equal(html.match(/<td>loan\.decided<\/td>/g)?.length, 10);
  assert.doesNotMatch(html, /<script|https?:/);
});

test("payloads are on the page as texts, and can be left out of it", () => {
  const shown = shownOf("bundle/good");
  const payloads = shown.contents ?? assert.fail("contents");
  const texts = Array.from({ length: payloads.count }, (_, index) => payloads.payload(kernel, index) ?? "");
  assert.ok(texts.every((text) => text.length > 10));
  const [whole, without] = [reportHtml(kernel, shown), reportHtml(kernel, shown, { payloads: false })];
  for (const text of texts) {
    assert.ok(whole.includes(`>${text}</pre>`), text);
    assert.ok(!without.includes(text), text);
  }
  assert.match(without, /saved without payloads/);
});

test("the times of an event are not called the service's: another signer may have made the file", () => {
  const { contents } = shownOf("bundle/payload-edited");
  const facts = textOf(eventFacts((contents ?? assert.fail("contents")).row(0)));
  assert.match(facts, /by the signer's clock/);
  assert.doesNotMatch(facts, /service/);
});

test("an element that is sent to another thread is the same there", () => {
  const { above } = sectionsOf(shownOf("bundle/good"));
  assert.deepEqual(structuredClone(above) as Element[], above);
});

test("what is dark on the screen is not on paper", () => {
  assert.match(REPORT_STYLE, /@media screen and \(prefers-color-scheme:dark\)/);
  assert.equal(REPORT_STYLE.match(/prefers-color-scheme/g)?.length, 1);
});

test("of a rejected file the reason is before the ladder and any picture; of any other behind them", () => {
  const order = (name: string) => sectionsOf(shownOf(name)).above.map(({ attributes }) => attributes.id ?? "verdict");
  assert.deepEqual(order("bundle/payload-edited"), ["verdict", "problems", "ladder", "chain"]);
  assert.deepEqual(order("bundle/good"), ["verdict", "ladder", "chain"]);
});

test("the ladder of a rejected file names the broken step, and calls none of them good", () => {
  const [ladder] = sectionsOf(shownOf("bundle/payload-edited")).above.filter(
    ({ attributes }) => attributes.id === "ladder",
  );
  const html = htmlOf(ladder ?? assert.fail("a ladder"));
  assert.match(html, /✗<\/span><div><p><strong>signed<\/strong> does not hold: payloads</);
  assert.match(html, /◐<\/span><div><p><strong>included<\/strong> holds by itself: window roots/);
  assert.doesNotMatch(html, /●|mark good/);
});

test("one thing by itself is not drawn", () => {
  const isDrawn = (name: string) => sectionsOf(shownOf(name)).above.some(({ attributes }) => attributes.id === "chain");
  assert.deepEqual(["receipt/good", "checkpoint/good", "portable-receipt/good", "bundle/good"].map(isDrawn), [
    false,
    false,
    true,
    true,
  ]);
});

test("checks and words are closed until somebody opens them, and say how many they are", () => {
  const html = htmlOf(el("main", {}, ...sectionsOf(shownOf("bundle/payload-edited")).below));
  assert.match(html, /<section id="checks"[^>]*><details><summary><h2 id="checks-title">Each check<\/h2>/);
  assert.match(html, /<span class="quiet">1 failed, 18 passed, 6 not checked<\/span>/);
  assert.match(html, /<section id="words"[^>]*><details><summary>/);
  for (const term of ["sealed", "cosigned", "window", "checkpoint", "anchored", "endorsement"])
    assert.match(html, new RegExp(`<dt>${term}</dt><dd>[^<]+\\.</dd>`));
});

test("numbers are grouped in every sentence", () => {
  assert.equal(
    groupedIn("events 1 to 100000 of str_1000, up to event 99999"),
    "events 1 to 100,000 of str_1000, up to event 99,999",
  );
  assert.equal(groupedIn("Window 1234567 starts at event 999"), "Window 1,234,567 starts at event 999");
  const shown = shownOf("bundle/good");
  const { report } = shown;
  const subject = { ...report.subject, from_seq_no: 1000, to_seq_no: 100_000 };
  assert.match(detailsOf({ ...report, subject }, shown)[0] ?? "", /^events 1,000 to 100,000 of /);
});

test("times are shown as people write them, in UTC; a text that is no time stays unchanged", () => {
  assert.equal(readableTime("2026-11-22T14:45:12.345Z"), "22 Nov 2026, 14:45:12 UTC");
  assert.equal(readableTime("2026-03-01T00:30:00+01:00"), "28 Feb 2026, 23:30:00 UTC");
  for (const text of ["", "yesterday", "2026-02-30T00:00:00X", "2026-13-01T00:00:00Z", "1"])
    assert.equal(readableTime(text), text);
});
