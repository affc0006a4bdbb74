/** The tests of the liars share these: the cases, and how a built liar does on some of them. */
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { type Case, casesAtHand } from "../../stand-in/cases.ts";
import { type Held, hold } from "../../stand-in/hold.ts";
import { buildLiars } from "../build.ts";
import type { Lie } from "../lie.ts";

const program = buildLiars(temporaryFolder());
export const CASES: readonly Case[] = casesAtHand();

/** Resolves to how a liar does on cases. */
export async function holdLiar({ name }: Lie, cases: readonly Case[]): Promise<Held> {
  return hold([await program, name], cases);
}
