/** The page of a report as data and as HTML: texts stay texts, every verdict says its word, and the picture shows what is there. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Json, type Kind, type Report, referenceKernel, type TrustPolicy, verify } from "@svc/core";
import {
  CHECK_NAMES,
  chainsOf,
  contentsOf,
  decodeEvidence,
  type Element,
  el,
  htmlOf,
  type Part,
  REPORT_STYLE,
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
    evidence: decodeEvidence(kernel, bytes),
    contents: contentsOf(report, bytes),
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

test("of every fixture there is a page that says the verdict, each problem's code, and each check", () => {
  assert.ok(names.length > 500);
  for (const name of names) {
    const shown = shownOf(name);
    const { above, below } = sectionsOf(shown);
    const text = [...above, ...below].map(textOf).join(" ");
    const { verdict, problems, checks, does_not_prove } = shown.report;
    assert.ok(text.includes(VERDICTS[verdict].word), name);
    for (const { code } of problems.slice(0, 50)) assert.ok(text.includes(code), `${name}: ${code}`);
    for (const { id } of checks) assert.ok(text.includes(CHECK_NAMES[id]), `${name}: ${id}`);
    for (const each of does_not_prove) assert.ok(text.includes(each), `${name}: ${each}`);
    assert.match(above[0]?.attributes.class ?? "", new RegExp(`^verdict ${VERDICTS[verdict].tone}$`), name);
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
  const marks = (name: string) => new RegExp(`class="${name}" d="([^"]*)"`).exec(html)?.[1]?.match(/M/g)?.length;
  assert.deepEqual([marks("ticks"), marks("ticks absent")], [1, 6]);
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

test("an element that is sent to another thread is the same there", () => {
  const { above } = sectionsOf(shownOf("bundle/good"));
  assert.deepEqual(structuredClone(above) as Element[], above);
});

test("what is dark on the screen is not on paper", () => {
  assert.match(REPORT_STYLE, /@media screen and \(prefers-color-scheme:dark\)/);
  assert.equal(REPORT_STYLE.match(/prefers-color-scheme/g)?.length, 1);
});
