/** Problems are in one order (protocol section 16), and the kit compares it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { allFixtureCases } from "../case-set/fixture-cases.ts";
import { isObject, type JsonObject, textOf } from "../src/json.ts";
import { reportDifferences } from "../src/judge/report.ts";

/** Which of more problems a report lists is free, and so is their order. */
const MAX_PROBLEMS = 1000;

/** Returns the problems of a report, by what tells one from another without its wording. */
function told(report: JsonObject): string[] {
  return (report.problems as JsonObject[]).map(({ code, path, seq_no, window_no, checkpoint_no, kid }) =>
    textOf({ code, path, seq_no, window_no, checkpoint_no, kid } as JsonObject),
  );
}

test("a report whose problems are turned around differs in their order, and in nothing else", () => {
  let tried = 0;
  for (const { name, answer } of allFixtureCases()) {
    const { report } = answer as JsonObject;
    if (!isObject(report)) continue;
    const problems = report.problems as JsonObject[];
    const turned = { ...report, problems: problems.toReversed() };
    if (problems.length >= MAX_PROBLEMS || told(report).join("\n") === told(turned).join("\n")) continue;
    const [found, ...others] = reportDifferences(report, turned, false);
    assert.match(found?.member ?? "", /^\/report\/problems\/\d+$/, name);
    assert.deepEqual(others, [], name);
    tried++;
  }
  assert.ok(tried > 100, `${tried} reports have an order`);
});
