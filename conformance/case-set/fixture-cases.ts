/** The fixtures as cases: each file of `fixtures/cases` with its stored report. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bytesOf } from "../../fixtures/case.ts";
import { type Case, parseCase } from "../src/cases/case.ts";
import { caseAnswerOf } from "../src/mutants/case-answer.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));
/** The levels of kinds; every other kind is of level 4. */
const LEVELS: Readonly<Record<string, number>> = {
  "portable-receipt": 5,
  bundle: 5,
  "truth-package": 5,
  "provenance-inclusion": 5,
  disclosure: 5,
  "ivc-epoch": 5,
  fork: 6,
  anchor: 6,
};

/** The folders of the fixtures, each of one kind. */
export const FIXTURE_KINDS: readonly string[] = readdirSync(`${FIXTURES}cases`).sort();

/** Returns the level of a kind. */
export function levelOf(kind: string): number {
  return LEVELS[kind] ?? 4;
}

/** Returns the cases of all fixtures, kind after kind. */
export function allFixtureCases(): Case[] {
  return FIXTURE_KINDS.flatMap(fixtureCases);
}

/** Returns the cases of the fixtures of a kind, in the order of their names. */
export function fixtureCases(kind: string): Case[] {
  const level = levelOf(kind);
  const files = readdirSync(`${FIXTURES}cases/${kind}`).sort();
  return files.map((file) => {
    const { trust, links, ...fixture } = JSON.parse(readFileSync(`${FIXTURES}cases/${kind}/${file}`, "utf8"));
    const report = JSON.parse(readFileSync(`${FIXTURES}reports/${kind}/${file}`, "utf8"));
    const bytes = Buffer.from(bytesOf(fixture)).toString("base64");
    return parseCase({
      name: `${level}/${kind}/${file.replace(/\.json$/, "")}`,
      level,
      request: { op: "verify", bytes, kind: fixture.kind, trust, ...(links === undefined ? {} : { links }) },
      answer: caseAnswerOf({ ok: report.ok, report }),
    });
  });
}
