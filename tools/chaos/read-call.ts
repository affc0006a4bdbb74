/** The arguments of `pnpm chaos` and the trials beside it. */
import { parseArgs } from "node:util";

/** The arguments: `--rounds`, `--seed`, further numbers, and whether the result is printed as JSON. */
export type Call<Name extends string = never> = Readonly<Record<Name | "rounds" | "seed", number>> & {
  readonly json: boolean;
};

/**
 * Returns the arguments; null for a wrong call. It draws a seed if none is given. `numbers`: further options that take
 * a whole number, with their defaults.
 */
export function readCall<Name extends string = never>(
  defaultRounds: number,
  numbers?: Readonly<Record<Name, number>>,
): Call<Name> | null {
  const names = Object.keys(numbers ?? {}) as Name[];
  try {
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: "string", default: `${numbers?.[name]}` } as const])),
        rounds: { type: "string", default: `${defaultRounds}` },
        seed: { type: "string", default: `${Date.now() % 1_000_000}` },
        json: { type: "boolean", default: false },
      },
    });
    const { rounds, seed, json, ...others } = values as typeof values & Readonly<Record<string, unknown>>;
    const all = { rounds, seed, ...others };
    if (!Object.values(all).every((text) => /^[1-9]\d{0,8}$/.test(`${text}`))) return null;
    const given = Object.fromEntries(Object.entries(all).map(([name, text]) => [name, Number(text)]));
    return { ...(given as Record<Name | "rounds" | "seed", number>), json: json === true };
  } catch {
    return null;
  }
}
