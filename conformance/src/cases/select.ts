/** The cases that a call asks for, by level and by name. */
import { EXIT, Refusal } from "../exit.ts";
import type { Case } from "./case.ts";
import { nearest } from "./nearest.ts";

/** `levels`: empty for all. `only`: a pattern of a whole name with `*` and `?`, or a part of one; null for all. */
export interface Selection {
  readonly levels: readonly number[];
  readonly only: string | null;
}

/** Returns the cases, in their order. Throws Refusal, with `EXIT.usage`, if no case is left. */
export function selectCases(cases: readonly Case[], { levels, only }: Selection): Case[] {
  const isWanted = only === null ? () => true : nameTest(only);
  const selected = cases.filter(({ level, name }) => (levels.length === 0 || levels.includes(level)) && isWanted(name));
  if (selected.length > 0) return selected;
  const hint =
    only === null
      ? undefined
      : nearest(
          only,
          cases.map(({ name }) => name),
        );
  throw new Refusal(EXIT.usage, `no case is chosen${hint === undefined ? "" : `; the nearest name is ${hint}`}`);
}

function nameTest(only: string): (name: string) => boolean {
  if (!/[*?]/.test(only)) return (name) => name.includes(only);
  const source = only
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const pattern = new RegExp(`^${source}$`);
  return (name) => pattern.test(name);
}
