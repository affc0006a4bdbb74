/**
 * Levels 4 to 6: frozen mutants of good objects, one of each class at each place of the schema, as far as a kind's
 * share goes. Nobody states their reports beforehand: both kernels must give the same one, and a mutant that is not
 * free must not be verified.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Json, JsonKind, JsonObject } from "@svc/core";
import { referenceKernel as kernel } from "@svc/core";
import { type Mutant, mutants, packageMutants, type Select } from "@svc/core/tamper";
import { base64, type Draft } from "./draft.ts";

/** A good object, and how it is verified. */
export interface Good {
  readonly kind: JsonKind | "truth-package";
  readonly bytes: Uint8Array;
  readonly trust: Json;
  readonly links?: readonly Json[];
}

/** Returns so many mutants of a good object: one of each class first, then at as many places as there is room. */
export function mutantDrafts(family: string, good: Good, limit: number): Draft[] {
  const counts = new Map<string, number>();
  const groupOf = (mutantClass: string, path: string) =>
    `${mutantClass} ${path.replace(/\/(\d+|sev_[0-9a-z]{26})(?=\/|$)/g, "/*")}`;
  const count: Select = (mutantClass, path) => {
    const group = groupOf(mutantClass, path);
    counts.set(group, (counts.get(group) ?? 0) + 1);
    return false;
  };
  for (const _ of mutantsOf(good, count));
  const chosen = new Map(
    choose(family, [...counts.keys()], limit).map((group) => [
      group,
      numberOf(`${family} ${group}`) % (counts.get(group) ?? 1),
    ]),
  );
  const seen = new Map<string, number>();
  const select: Select = (mutantClass, path) => {
    const group = groupOf(mutantClass, path);
    const number = seen.get(group) ?? 0;
    seen.set(group, number + 1);
    return chosen.get(group) === number;
  };
  return [...mutantsOf(good, select)].map((mutant) => draftOf(family, good, mutant));
}

function mutantsOf({ kind, bytes }: Good, select: Select): Iterable<Mutant> {
  if (kind === "truth-package") return packageMutants(bytes, { kernel, select });
  const parsed = kernel.parseJson(bytes);
  assert.ok(parsed.ok);
  return mutants(kind, parsed.value, { kernel, select });
}

/** Chooses groups: the classes take turns, and within a class the places come in an order that looks like chance. */
function choose(family: string, groups: readonly string[], limit: number): string[] {
  const byClass = Map.groupBy(groups, (group) => group.split(" ")[0] ?? "");
  const lists = [...byClass.values()].map((list) =>
    list.toSorted((a, b) => numberOf(`${family} order ${a}`) - numberOf(`${family} order ${b}`)),
  );
  const chosen: string[] = [];
  for (let round = 0; chosen.length < Math.min(limit, groups.length); round++)
    for (const list of lists) {
      const group = list[round];
      if (group !== undefined && chosen.length < limit) chosen.push(group);
    }
  return chosen;
}

/** The name holds a part of the request's hash, so that a name can never come to mean another request. */
function draftOf(family: string, { kind, trust, links }: Good, mutant: Mutant): Draft {
  // Whether the kind is named must not matter where the members show it.
  const isNamed = numberOf(`${family} ${mutant.id} named`) % 3 > 0;
  const request: JsonObject = {
    op: "verify",
    bytes: base64(mutant.bytes),
    ...(isNamed ? { kind } : {}),
    trust,
    ...(links === undefined ? {} : { links }),
  };
  return {
    name: `${family}/${slugOf(`${mutant.class}${mutant.path}`)}-${fingerprint(request)}`,
    request,
    mustFail: !mutant.free,
  };
}

/** Returns the first 8 hex digits of the hash of a request. */
export function fingerprint(request: JsonObject): string {
  return createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 8);
}

/** Returns a text in the characters of names, at most 60 of them. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}

function numberOf(label: string): number {
  return createHash("sha256").update(label).digest().readUInt32BE(0);
}
