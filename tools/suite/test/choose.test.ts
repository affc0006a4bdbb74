/** The choice of CI from the slow and real tiers: what always runs, what is affected, and others in turn. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ALWAYS } from "../always.ts";
import { type Choice, choose, isChoosable, linesOf, type Question } from "../choose.ts";
import { nameOf, TIERS, type Unit, unitsOf } from "../plan.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const ALL = TIERS.flatMap((tier) => unitsOf(tier, ROOT)).filter(isChoosable);
const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const [FIRST_ALWAYS = ""] = ALWAYS;

const slow = (name: string): Unit => ({ file: `packages/${name}.slow.test.ts`, form: "plain" });
const chosen = ({ chosen }: Choice, why?: string) =>
  chosen.filter((one) => why === undefined || one.why === why).map(({ unit }) => nameOf(unit));

/** Asks with units that each take so many seconds of a run. */
function ask(seconds: Readonly<Record<string, number>>, question: Partial<Question> = {}): Choice {
  const units = Object.keys(seconds).map((name) => slow(name));
  const costs = Object.fromEntries(Object.entries(seconds).map(([name, each]) => [nameOf(slow(name)), each * 4]));
  return choose({ units, changes: [], costs: { commit: COMMIT, seconds: costs }, seed: "a", ...question });
}

test("each unit that always runs can be chosen, and so is no quick test", () => {
  const names = new Set(ALL.map(nameOf));
  assert.ok(ALWAYS.size > 0);
  for (const name of ALWAYS) assert.ok(names.has(name), name);
});

test("what always runs does so whatever it costs, and comes first", () => {
  const file = FIRST_ALWAYS.replace(/ \(postgres\)$/, "");
  const always: Unit = { file, form: file === FIRST_ALWAYS ? "plain" : "postgres" };
  const units = [slow("report/test/a"), always];
  const costs = { commit: COMMIT, seconds: { [nameOf(always)]: 99_999, [nameOf(slow("report/test/a"))]: 4 } };
  const choice = choose({ units, changes: null, costs, seed: "a" });
  assert.deepEqual(chosen(choice), [nameOf(always)]);
  assert.deepEqual(
    choice.leftOut.map(({ why }) => why),
    ["affected, and no time is left"],
  );
});

test("the directest are chosen first, and of those the cheapest; what does not fit is passed over", () => {
  const seconds = { "host/test/store/b": 100, "host/test/store/a": 550, "host/test/jobs/c": 90, "server/test/d": 50 };
  const choice = ask(seconds, { changes: ["packages/host/src/store/a.ts"] });
  const order = ["host/test/store/b", "host/test/jobs/c", "server/test/d"].map((name) => nameOf(slow(name)));
  assert.deepEqual(chosen(choice), order);
  assert.ok(choice.chosen.every(({ why }) => why === "affected"));
  assert.deepEqual(
    choice.leftOut.map(({ unit, why }) => [nameOf(unit), why]),
    [[nameOf(slow("host/test/store/a")), "affected, and no time is left"]],
  );
});

test("the rotation fills a run up, and its seed turns it", () => {
  const seconds = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`report/test/f${index}`, 20]));
  const one = ask(seconds);
  assert.equal(one.chosen.length, 18);
  assert.ok(one.chosen.every(({ why }) => why === "rotation"));
  assert.ok(one.leftOut.every(({ why }) => why === "not affected"));
  assert.deepEqual(ask(seconds), one);
  assert.notDeepEqual(chosen(ask(seconds, { seed: "b" })), chosen(one));
  const turned = new Set(Array.from({ length: 40 }, (_, seed) => chosen(ask(seconds, { seed: `${seed}` }))).flat());
  assert.equal(turned.size, 40);
});

test("the rotation adds nothing to a run that is full with what is affected", () => {
  const seconds = { "host/test/a": 500, "report/test/b": 10 };
  assert.deepEqual(chosen(ask(seconds, { changes: ["packages/host/src/a.ts"] })), [nameOf(slow("host/test/a"))]);
});

test("without usable costs a run is bounded too", () => {
  const choice = choose({ units: ALL, changes: null, costs: { commit: null, seconds: {} }, seed: "a" });
  const always = choice.chosen.filter(({ why }) => why === "always").reduce((sum, { seconds }) => sum + seconds, 0);
  const all = choice.chosen.reduce((sum, { seconds }) => sum + seconds, 0);
  assert.ok(all <= Math.max(always, 600), `${all}`);
  assert.equal(choice.chosen.length + choice.leftOut.length, ALL.length);
});

test("each unit is listed by name, with the reason why it runs or does not", () => {
  const choice = ask({ "report/test/a": 1, "cli/test/b": 700 }, { changes: ["packages/report/src/a.ts"] });
  assert.deepEqual(linesOf(choice), [
    "RUN, affected: 1 files, about 1 s",
    "     1.0 s  packages/report/test/a.slow.test.ts",
    "NOT RUN, affected, and no time is left: 1 files, about 700 s",
    "   700.0 s  packages/cli/test/b.slow.test.ts",
  ]);
});
