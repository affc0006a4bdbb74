/**
 * `pnpm conformance:sealed --command PROGRAM [--count N] [--seed S] [--write FILE]`: holds a program to core on seeded
 * requests (requests.ts), most of them of evidence that is edited, and sealed again by a key that the verifier trusts.
 * Whole answers are compared. Each sort of difference is printed once; `--write` gets one request of each, with core's
 * answer. Exit codes: 0 for none, 1 for some, 64 for wrong words.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type JsonObject, selectKernel } from "@svc/core";
import { isObject } from "@svc/core/tamper";
import { answer } from "../../packages/cli/src/conformance/answer.ts";
import { sortOf } from "../src/judge/difference.ts";
import { differencesOf } from "../src/judge/differences.ts";
import { comparable } from "../src/judge/judge.ts";
import { readBases } from "./bases.ts";
import { type Made, requestsOf } from "./requests.ts";

const MAX_ANSWERS_BYTES = 2 ** 30;
const MAX_SHOWN = 4;
/** So many requests are made and asked at once. */
const PART = 4000;

const { values } = parseArgs({
  options: {
    command: { type: "string" },
    count: { type: "string", default: "4000" },
    seed: { type: "string", default: "1" },
    write: { type: "string" },
  },
});
const { command, write } = values;
const [count, seed] = [Number(values.count), Number(values.seed)];
if (command === undefined || !Number.isSafeInteger(count) || !Number.isSafeInteger(seed)) {
  console.error("usage: pnpm conformance:sealed --command PROGRAM [--count N] [--seed S] [--write FILE]");
  process.exit(64);
}
const kernel = selectKernel();
const bases = readBases();
const outcomes = new Map<string, number>();
const sorts = new Map<string, number>();
const found: string[] = [];
let made = 0;
for (let from = 0; from < count; from += PART) {
  const requests = requestsOf(bases, seed, from, Math.min(PART, count - from));
  made += requests.length;
  hold(command, requests);
}
if (write !== undefined) writeFileSync(write, found.join(""));
const differing = [...sorts.values()].reduce((sum, own) => sum + own, 0);
const told = [...outcomes].map(([outcome, own]) => `${own} ${outcome}`).join(", ");
console.log(`seed ${seed}: ${made} requests (${told}), ${differing} differ, in ${sorts.size} ways`);
process.exitCode = differing === 0 ? 0 : 1;

/** Asks the program, and tells each sort of difference the first time. */
function hold(program: string, requests: readonly Made[]): void {
  const input = requests.map(({ request }, id) => `${JSON.stringify({ id, ...request })}\n`).join("");
  const run = spawnSync("sh", ["-c", program], { input, maxBuffer: MAX_ANSWERS_BYTES, encoding: "utf8" });
  if (run.status !== 0) {
    console.error(`${program} ended with ${run.status ?? run.signal}: ${run.stderr.slice(-2000)}`);
    process.exit(1);
  }
  const answers = new Map(run.stdout.split("\n").filter(Boolean).map(parsed));
  for (const [id, { name, request }] of requests.entries()) {
    const right: JsonObject = JSON.parse(JSON.stringify(answer({ id, ...request }, kernel)));
    addOne(outcomes, outcomeOf(right));
    const differences = comparable(() => differencesOf(right, answers.get(id) ?? {}, false));
    if (differences.length === 0) continue;
    const sort = sortOf(differences);
    addOne(sorts, sort);
    if (sorts.get(sort) !== 1) continue;
    console.log(name);
    for (const { member, wanted, given } of differences.slice(0, MAX_SHOWN))
      console.log(`  ${member || "the answer"}\n    core:      ${wanted}\n    --command: ${given}`);
    found.push(`${JSON.stringify({ name, request, answer: right })}\n`);
  }
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Returns the verdict of a report, and of another answer whether it is a refusal. */
function outcomeOf({ report, ok }: JsonObject): string {
  if (isObject(report ?? null)) return `${(report as JsonObject).verdict}`;
  return ok === true ? "answered" : "refused";
}

function parsed(line: string): [id: unknown, answer: JsonObject] {
  const given = JSON.parse(line);
  return [given.id, given];
}
