/**
 * The repository's own fixtures: each must give its verdict, its code and its whole report, as the kind it names and as
 * the kind found from its bytes; every code of the table must have one.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertMembers, inputBytes } from "@svc/testkit/vectors";
import { CODES, type Json, type Kind, selectKernel, verify } from "../src/index.ts";
import { examineEvidence } from "../src/objects/anchor/evidence.ts";
import { vaultEvidence } from "../src/verify/vaults.ts";
import { verifyParsed } from "../src/verify/verify-parsed.ts";
import { reportFault } from "./never-throws-report.ts";
import { assertWithoutVaults } from "./without-vaults.ts";

const folder = fileURLToPath(new URL("../../../fixtures/cases/", import.meta.url));
const reports = fileURLToPath(new URL("../../../fixtures/reports/", import.meta.url));

interface Fixture {
  readonly kind: Kind;
  readonly trust: Json;
  readonly links?: readonly Json[];
  readonly verdict: string;
  readonly code?: string;
  readonly input?: string;
  readonly input_base64?: string;
}

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const fixtures = files.map((file) => [file, readJson(folder + file) as Fixture, readJson(reports + file)] as const);

test("there are fixtures", () => {
  assert.notEqual(fixtures.length, 0);
});

for (const [file, fixture, expected] of fixtures) {
  test(`fixture ${file} is ${fixture.verdict}${fixture.code === undefined ? "" : `, ${fixture.code}`}`, () => {
    assertMembers(fixture, ["note", "kind", "trust", "verdict"], ["input", "input_base64", "links", "code"]);
    assert.equal(fixture.verdict === "verified", fixture.code === undefined, "only a bad fixture names a code");
    const bytes = inputBytes(fixture);
    const options = { trust: fixture.trust, ...(fixture.links === undefined ? {} : { links: fixture.links }) };
    const report = verify(bytes, { ...options, kind: fixture.kind });
    const codes = report.problems.map(({ code }) => code as string);
    assert.equal(report.verdict, fixture.verdict, `problems: ${codes}`);
    assert.equal(report.ok, fixture.verdict === "verified");
    assert.equal(reportFault(report, fixture.kind), null);
    if (fixture.code === undefined) assert.deepEqual(codes, []);
    else assert.ok(codes.includes(fixture.code), `wants ${fixture.code}, got ${codes}`);
    const { verifier: _, ...said } = report;
    assert.deepEqual(said, expected, "the whole report (`pnpm fixtures` writes what is wanted)");
    assert.equal(verify(bytes, options).verdict, fixture.verdict, "with the kind found from the bytes");
    const kernel = selectKernel();
    const parsed = kernel.parseJson(bytes);
    if (!parsed.ok) return;
    const all = { ...options, kind: fixture.kind, kernel, vaults: vaultEvidence, chain: examineEvidence };
    const ofValue = verifyParsed(parsed.value, all);
    assert.deepEqual(ofValue, report, "of the parsed value");
    assertWithoutVaults(bytes, { ...options, kind: fixture.kind }, report);
  });
}

/** The codes that no file can produce, and the test that provokes each in another way. */
const NOT_OF_A_FILE: Readonly<Record<string, string>> = { kernels_disagree: "cross-check.slow.test.ts" };

test("every code has a fixture", () => {
  const covered = new Set(fixtures.map(([, { code }]) => code));
  const uncovered = Object.keys(CODES).filter((code) => !covered.has(code));
  assert.deepEqual(uncovered, Object.keys(NOT_OF_A_FILE));
});

test("a code without a fixture is found by no check of a file, and its own test names it", () => {
  const ofNoCheck = Object.entries(CODES).filter(([, { check }]) => check === "cross-check");
  assert.deepEqual(
    ofNoCheck.map(([code]) => code),
    Object.keys(NOT_OF_A_FILE),
  );
  for (const [code, file] of Object.entries(NOT_OF_A_FILE))
    assert.match(readFileSync(new URL(file, import.meta.url), "utf8"), new RegExp(`"${code}"`));
});
