/**
 * A program that does nothing but follow spec/sentences.json says what core says: for every fixture, the same sentences
 * in the same order. It is written here apart from the code that makes the table.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Json, type Kind, type Report, verify } from "@svc/core";
import { derive, marker } from "../derive.ts";
import type { sentences } from "../sentences.ts";

const CASES = fileURLToPath(new URL("../../../fixtures/cases/", import.meta.url));
const TABLE = JSON.parse(readFileSync(new URL("../../../spec/sentences.json", import.meta.url), "utf8")) as ReturnType<
  typeof sentences
>;

const UNREACHED = "no trust that you brought along reaches every signer";

/** Returns what of a report the table asks for, as the words of its dimensions have it. */
function valuesOf({ kind, verdict, subject, signers, checks, assurance }: Report): Record<string, string> {
  const trust = checks.find(({ id }) => id === "trust");
  const { provenance, witnessed } = assurance;
  const raw: Record<string, unknown> = {
    ...assurance,
    ...witnessed,
    ...provenance,
    ...provenance?.claimed,
    kind: kind ?? "none",
    verdict,
    signers: trust?.note === UNREACHED ? "not_reached" : "reached",
    signatures:
      signers.some(({ fingerprint }) => fingerprint === null) ||
      checks.some(({ id, status }) => ["envelope", "fork"].includes(id) && status === "cannot_evaluate")
        ? "unchecked"
        : "checked",
    seals: trust?.count === undefined ? "none" : "some",
    id: subject.id === null ? "none" : "some",
    stream_id: subject.stream_id === undefined ? "none" : "some",
    to_seq_no: subject.to_seq_no === undefined ? "none" : "some",
    provenance: provenance === undefined ? "none" : "some",
  };
  return Object.fromEntries(
    Object.entries(TABLE.dimensions).map(([name, { values }]) => {
      const value = `${raw[name] ?? ""}`;
      return [name, typeof raw[name] === "number" && !values.includes(value) ? "more" : value];
    }),
  );
}

function said(list: "proves" | "does_not_prove", report: Report): string[] {
  const values = valuesOf(report);
  const { effective, ...provenance } = report.assurance.provenance ?? {};
  const levels = Object.entries(effective ?? {}).flatMap(([level, count]) =>
    count > 0 ? [`${count} at ${level}`] : [],
  );
  const shown: Record<string, unknown> = {
    ...report.subject,
    ...report.assurance,
    ...report.assurance.witnessed,
    ...provenance,
    ...report.assurance.provenance?.claimed,
    levels: levels.join(", "),
  };
  return TABLE[list].flatMap(({ text, when }) => {
    const isSaid =
      when.length === 0 ||
      when.some((one) => Object.entries(one).every(([name, allowed]) => allowed.includes(values[name] ?? "")));
    return isSaid ? [text.replaceAll(/\{(\w+)\}/g, (_, name) => `${shown[name]}`)] : [];
  });
}

test("every fixture's report has the sentences that the table says", () => {
  const told = new Set<string>();
  let count = 0;
  for (const path of readdirSync(CASES, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  )) {
    const {
      input,
      input_base64 = "",
      ...options
    } = JSON.parse(readFileSync(CASES + path, "utf8")) as {
      readonly input?: string;
      readonly input_base64?: string;
      readonly kind: Kind;
      readonly trust: Json;
    };
    const report = verify(Buffer.from(input ?? input_base64, input === undefined ? "base64" : "utf8"), options);
    for (const list of ["proves", "does_not_prove"] as const) {
      assert.deepEqual(said(list, report), report[list], path);
      for (const text of report[list]) told.add(text);
    }
    count++;
  }
  assert.ok(count > 500 && told.size > 60, `${count} reports, ${told.size} sentences`);
});

test("the placeholders of the table are those that it explains", () => {
  const used = [...TABLE.proves, ...TABLE.does_not_prove].flatMap(({ text }) =>
    [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
  );
  assert.deepEqual([...new Set(used)].sort(), Object.keys(TABLE.placeholders).sort());
});

test("a table is refused that does not foretell the function, or has no one order", () => {
  const values = { first: ["a", "b"], second: ["0", "1", "2"] };
  const rules = derive(values, ({ first, second }) => [
    ...(first === "a" || second === "2" ? ["one word here"] : []),
    `number ${second === "0" ? 0 : marker("n")}`,
  ]);
  assert.deepEqual(
    rules.map(({ id, text, when }) => [id, text, when]),
    [
      ["one_word_here", "one word here", [{ first: ["a"] }, { first: ["b"], second: ["2"] }]],
      ["number_n", "number {n}", [{ second: ["1", "2"] }]],
      ["number_0", "number 0", [{ second: ["0"] }]],
    ],
  );
  assert.throws(() => derive(values, ({ first }) => (first === "a" ? ["x", "y"] : ["y", "x"])), /no one order/);
  let calls = 0;
  assert.throws(() => derive(values, () => (calls++ % 3 === 0 ? ["x"] : [])), /no table says/);
});
