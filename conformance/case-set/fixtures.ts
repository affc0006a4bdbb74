/** The cases that are fixtures: each file of `fixtures/cases` with its report, as a case of the conformance kit. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, parseCase } from "../src/cases/case.ts";
import { caseAnswerOf } from "../src/mutants/case-answer.ts";

/** The level of each kind of object; all others are of level 4. */
const LEVELS: Readonly<Record<string, number>> = {
  bundle: 5,
  "portable-receipt": 5,
  "truth-package": 5,
  "provenance-inclusion": 5,
  disclosure: 5,
  "ivc-epoch": 5,
  fork: 6,
  anchor: 6,
};

/** Returns the cases of a repository, in the order of their files; throws for one that is none. `root`: its folder. */
export function fixtureCases(root: string): Case[] {
  const cases = join(root, "fixtures/cases");
  const files = readdirSync(cases, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => {
    const { kind, trust, links, input, input_base64 } = JSON.parse(readFileSync(join(cases, file), "utf8"));
    const bytes = input_base64 ?? Buffer.from(input).toString("base64");
    const report = JSON.parse(readFileSync(join(root, "fixtures/reports", file), "utf8"));
    const level = LEVELS[kind] ?? 4;
    const name = `${level}/${file.replaceAll("\\", "/").replace(/\.json$/, "")}`;
    const request = { op: "verify", bytes, kind, trust, ...(links === undefined ? {} : { links }) };
    return parseCase({ name, level, request, answer: caseAnswerOf({ ok: report.ok, report }) });
  });
}
