/**
 * The cases find out every liar: at least one case tells each lie from the truth. A liar answers a sample of the cases
 * that its lie concerns, and all others only if the sample has not found it out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Case } from "../../src/cases/case.ts";
import { REPEAT, sample } from "../../test/sample.ts";
import type { Lie } from "../lie.ts";
import { LIES } from "../lies.ts";
import { CASES, holdLiar } from "./liars.ts";

/** A sample has about so many cases. */
const SAMPLE = 40;

for (const lie of LIES)
  test(`${lie.name} is found out: it ${lie.does}`, async (t) => {
    const concerned = CASES.filter((one) => lie.concerns(one));
    assert.ok(concerned.length > 0, "no case is about it");
    const asked = sample(concerned, Math.ceil(concerned.length / SAMPLE));
    const found = await failuresOf(lie, asked);
    t.diagnostic(`${REPEAT}: ${found} of ${asked.length} cases, of ${concerned.length}`);
    const others = concerned.filter((one) => !asked.includes(one));
    const isFound = found > 0 || (others.length > 0 && (await failuresOf(lie, others)) > 0);
    assert.ok(isFound, `none of ${concerned.length} cases tells it from the truth: one is missing`);
  });

/** Resolves to the number of cases that fail. A liar that breaks down would be found out without its lie. */
async function failuresOf(lie: Lie, cases: readonly Case[]): Promise<number> {
  const { failures } = await holdLiar(lie, cases);
  return failures.filter(
    ({ level, differences }) => level > 0 && !JSON.stringify(differences).includes("internal_error"),
  ).length;
}
