/**
 * A client in Go asks svc-witness and litewitness each case of the tlog-witness text. svc-witness answers as the text
 * says, with the one departure below; the README lists where any of the three differ.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { NO_COUNTERPARTS, runCounterpart } from "@svc/testkit/counterparts";
import { startLitewitness } from "@svc/testkit/litewitness";
import { environmentOf, startWitness } from "@svc/testkit/svc-witness";
import { madeWitness } from "../running.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** Sizes end at 2^53-1 in everything that we sign. */
const DEPARTURES = { "tree of 2^60 leaves": "400" };

interface Answered {
  readonly case: string;
  readonly says: string;
  readonly answer: string;
  readonly met: boolean;
}

async function walked({ url, vkey }: { readonly url: string; readonly vkey: string }): Promise<Answered[]> {
  const lines = (await runCounterpart("walk", [url, vkey])).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Answered);
}

test("each case of tlog-witness", { skip: NO_COUNTERPARTS }, async (t) => {
  const keys = (await runCounterpart("walk", ["keys"])).trimEnd().split("\n");
  const environment = { ...environmentOf(await madeWitness(...keys)), SVC_WITNESS_ORIGIN_RATE: "0" };
  const ours = await walked(await startWitness(t, environment));
  const litewitness = await startLitewitness(t);
  await litewitness.addOrigin(...keys);
  const theirs = await walked(litewitness);
  assert.ok(ours.length > 40);
  const table = ours.map((own, index) => {
    const other = theirs[index];
    assert.equal(other?.case, own.case);
    return { ...own, theirs: other.answer, theyDiffer: !other.met };
  });
  for (const row of table)
    t.diagnostic(`${row.case}: the text ${row.says}, svc-witness ${row.answer}, litewitness ${row.theirs}`);
  const departures = table.filter(({ met }) => !met).map((row) => [row.case, row.answer]);
  assert.deepEqual(Object.fromEntries(departures), DEPARTURES);
  const different = table
    .filter(({ met, theyDiffer }) => !met || theyDiffer)
    .map((row) => `| ${row.case} | ${row.says} | ${row.answer} | ${row.theirs} |`);
  const [, rows = ""] =
    /^\| case \| the text \| svc-witness \| litewitness \|\n[|\s-]+\n((?:\|.*\n)+)/m.exec(README) ?? [];
  assert.equal(rows.trimEnd(), different.join("\n"));
});
