/** Mutants that are sealed again: what they are, and that a program which lacks a check is told by them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readGoods } from "../goods.ts";
import { sealedMutants } from "../mutants.ts";

const PINNED = new URL("../../../tools/pinned-node.mjs", import.meta.url).href;
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const COUNT = 400;

/** Holds a liar to core. */
function hold(liar: string, ...words: string[]) {
  const command = `'${process.execPath}' --import '${PINNED}' '${path("../../liars/main.ts")}' ${liar}`;
  const call = ["--import", PINNED, path("../main.ts"), "--command", command, "--count", `${COUNT}`, ...words];
  return spawnSync(process.execPath, call, { encoding: "utf8" });
}

test("they are the same each time, and of every kind", () => {
  const goods = readGoods();
  const made = sealedMutants(goods, 7, COUNT);
  assert.deepEqual(sealedMutants(goods, 7, COUNT), made);
  const kinds = new Set(made.map(({ request }) => request.kind));
  assert.deepEqual(
    [...goods.byKind.keys(), "truth-package"].filter((kind) => !kinds.has(kind)),
    [],
  );
});

for (const check of ["vault-key", "fork", "provenance"])
  test(`a program that lacks the check ${check} is told`, () => {
    const { status, stdout, stderr } = hold(`lacks-${check}`);
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^seed 1: \d+ sealed mutants \(.*\d+ verified.*\), [1-9]\d* differ/m);
  });

test("a program that does not end well is told, and so are wrong words", () => {
  const { status, stderr } = hold("nobody");
  assert.deepEqual([status, /ended with 64: There is no liar nobody/.test(stderr)], [1, true], stderr);
  assert.equal(hold("lacks-fork", "--count", "many").status, 64);
});
