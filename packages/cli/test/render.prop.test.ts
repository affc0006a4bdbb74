/**
 * Any text in a report, a file name or a key: the page for a person holds no character that a terminal acts on, keeps
 * to 80 columns, and its escapes say which characters were there.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kind, pinKeys, type Report, referenceKernel, verify } from "@svc/core";
import { decodeEvidence, escapeJson, escapeText, shorten } from "@svc/report";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { shellWord } from "../src/evidence-file/shell-word.ts";
import { painter } from "../src/render/color.ts";
import { renderReport } from "../src/render/report.ts";
import { COLUMNS, wrap } from "../src/render/text.ts";

/**
 * Written out, and not taken from the code under test: C0, DEL, C1; bidi marks, overrides and isolates; separators;
 * surrogates.
 */
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]/u;

const active = fc.constantFrom(
  ..."\u0000\u0007\b\t\n\r\u001b\u007f\u0085\u009b\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029",
  "\u001b[31m",
  "\u001b]0;title\u0007",
  "\ud800",
  "\udc00",
  "\u{e0041}",
);
const nastyText = fc
  .array(fc.oneof(active, fc.string({ unit: "binary", maxLength: 40 }), fc.constant(" "), fc.constant("/a~1b")))
  .map((parts) => parts.join(""));

const kernel = referenceKernel;
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const evidence = await issueStream(6);
const bundle = await bundleOf(evidence);
const broken = JSON.parse(JSON.stringify(bundle));
broken.artifacts["receipts.json"].reverse();
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const subjects: readonly { bytes: Uint8Array; kind: Kind; isPinned: boolean }[] = [
  { bytes: encode(bundle), kind: "bundle", isPinned: true },
  { bytes: encode(bundle), kind: "bundle", isPinned: false },
  { bytes: encode(broken), kind: "bundle", isPinned: false },
  { bytes: encode(bundle), kind: "receipt", isPinned: true },
  { bytes: encode(evidence.records[0]), kind: "receipt", isPinned: false },
  { bytes: encode("{"), kind: "receipt", isPinned: false },
];
const seen = subjects.map(({ bytes, kind, isPinned }) => {
  const report = verify(bytes, { kind, kernel, ...(isPinned ? { trust: trust as never } : {}) });
  return { report, opened: decodeEvidence(kernel, bytes), kind, trust: isPinned ? trust : undefined };
});

/** Returns the report with other words: every text but codes, names of checks, statuses and the verdict. */
function reworded(report: Report, texts: readonly string[]): Report {
  let at = 0;
  const next = () => texts[at++ % texts.length] ?? "";
  return {
    ...report,
    subject: report.subject.id === null ? report.subject : { ...report.subject, id: next(), stream_id: next() },
    verifier: { ...report.verifier, version: next() },
    checks: report.checks.map((check) => ({ ...check, note: next() })),
    problems: report.problems.map((problem) => ({
      ...problem,
      path: `${problem.path}/${next()}`,
      message: next(),
      expected: next(),
      actual: next(),
      action: next(),
    })),
    proves: [...report.proves.map(next), next()],
    does_not_prove: [...report.does_not_prove.map(next), next()],
  };
}

test("no character that a terminal acts on comes through", () => {
  const inputs = fc.tuple(fc.constantFrom(...seen), fc.array(nastyText, { minLength: 1 }), nastyText, nastyText);
  fc.assert(
    fc.property(inputs, ([{ report, opened, kind, trust }, texts, file, trustFile]) => {
      const names = Object.fromEntries(report.signers.map(({ kid }) => [kid, file]));
      const call = { kind, file, trustFile, trust, names };
      const lines = renderReport(
        reworded(report, texts),
        { bytes: opened.bytes, kind: () => opened.kind },
        call,
        0.2,
        painter(false),
      );
      for (const line of lines) {
        assert.doesNotMatch(line, ACTIVE);
        // A command stays on its line, so that it can be copied.
        const isCommand = /^ +--trust /.test(line) || line.includes(shellWord(file));
        if (!isCommand) assert.ok([...line].length <= COLUMNS, line);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test("escapes are readable back, and leave harmless text alone", () => {
  fc.assert(
    fc.property(nastyText, (text) => {
      const escaped = escapeText(text);
      assert.doesNotMatch(escaped, ACTIVE);
      const back = escaped.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => String.fromCodePoint(Number(`0x${hex}`)));
      if (!text.includes("\\u{")) assert.equal(back, text);
    }),
  );
  assert.equal(escapeText("Ünïcode 地震 M 4.2 – “ok” ✗"), "Ünïcode 地震 M 4.2 – “ok” ✗");
  assert.equal(escapeText("a\u001b[31mb\u202ec\n"), "a\\u{1b}[31mb\\u{202e}c\\u{a}");
});

test("escaped JSON reads back as it was, on one harmless line", () => {
  fc.assert(
    fc.property(fc.dictionary(nastyText, nastyText), (value) => {
      const json = escapeJson(JSON.stringify(value));
      assert.doesNotMatch(json, ACTIVE);
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("wrapping loses no character and no line is too long", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", " ", "地"), maxLength: 400 }), (text) => {
      const lines = wrap(text, { first: "> ", rest: ". " });
      assert.ok(lines.every((line) => [...line].length <= COLUMNS));
      assert.ok(lines[0]?.startsWith("> ") && lines.slice(1).every((line) => line.startsWith(". ")));
      assert.equal(
        lines
          .map((line) => line.slice(2))
          .join("")
          .replaceAll(" ", ""),
        text.replaceAll(" ", ""),
      );
    }),
  );
});

test("a word that fits a line is never cut", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: COLUMNS - 2 })), (lengths) => {
      const words = lengths.map((length) => "x".repeat(length));
      const lines = wrap(words.join(" "), { first: "> ", rest: "> " });
      assert.deepEqual(
        lines.flatMap((line) => line.split(" ").slice(1)).filter((word) => word !== ""),
        words,
      );
    }),
  );
});

test("hashes are shortened in the middle, other text only when very long", () => {
  assert.equal(shorten(`${"0".repeat(60)}abcd`), "00000000…0000abcd");
  assert.equal(shorten("events 1 to 10"), "events 1 to 10");
  assert.equal(shorten("é".repeat(1000)), `${"é".repeat(150)}…${"é".repeat(150)}`);
});
