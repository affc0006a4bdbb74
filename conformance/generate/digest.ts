/** Level 1: `digest`, computed by node's SHA-256 over the naive parser's canonical bytes (protocol section 1). */
import { createHash } from "node:crypto";
import { base64, type Draft } from "./draft.ts";
import { naiveAnswer } from "./json.ts";

/** The tags of protocol section 1, those of section 17, which the operation treats alike, and others. */
const TAGS = [
  "payload event head receipt policy witness-policy window checkpoint epoch anchor key bundle truth-package",
  "commitment slot content leaf spool envelope envelope-start disclosure migration provider-policy key-status",
  "enroll handover record result evidence start measure start-key quote reference-values ceremony activation",
  "genesis ivc-epoch Event EVENT event/ / ~ ! 0 a-tag-that-nobody-uses",
].flatMap((tags) => tags.split(" "));

const TEXTS: Readonly<Record<string, string>> = {
  null: "null",
  number: "-0",
  text: '"\\u00e9"',
  spaced: ' { "b" : 1.0 , "a" : [ ] } ',
  "other-order": '{"a":[],"b":1}',
  "utf16-order": '{"\uffff":1,"\u{10000}":2}',
  "large-number": "1e21",
  lossy: "[9007199254740993]",
  duplicate: '{"a":1,"\\u0061":2}',
  "lone-surrogate": '["\\udead"]',
  deep: `${"[".repeat(65)}${"]".repeat(65)}`,
  cut: '{"a":',
  nothing: "",
};

/** Returns all cases of the family. */
export function digestDrafts(): Draft[] {
  const value = '{"seq_no":1,"stream":"\u00e9"}';
  return [
    ...TAGS.map((tag, index) => draft(`tag-${String(index).padStart(2, "0")}`, tag, value)),
    ...Object.entries(TEXTS).map(([slug, text]) => draft(`of-${slug}`, "event", text)),
    ...["", " ", "a b", "a\n", "\u00e9", "event\u0000", "event\u007f"].map(
      (tag, index): Draft => ({
        name: `digest/no-tag-${index}`,
        request: { op: "digest", tag, bytes: base64(value) },
        expected: { ok: false, code: "malformed_request" },
      }),
    ),
  ];
}

function draft(slug: string, tag: string, text: string): Draft {
  const read = naiveAnswer(Buffer.from(text));
  const { ok, code = "", canonical = "" } = read;
  const hash = createHash("sha256").update(`SVC-PROOFSTREAM-001/${tag}\n`).update(`${canonical}`, "base64");
  const expected = ok === true ? { ok, digest: hash.digest("hex") } : { ok: false, code };
  return { name: `digest/${slug}`, request: { op: "digest", tag, bytes: base64(text) }, expected };
}
