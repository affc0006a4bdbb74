/** The order in which the faults of a room are tried. A seed decides it, and neighbours are from different files. */
import { hash } from "node:crypto";
import type { Fault } from "./faults.ts";

/** Returns the place of a fault, and its change, as a record has them. */
export function nameOfFault({ file, line, from, to }: Fault): string {
  return `${file}:${line} ${from.trim()} => ${to?.trim() ?? ""}`;
}

/** Returns all faults: in each round one of each file, and in each file a kind that it has not had comes first. */
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

function kindsInTurn(faults: readonly Fault[]): Fault[] {
  const kinds = [...Map.groupBy(faults, ({ kind }) => kind).values()];
  const rounds = Math.max(0, ...kinds.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => kinds.flatMap((ofKind) => ofKind[round] ?? [])).flat();
}
