/**
 * Two malicious verifiers, one of each sort: each lies in exactly one way, and the list has one for each check and ten
 * others.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CHECK_ORDER } from "../../../packages/core/src/report/checks.ts";
import { LIES } from "../lies.ts";
import { CASES, holdLiar } from "./malicious.ts";

for (const [name, family] of [
  ["lacks-fork", "/window/"],
  ["lacks-trust", "/key/"],
  ["first-problem-only", "/key/"],
])
  test(`${name} is found out, and tells the truth wherever its lie cannot show`, async () => {
    const lie = LIES.find((one) => one.name === name);
    assert.ok(lie !== undefined);
    const concerned = CASES.filter((one) => lie.concerns(one)).slice(0, 20);
    assert.ok((await holdLiar(lie, concerned)).failures.length > 0);
    const others = CASES.filter((one) => !lie.concerns(one) && one.name.includes(`${family}`));
    assert.ok(others.length > 2, `${others.length}`);
    assert.deepEqual((await holdLiar(lie, others)).failures, []);
  });

test("there is a malicious verifier for each check, and ten others, each with a different name", () => {
  assert.equal(LIES.length, CHECK_ORDER.length + 10);
  assert.equal(new Set(LIES.map(({ name }) => name)).size, LIES.length);
});

test("--list names them, and an unknown name is refused as a wrong call", () => {
  const run = (word: string) =>
    spawnSync(process.execPath, [fileURLToPath(new URL("../main.ts", import.meta.url)), word], {
      encoding: "utf8",
    });
  const { stdout, status } = run("--list");
  assert.deepEqual(
    stdout.trimEnd().split("\n"),
    LIES.map(({ name, does }) => `${name}: ${does}`),
  );
  assert.equal(status, 0);
  const wrong = run("nobody");
  assert.equal(wrong.status, 64);
  assert.match(wrong.stderr, /^There is no malicious verifier nobody\./);
});
