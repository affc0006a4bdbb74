/**
 * Recognizes files that core rejects for their form alone and that are no files of svc: a letter, a table, JSON of
 * another program. They are no evidence, so the report accuses nobody. A file that bears the marks of evidence
 * (marks.ts), or may be the beginning of evidence, stays rejected.
 */
import { detectKind, type Json, type JsonObject, PACKAGE_FORMAT, parseNote, type Report } from "@svc/core";
import { entryNames } from "./entry-names.ts";
import type { Evidence } from "./evidence.ts";
import { entriesBearMarks, textBearsMarks, valueBearsMarks } from "./marks.ts";
import type { OtherFormat } from "./other-format.ts";
import { endsEarly } from "./problem.ts";

/** Only so many bytes of a text are looked at. */
const LOOKED_AT_BYTES = 4096;
/** A report of svc has these members; no kind of evidence has any of them. */
const REPORT_MEMBERS = ["verdict", "checks", "problems", "verifier"];

/** Returns the format of a rejected file that is no evidence; null for evidence, however broken it is. */
export function foreignFormat(report: Report, evidence: Evidence): OtherFormat | null {
  const { bytes, value, kind, isLines } = evidence;
  if (!report.checks.some(({ id, status }) => ["json", "shape", "archive"].includes(id) && status === "fail"))
    return null;
  if (report.problems.some(({ code }) => code === "kernels_disagree")) return null;
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 0) < 8) return foreignArchive(bytes);
  if (kind !== "truth-package") {
    const wrapping = value === undefined ? (isLines ? "json-lines" : null) : wrappingOf(value);
    if (wrapping !== null) return wrapping;
  }
  // Text in JSON quotes may be evidence that somebody has quoted once more.
  if (value !== undefined && typeof value !== "string" && kind !== "truth-package")
    return kind !== null || valueBearsMarks(value) ? null : isReport(value) ? "report" : "json";
  if (textBearsMarks(bytes)) return null;
  return value === undefined ? foreignText(report, bytes) : "json";
}

/** Returns how a value wraps evidence that may be honest; null if it does not. */
function wrappingOf(value: Json): OtherFormat | null {
  if (Array.isArray(value)) return areEvidence(value) ? "json-array" : null;
  if (isAnswerWithList(value)) return "list";
  const { format, ranges, artifacts } = (value ?? {}) as JsonObject;
  // The artifacts of a bundle are no list.
  const isManifest = format === PACKAGE_FORMAT && Array.isArray(ranges) && Array.isArray(artifacts);
  return isManifest ? "package-part" : null;
}

/**
 * Says whether a value is what a service answers with where it lists objects: a page of a list, receipts, its keys. It
 * has these members and no other, so that nobody makes broken evidence one by a member more.
 */
function isAnswerWithList(value: Json): boolean {
  const answer = (value ?? {}) as JsonObject;
  const { items, receipts, endorsements, ...others } = answer;
  const names = Object.keys(answer).sort().join();
  return (
    /^(items,next_cursor|receipts|endorsements,keys,origin)$/.test(names) &&
    areEvidence(items ?? receipts ?? endorsements) &&
    !valueBearsMarks(others)
  );
}

function areEvidence(list: Json | undefined): boolean {
  return Array.isArray(list) && list.length > 0 && list.every((one) => detectKind(one) !== null);
}

function foreignArchive(bytes: Uint8Array): OtherFormat | null {
  const names = entryNames(bytes);
  if (entriesBearMarks(names)) return null;
  if (names.length === 0) return bytes[2] === 5 ? "empty-zip" : null;
  if (names.some((name) => name.startsWith("word/"))) return "word";
  if (names.some((name) => /^(xl|ppt)\/|^mimetype$/.test(name))) return "office";
  // A truncated file may have been evidence.
  return hasEnd(bytes) ? "other-zip" : null;
}

function hasEnd(bytes: Uint8Array): boolean {
  for (let at = bytes.lastIndexOf(0x50); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0x50, at - 1))
    if (bytes[at + 1] === 0x4b && bytes[at + 2] === 5 && bytes[at + 3] === 6) return true;
  return false;
}

function foreignText({ problems }: Report, bytes: Uint8Array): OtherFormat | null {
  const text = new TextDecoder().decode(bytes.slice(0, LOOKED_AT_BYTES));
  if (/^\s*[{[]/.test(text)) {
    // A truncated file may have been evidence.
    const offset = Number(problems[0]?.actual ?? bytes.length);
    return endsEarly(bytes, offset) ? null : "no-json";
  }
  // A character that is cut in half at the end is no sign of another encoding.
  if (/[\0\ufffd]/.test(text.slice(0, -4))) return "binary";
  if (isNote(bytes)) return "note";
  return isTable(text) ? "csv" : "text";
}

function isNote(bytes: Uint8Array): boolean {
  return bytes.length <= 2 ** 20 && parseNote(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)) !== null;
}

/** Says whether the first two lines have equally many separators. */
function isTable(text: string): boolean {
  const [first = "", second = ""] = text.split(/\r?\n/);
  return [",", ";", "\t"].some((separator) => {
    const [columns, others] = [first, second].map((line) => line.split(separator).length);
    return columns !== undefined && columns > 1 && columns === others;
  });
}

function isReport(value: Evidence["value"]): boolean {
  return REPORT_MEMBERS.every((name) => Object.hasOwn(Object(value), name));
}
