/**
 * `pnpm bench anchors`: what an anchor adds to a portable receipt; the checkpoints of many streams in one epoch, on a
 * real chain; and a server with a year of anchored epochs beside one with ten.
 */
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import type { AnchorBench } from "./bench.ts";
import { streams } from "./streams.ts";
import { verified } from "./verified.ts";
import { year } from "./year.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<AnchorBench> = { verified, streams, year };

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchAnchors({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 7;
  const rows = await inFolder((folder, lifetime) => measureGroups(GROUPS, groups, { quick, rounds, folder, lifetime }));
  return { rounds, rows };
}
