/** Tells the results: a row for each room, then the faults that escaped, then those that nobody noticed. */
import { SAME_FOLDER, SAME_ROOM } from "../affected.ts";
import type { Line } from "./record.ts";

const COLUMNS = ["planted", "own folder", "own room", "dependents", "slow or real", "ESCAPES", "unnoticed"] as const;

/** Returns the lines. A fault that cannot be compiled is in none. */
export function tableOf(rooms: readonly string[], all: readonly Line[]): string[] {
  const lines = all.filter(({ compiles }) => compiles);
  const rows = [...rooms, "all"].map((room) => {
    const own = room === "all" ? lines : lines.filter((line) => line.room === room);
    return [room, ...countsOf(own).map(String)];
  });
  const escapes = lines.filter(({ noticed }) => noticed !== null && noticed.why === null);
  const unnoticed = lines.filter(({ noticed }) => noticed === null);
  return [["room", ...COLUMNS], ...rows]
    .map(([room = "", ...cells]) => [room.padEnd(20), ...cells.map((cell) => cell.padStart(13))].join(""))
    .concat(
      "",
      "Noticed by a quick file of the fault's own folder, own room, or a dependent; or by a slow or real one of " +
        "the choice.",
    )
    .concat(
      ...escapes.map(
        ({ fault, noticed }) =>
          `ESCAPE ${fault}\n       noticed by ${noticed?.unit}, which CI leaves out: ${noticed?.failure}`,
      ),
    )
    .concat(
      ...unnoticed.map(({ fault, passed, untried }) => `UNNOTICED by ${passed} files, ${untried} not tried: ${fault}`),
    );
}

function countsOf(lines: readonly Line[]): number[] {
  const noticed = lines.flatMap((line) => line.noticed ?? []);
  const quick = noticed.filter(({ why }) => why === "quick");
  const far = (distance: number | null) => distance ?? Number.POSITIVE_INFINITY;
  const count = (of: typeof noticed, holds: (one: (typeof noticed)[number]) => boolean) => of.filter(holds).length;
  return [
    noticed.length,
    count(quick, ({ distance }) => far(distance) <= SAME_FOLDER),
    count(quick, ({ distance }) => far(distance) > SAME_FOLDER && far(distance) <= SAME_ROOM),
    count(quick, ({ distance }) => far(distance) > SAME_ROOM),
    count(noticed, ({ why }) => why === "always" || why === "affected"),
    count(noticed, ({ why }) => why === null),
    lines.length - noticed.length,
  ];
}
