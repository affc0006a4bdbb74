/**
 * `pnpm conformance:sealed --command PROGRAM [--count N] [--seed S] [--write FILE]`: holds a program to core on
 * evidence that is edited, and sealed again by a key that the verifier trusts. Each sort of difference is told once;
 * `--write` gets one request of each, with core's report. Exit codes: 0 for none, 1 for some, 64 for wrong words.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type JsonObject, selectKernel } from "@svc/core";
import { answer } from "../../packages/cli/src/conformance/answer.ts";
import { differencesOf, sortOf } from "../src/judge/differences.ts";
import { comparable } from "../src/judge/judge.ts";
import { readGoods } from "./goods.ts";
import { sealedMutants } from "./mutants.ts";

const MAX_ANSWERS_BYTES = 2 ** 30;
const MAX_SHOWN = 4;

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
const mutants = sealedMutants(readGoods(), seed, count);
const verdicts = new Map<string, number>();
const right = mutants.map(({ request }, id): JsonObject => {
  const given = JSON.parse(JSON.stringify(answer({ id, ...request }, kernel)));
  const verdict = `${given.report?.verdict ?? given.code}`;
  verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  return given;
});
const input = mutants.map(({ request }, id) => `${JSON.stringify({ id, ...request })}\n`).join("");
const run = spawnSync("sh", ["-c", command], { input, maxBuffer: MAX_ANSWERS_BYTES, encoding: "utf8" });
if (run.status !== 0) {
  console.error(`${command} ended with ${run.status ?? run.signal}: ${run.stderr.slice(-2000)}`);
  process.exit(1);
}
const answers = new Map(run.stdout.split("\n").filter(Boolean).map(parsed));
const sorts = new Map<string, number>();
const found: string[] = [];
for (const [id, { name, request }] of mutants.entries()) {
  const differences = comparable(() => differencesOf(right[id] ?? {}, answers.get(id) ?? {}, false));
  if (differences.length === 0) continue;
  const sort = sortOf(differences);
  sorts.set(sort, (sorts.get(sort) ?? 0) + 1);
  if (sorts.get(sort) !== 1) continue;
  console.log(name);
  for (const { member, wanted, given } of differences.slice(0, MAX_SHOWN))
    console.log(`  ${member || "the answer"}\n    core:      ${wanted}\n    --command: ${given}`);
  found.push(`${JSON.stringify({ name, request, answer: right[id] })}\n`);
}
if (write !== undefined) writeFileSync(write, found.join(""));
const differing = [...sorts.values()].reduce((sum, own) => sum + own, 0);
const told = [...verdicts].map(([verdict, own]) => `${own} ${verdict}`).join(", ");
console.log(`seed ${seed}: ${mutants.length} sealed mutants (${told}), ${differing} differ, in ${sorts.size} ways`);
process.exitCode = differing === 0 ? 0 : 1;

function parsed(line: string): [id: unknown, answer: JsonObject] {
  const given = JSON.parse(line);
  return [given.id, given];
}
