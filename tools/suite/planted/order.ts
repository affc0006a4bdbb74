/** The order in which the faults of a room are tried. A seed decides it, and neighbours are from different files. */
import { hash } from "node:crypto";
import type { Fault } from "./faults.ts";

/** Returns the place of a fault, and its change, as a record has them. */
export function nameOfFault({ file, line, from, to }: Fault): string {
  return `${file}:${line} ${from.trim()} => ${to?.trim() ?? ""}`;
}

/** Returns all faults: in each round one of each file; a file's kinds take turns. */
export function inOrder(faults: readonly Fault[], seed: string): Fault[] {
  const turn = (text: string) => hash("sha256", `${seed} ${text}`);
  const byTurn = <T>(all: readonly T[], name: (one: T) => string) =>
    all
      .map((one) => [turn(name(one)), one] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, one]) => one);
  const files = byTurn([...Map.groupBy(faults, ({ file }) => file)], ([file]) => file);
  const ranked = files.map(([, ofFile]) => kindsInTurn(byTurn(ofFile, nameOfFault)));
  const rounds = Math.max(0, ...ranked.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => ranked.flatMap((ofFile) => ofFile[round] ?? [])).flat();
}

/** They often change nothing that anybody can see. */
const LAST = ["boundary", "step", "extreme"];

function kindsInTurn(faults: readonly Fault[]): Fault[] {
  const groups = [...Map.groupBy(faults, ({ kind }) => kind)];
  const isLast = ([kind]: (typeof groups)[number]) => Number(LAST.includes(kind));
  const kinds = groups.toSorted((a, b) => isLast(a) - isLast(b)).map(([, ofKind]) => ofKind);
  const rounds = Math.max(0, ...kinds.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => kinds.flatMap((ofKind) => ofKind[round] ?? [])).flat();
}
