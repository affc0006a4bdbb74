/** The words and the look of forks: evidence of one alone, one between files, and one that nobody's signature shows. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { referenceKernel, type TrustPolicy, verify } from "@svc/core";
import {
  contentsOf,
  forkSentence,
  forkShown,
  htmlOf,
  lookOf,
  reportHtml,
  type Shown,
  sectionsOf,
} from "../src/index.ts";

const kernel = referenceKernel;
const FOLDER = new URL("../../../fixtures/cases/", import.meta.url);

interface Case {
  readonly input: string;
  readonly trust?: TrustPolicy;
}

function caseOf(name: string) {
  const { input, trust } = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")) as Case;
  return { bytes: new TextEncoder().encode(input), trust };
}

function shownOf(name: string): Shown {
  const { bytes, trust } = caseOf(name);
  const report = verify(bytes, { kernel, ...(trust === undefined ? {} : { trust }) });
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

const bandOf = (shown: Shown) => htmlOf(sectionsOf(shown).above[0] ?? "");

test("the page of evidence of a fork says FORK in the bad tone, with the stream and the place", () => {
  const shown = shownOf("fork/good-checkpoint-two-sizes");
  assert.equal(shown.report.verdict, "verified");
  assert.deepEqual(lookOf(shown), { tone: "bad", mark: "▲", word: "FORK" });
  const band = bandOf(shown);
  assert.match(band, /class="verdict bad"/);
  assert.match(band, /evidence of a fork in str_01k30000000000000000000001, within the first 4 windows,/);
  assert.match(reportHtml(kernel, shown, { payloads: false }), /<title>▲ FORK: file\.json<\/title>/);
});

test("a verified file that a fork names has no good look, and any other file keeps its own", () => {
  const shown = shownOf("bundle/good");
  assert.deepEqual(lookOf(shown), { tone: "good", mark: "●", word: "VERIFIED" });
  const fork = "left.json and right.json show two histories";
  assert.deepEqual(lookOf({ ...shown, fork }), { tone: "bad", mark: "▲", word: "FORK" });
  const band = bandOf({ ...shown, fork });
  assert.match(band, /class="verdict bad"/);
  assert.match(band, /<h2[^>]*>left\.json and right\.json show two histories<\/h2>/);
  assert.match(band, /By itself: What was recorded is unchanged/);
  assert.equal(lookOf({ ...shownOf("bundle/sealed-by-stranger"), fork }).word, "UNTRUSTED");
});

test("each good evidence of a fork names its place", () => {
  const names = readdirSync(new URL("fork/", FOLDER)).filter((name) => name.startsWith("good-"));
  const shownBy = (name: string) => {
    const { report, bytes } = shownOf(name);
    return forkShown(bytes, report.subject.stream_id);
  };
  assert.ok(names.length > 20);
  for (const name of names)
    assert.match(
      shownBy(`fork/${name.replace(/\.json$/, "")}`),
      /^evidence of a fork in (?:a log|str_\w+), (?:at event|in window|within the first) \d/,
      name,
    );
  assert.match(shownBy("fork/good-head-two-receipts"), /, at event /);
  assert.match(shownBy("fork/good-epoch-two-anchors-of-two-sizes"), /in a log, within the first 4 of its entries$/);
});

test("of files whose signatures were not all checked nobody is said to have sealed them", () => {
  const fork = { stream_id: "str_1", names: ["a", "b"], more: [], place: { seq_no: 5 }, reached: false };
  assert.match(forkSentence(fork), /your trust does not reach sealed both/);
  const words = forkSentence({ ...fork, unchecked: ["a", "b"] });
  assert.match(words, /Not every signature of a and b was checked: anybody could have made such a file\.$/);
  assert.doesNotMatch(words, /sealed/);
});
