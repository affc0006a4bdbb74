/** The families of generated cases, each a committed file, and the levels that they belong to. */
import type { Kernel } from "@svc/core";
import { lineOf } from "../case-set/line.ts";
import type { Case } from "../src/cases/case.ts";
import { archiveDrafts } from "./archives.ts";
import { cosignatureDrafts } from "./cosignatures.ts";
import { digestDrafts } from "./digest.ts";
import { caseOf, type Draft } from "./draft.ts";
import { ed25519Drafts } from "./ed25519.ts";
import { foundDrafts } from "./found.ts";
import { level4Mutants, level5Mutants, level6Mutants } from "./goods.ts";
import { jsonDrafts } from "./json.ts";
import { merkleDrafts } from "./merkle.ts";
import { noteDrafts } from "./notes.ts";
import { producerDrafts } from "./producers.ts";
import { requestDrafts } from "./requests.ts";
import { silentDrafts } from "./silent.ts";
import { tlogPolicyDrafts } from "./tlog-policies.ts";
import { trustDrafts } from "./trust-policies.ts";

/** By the name of its file: the level of a family, and its drafts. */
export const FAMILIES: Readonly<Record<string, readonly [level: number, drafts: () => Draft[] | Promise<Draft[]>]>> = {
  "1-digest": [1, digestDrafts],
  "1-json": [1, jsonDrafts],
  "1-merkle": [1, merkleDrafts],
  "1-request": [1, () => requestDrafts(1)],
  "2-ed25519": [2, ed25519Drafts],
  "2-request": [2, () => requestDrafts(2)],
  "3-cosignature": [3, cosignatureDrafts],
  "3-found": [3, () => foundDrafts(3)],
  "3-note": [3, noteDrafts],
  "3-request": [3, () => requestDrafts(3)],
  "3-tlog-policy": [3, tlogPolicyDrafts],
  "4-found": [4, () => foundDrafts(4)],
  "4-mutants": [4, level4Mutants],
  "4-request": [4, () => requestDrafts(4)],
  "4-silent": [4, silentDrafts],
  "4-trust": [4, trustDrafts],
  "5-archive": [5, archiveDrafts],
  "5-found": [5, () => foundDrafts(5)],
  "5-mutants": [5, level5Mutants],
  "6-found": [6, () => foundDrafts(6)],
  "6-mutants": [6, level6Mutants],
  "7-found": [7, () => foundDrafts(7)],
  "7-producers": [7, producerDrafts],
};

/** Resolves to the text of the file of a family, the same each time. Throws if a kernel gives another answer. */
export async function textOf(family: string, kernels: readonly Kernel[]): Promise<string> {
  const [level, drafts] = FAMILIES[family] ?? [];
  if (level === undefined || drafts === undefined) throw new RangeError(`there is no family ${family}`);
  return linesOf((await drafts()).map((draft) => caseOf(level, draft, kernels)));
}

/** Returns cases as the text of a file, in the order of their names. */
export function linesOf(cases: readonly Case[]): string {
  return cases
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(lineOf)
    .join("");
}
