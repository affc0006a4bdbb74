/**
 * Reads the pages under docs as tests need them: sections, code spans and tables, and the section of the protocol that
 * describes each object.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const docs = new URL("../../../docs/", import.meta.url);

/**
 * The section that describes each object. Seals and the keys that travel with objects belong to section 4, wherever
 * they stand.
 */
export const SECTION_OF: Readonly<Record<string, number>> = {
  "receipt-record": 7,
  "redacted-record": 7,
  stream: 7,
  window: 8,
  inclusion: 8,
  checkpoint: 9,
  consistency: 9,
  "witness-statement": 10,
  policy: 6,
  "witness-policy": 6,
  "key-endorsement": 4,
  anchor: 12,
  "anchor-consistency": 12,
  fork: 11,
  bundle: 14,
  "portable-receipt": 13,
  "truth-package": 15,
  "trust-policy": 16,
  envelope: 20,
  "sealed-envelope": 20,
  content: 20,
  "custody-evidence": 24,
  "quote-evidence": 25,
  "attestation-record": 23,
  "attestation-result": 23,
  "vault-attestation": 23,
  "key-status": 26,
  handover: 26,
  "provenance-inclusion": 27,
  "shown-provenance-inclusion": 27,
  disclosure: 28,
  "provider-policy": 29,
  "provider-result": 29,
  "earlier-provider-result": 29,
  "ivc-epoch": 32,
  "reference-values": 33,
};

/** Returns the text of a page. */
export function readPage(name: string): string {
  return readFileSync(new URL(name, docs), "utf8");
}

/** Returns one numbered section of the protocol. */
export function sectionOf(page: string, number: number): string {
  const [, text = ""] = new RegExp(`^## ${number}\\. (.*?)(?=^## |$(?![^]))`, "ms").exec(page) ?? [];
  assert.notEqual(text, "", `the protocol has no section ${number}`);
  return text;
}

/** Returns the texts of code spans, outside fenced blocks. */
export function spansOf(page: string): string[] {
  const prose = page.replaceAll(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? "");
}

/** A table of a page, cell by cell. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Returns every table of a page. */
export function tablesOf(page: string): Table[] {
  return [...page.matchAll(/(?:^\|.*\|$\n?)+/gm)].map(([text]) => {
    const [columns = [], , ...rows] = text
      .trim()
      .split("\n")
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      );
    return { columns, rows };
  });
}
