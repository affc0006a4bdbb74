/**
 * The case set: it is whole, closed and large enough; every code has a case; the generator gives the same bytes; and
 * both kernels answer a slice of it rightly. all-cases.slow.test.ts asks for all.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CODES, type Json, type JsonObject } from "@svc/core";
import { KERNEL_NAMES, kernelOrNull } from "@svc/testkit/kernels";
import { OPERATION_NAMES } from "../../packages/cli/src/conformance/answer.ts";
import { caseFiles } from "../case-set/case-set.ts";
import { ONE_KERNEL } from "../generate/draft.ts";
import { textOf } from "../generate/families.ts";
import { allCases, answersRightly } from "./cases.ts";

const LEAST: Readonly<Record<number, number>> = { 1: 800, 2: 300, 3: 200, 4: 300, 5: 400, 6: 200, 7: 100 };
const LEAST_OF_ALL = 2300;
const SLICE = 37;
/** Families that are quick to make. */
const REMADE = ["1-digest", "1-merkle", "3-cosignature", "3-tlog-policy", "5-archive"];
/** Codes of the conformance protocol that no case can ask for. */
const WITHOUT_CASE: Readonly<Record<string, string>> = {
  kernels_disagree: "no bytes make two right kernels differ",
  request_too_large: "a line of 32 MiB is no case; packages/cli/test/conformance.slow.test.ts sends one",
  internal_error: "a fault of the program itself",
};

const files = caseFiles();
const cases = allCases(files);

test("every level has as many cases as it must", () => {
  const counts = Map.groupBy(cases, ({ level }) => level);
  for (const [level, least] of Object.entries(LEAST)) {
    const count = counts.get(Number(level))?.length ?? 0;
    assert.ok(count >= least, `level ${level} has ${count} cases, and ${least} are needed`);
  }
  assert.deepEqual([...counts.keys()].sort(), Object.keys(LEAST).map(Number));
  assert.ok(cases.length >= LEAST_OF_ALL);
});

test("the page of the protocol promises no more cases than there are", () => {
  const page = readFileSync(new URL("../../docs/conformance.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| ([1-7]) +\|.*\| ([0-9,]+) +\|$/gm)];
  assert.equal(rows.length, 7);
  for (const [, level, promised = ""] of rows) {
    const count = cases.filter((one) => `${one.level}` === level).length;
    assert.ok(count >= Number(promised.replace(",", "")), `level ${level}: ${count}`);
  }
});

test("names are unique, begin with the level, and are of the characters of names", () => {
  const names = cases.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, level } of cases) {
    assert.match(name, /^[1-7](?:\/[a-z0-9._-]+){2,}$/);
    assert.ok(name.startsWith(`${level}/`), name);
  }
});

test("cases are closed", () => {
  const report = [
    "ok",
    "verdict",
    "kind",
    "subject",
    "assurance",
    "signers",
    "proves",
    "does_not_prove",
    "checks",
    "problems",
  ];
  const isAmong = (object: JsonObject, names: readonly string[], name: string) => {
    for (const member of Object.keys(object)) assert.ok(names.includes(member), `${name}: ${member}`);
  };
  for (const one of cases) {
    const { name, level: _, request, answer, ...more } = one;
    assert.deepEqual(more, {}, name);
    assert.equal(typeof request.op, "string", name);
    assert.ok(!Object.hasOwn(request, "id"), name);
    assert.equal(typeof answer.ok, "boolean", name);
    for (const member of ["id", "message"]) assert.ok(!Object.hasOwn(answer, member), name);
    if (answer.report === undefined) continue;
    const shown = answer.report as JsonObject;
    assert.deepEqual(Object.keys(answer).sort(), ["ok", "report"], name);
    assert.deepEqual(Object.keys(shown), report, name);
    for (const check of shown.checks as JsonObject[]) isAmong(check, ["id", "status", "count"], name);
    for (const problem of shown.problems as JsonObject[])
      isAmong(problem, ["code", "path", "seq_no", "window_no", "checkpoint_no", "kid", "action"], name);
  }
});

test("every line stands as the generator writes it, and files ascend", () => {
  assert.deepEqual([...files.keys()], [...files.keys()].sort());
  for (const [path, bytes] of files) {
    assert.match(path, /^[1-7]\/[a-z0-9-]+\.jsonl$/);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    for (const line of text.split("\n").slice(0, -1)) assert.equal(JSON.stringify(JSON.parse(line)), line, path);
    assert.ok(text.endsWith("\n"), path);
  }
});

test("every operation has cases", () => {
  const asked = new Set(cases.map(({ request }) => `${request.op}`));
  assert.deepEqual(
    OPERATION_NAMES.filter((name) => !asked.has(name)),
    [],
  );
});

test("every code occurs in a case, or it is said why not", () => {
  const given = new Set(cases.flatMap(({ answer }) => codesOf(answer)));
  const page = readFileSync(new URL("../../docs/conformance.md", import.meta.url), "utf8");
  const [, , codes = ""] = page.split(/^## /m);
  const own = [...codes.matchAll(/^\| ([^|]+)\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].flatMap(([, code = ""]) => (code.endsWith("_") ? [] : [code])),
  );
  assert.ok(own.length > 10);
  const missing = [...Object.keys(CODES), ...own].filter((code) => !given.has(code));
  assert.deepEqual([...new Set(missing)].sort(), Object.keys(WITHOUT_CASE).sort());
});

test("the generator gives what is committed, twice", async () => {
  for (const family of REMADE) {
    const committed = readFileSync(new URL(`../cases/${family}.jsonl`, import.meta.url), "utf8");
    for (const _ of [1, 2]) assert.equal(await textOf(family, ONE_KERNEL), committed, family);
  }
});

for (const name of KERNEL_NAMES)
  test(`${name} answers a slice of the cases rightly`, () => {
    const kernel = kernelOrNull(name) ?? assert.fail(name);
    for (const one of cases.filter((_, index) => index % SLICE === 0)) answersRightly(one, kernel);
  });

function codesOf(answer: JsonObject): string[] {
  const problems = ((answer.report as JsonObject | undefined)?.problems ?? []) as readonly { readonly code: string }[];
  const codes: Json[] = [answer.code ?? "", ...problems.map(({ code }) => code)];
  return codes.map(String);
}
