/**
 * Levels 3 to 7: the mutants for which two verifiers once differed, by the kit's `--mutants` or by a search beside it.
 * They are in found.jsonl as requests, smallest as they were found; what is right is what the protocol says, and both
 * kernels give it.
 */
import { readFileSync } from "node:fs";
import type { JsonObject } from "@svc/core";
import type { Draft } from "./draft.ts";

interface Found {
  readonly level: number;
  readonly name: string;
  readonly request: JsonObject;
}

/** Returns the cases of a level. */
export function foundDrafts(level: number): Draft[] {
  const lines = readFileSync(new URL("found.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const found = lines.map((line) => JSON.parse(line) as Found);
  return found.filter((one) => one.level === level).map(({ name, request }) => ({ name: `found/${name}`, request }));
}
