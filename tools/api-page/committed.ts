/** The pages in docs/api, as they are committed. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Pages } from "./page.ts";

const FOLDER = new URL("../../docs/api/", import.meta.url);

/** Returns the lines of each committed page, by its name. */
export function committedPages(): Record<string, string[]> {
  return linesOf(new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), "utf8")])));
}

/** Returns the lines of each page, by its name. */
export function linesOf(pages: Pages): Record<string, string[]> {
  const byName = [...pages].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(byName.map(([name, text]) => [name, text.split("\n")]));
}

/** Writes pages, and removes all others. */
export function writePages(pages: Pages): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, text] of pages) writeFileSync(new URL(name, FOLDER), text);
}
