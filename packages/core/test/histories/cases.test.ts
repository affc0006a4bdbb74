/** The cases of fixtures/histories.json, which every language answers alike. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Contradiction, comparedOf, contradictions, type HashHex, type Report } from "../../src/index.ts";
import { type Endorsed, noteHistories, type ShownHistory } from "../../src/report/histories.ts";

interface Shows {
  readonly stream_id: string;
  readonly from?: number;
  readonly events?: string;
  readonly windows?: Readonly<Record<string, string>>;
  readonly roots?: Readonly<Record<string, string>>;
  readonly endorsed?: readonly Endorsed[];
}

interface Case {
  readonly name: string;
  readonly objects: readonly { readonly shows: readonly Shows[]; readonly signers: Report["signers"] }[];
  readonly contradictions: readonly Contradiction[];
}

const { cases } = JSON.parse(readFileSync(new URL("../../../../fixtures/histories.json", import.meta.url), "utf8")) as {
  readonly cases: readonly Case[];
};

const hashesOf = (characters: string) => [...characters].map((one) => one.repeat(64)).join("");

function hashesAt(places: Shows["windows"]): ReadonlyMap<number, HashHex> | null {
  if (places === undefined) return null;
  return new Map(Object.entries(places).map(([at, one]) => [Number(at), one.repeat(64) as HashHex]));
}

function shown({ stream_id, from = 1, events, windows, roots, endorsed = [] }: Shows): ShownHistory {
  const run = events === undefined ? null : { from, hashes: hashesOf(events) };
  return { stream_id, events: run, windows: hashesAt(windows), roots: hashesAt(roots), endorsed };
}

for (const { name, objects, contradictions: wanted } of cases)
  test(name, () => {
    const compared = objects.map(({ shows, signers }) => {
      const report = { signers } as Report;
      noteHistories(report, shows.map(shown));
      return comparedOf(report);
    });
    assert.deepEqual(contradictions(compared), wanted);
  });

test("a chain of 100,000 keys, each joined to the next by one object, is one group in little time", () => {
  const count = 100_000;
  const objects = Array.from({ length: count }, (_, index) => ({
    histories: [
      shown({ stream_id: "str_1", from: index === count - 1 ? 1 : index + 1, events: index === 0 ? "a" : "b" }),
    ],
    kids: [`k${index}`, `k${index + 1}`],
    reached: true,
  }));
  for (const all of [objects, objects.toReversed()]) {
    const [found, ...more] = contradictions(all);
    assert.deepEqual([found?.left, found?.right, found?.place, more], [0, count - 1, { seq_no: 1 }, []]);
  }
});
