/** How `pnpm chaos` and `pnpm chaos:queue` are called. */
import { parseArgs } from "node:util";

/** What was asked for; null for a wrong call. A seed is drawn where none is given. */
export function readCall(defaultRounds: number) {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: "string", default: `${defaultRounds}` },
        seed: { type: "string", default: `${Date.now() % 1_000_000}` },
        json: { type: "boolean", default: false },
      },
    });
    if (![values.rounds, values.seed].every((text) => /^[1-9]\d{0,8}$/.test(text))) return null;
    return { rounds: Number(values.rounds), seed: Number(values.seed), json: values.json };
  } catch {
    return null;
  }
}
