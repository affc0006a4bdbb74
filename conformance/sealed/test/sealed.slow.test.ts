/** The requests that programs are held to core with: what they are, and that they tell a program that lacks a check. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readBases } from "../bases.ts";
import { type Made, requestsOf } from "../requests.ts";

const PINNED = new URL("../../../tools/pinned-node.mjs", import.meta.url).href;
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const COUNT = 400;

/** Says whether a request is of the second part. */
function isOfPart({ name }: Made): boolean {
  const number = Number(/^s7-(\d+) /.exec(name)?.[1]);
  return number >= COUNT && number < 2 * COUNT;
}

/** Holds a malicious verifier to core. */
function hold(liar: string, ...words: string[]) {
  const command = `'${process.execPath}' --import '${PINNED}' '${path("../../malicious/main.ts")}' ${liar}`;
  const call = ["--import", PINNED, path("../main.ts"), "--command", command, "--count", `${COUNT}`, ...words];
  return spawnSync(process.execPath, call, { encoding: "utf8" });
}

test("they are the same each time, and of every kind, family and operation", () => {
  const bases = readBases();
  const { goods, cases } = bases;
  const made = requestsOf(bases, 7, 0, 10 * COUNT);
  assert.deepEqual(requestsOf(bases, 7, COUNT, COUNT), made.filter(isOfPart));
  const families = new Set(made.map(({ name }) => name.split(" ")[1]));
  assert.deepEqual([...families].sort(), ["case", "cut", "fork", "redact", "sealed", "type"]);
  const operations = new Set(made.map(({ request }) => request.op));
  for (const [one] of cases) assert.ok(operations.has(one?.request.op ?? null), `${one?.request.op}`);
  const kinds = new Set(made.map(({ request }) => request.kind));
  assert.deepEqual(
    [...goods.byKind.keys(), "truth-package"].filter((kind) => !kinds.has(kind)),
    [],
  );
});

for (const check of ["vault-key", "fork", "provenance"])
  test(`finds the differences of a program that lacks the check ${check}`, () => {
    const { status, stdout, stderr } = hold(`lacks-${check}`);
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^seed 1: \d+ requests \(.*\d+ verified.*\), [1-9]\d* differ/m);
  });

test("reports a program that ends with an error, and refuses wrong words", () => {
  const { status, stderr } = hold("nobody");
  assert.deepEqual([status, /ended with 64: There is no malicious verifier nobody/.test(stderr)], [1, true], stderr);
  assert.equal(hold("lacks-fork", "--count", "many").status, 64);
});
