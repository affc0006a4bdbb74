/** The expected results of the runtimes. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { referenceKernel } from "../../src/index.ts";
import { type Answers, answersOf, type Case, KNOWN } from "./answers.ts";
import { badBytes } from "./bad-bytes.ts";
import type { Outcome, Runs } from "./runs.ts";

/** Good and bad objects of several kinds, and the verdict on each. */
const FILES = [
  ...["receipt/good", "receipt/signature-edited", "receipt/lone-surrogate", "checkpoint/good", "bundle/good"],
  ...["truth-package/good-deflated", "truth-package/name-twice"],
];

const KERNEL_FILE = new URL("../../../wasm/kernel.wasm", import.meta.url);
export const KERNEL_BYTES: Uint8Array = new Uint8Array(readFileSync(KERNEL_FILE));

const fixtures = FILES.map((file) => {
  const path = new URL(`../../../../fixtures/cases/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as Case & { readonly verdict: string };
});

/** The cases for each runtime. */
export const CASES: readonly Case[] = fixtures.map(({ verdict: _, ...one }) => one);

const SHA256 = createHash("sha256").update(KERNEL_BYTES).digest("hex");
/** Whole reports by the reference kernel of this process. */
const { reports: REPORTS } = answersOf(referenceKernel, CASES);

/** A runtime with WebAssembly: every way starts the compiled kernel, and its answers are right. */
export function assertCompiled(runs: Runs): void {
  const { inlined, inlinedLater, fromFile, fromFileLater, selected, byName, reference } = runs;
  for (const [way, outcome] of Object.entries({ inlined, inlinedLater, fromFile, fromFileLater, selected, byName }))
    assertAnswers(way, outcome, "wasm");
  assertAnswers("reference", reference, "reference");
  assert.deepEqual(Object.keys(runs.bad), Object.keys(badBytes(KERNEL_BYTES)));
  for (const [what, outcomes] of Object.entries(runs.bad)) {
    for (const outcome of outcomes) assertBadBytes(what, refused(what, outcome, DAMAGED));
  }
}

/**
 * A runtime without WebAssembly: the reference verifies, and a caller that wants the compiled kernel gets an error with
 * the reason.
 */
export function assertUnavailable(runs: Runs, message: RegExp): void {
  const { inlined, inlinedLater, fromFile, fromFileLater, selected, byName, reference } = runs;
  for (const [way, outcome] of Object.entries({ inlined, inlinedLater, fromFile, fromFileLater, byName }))
    assert.match(unavailable(way, outcome), message, way);
  for (const [what, outcomes] of Object.entries(runs.bad)) {
    for (const outcome of outcomes) unavailable(what, outcome);
  }
  assertAnswers("selected", selected, "reference");
  assertAnswers("reference", reference, "reference");
}

/** A message about bytes that are no kernel says so, and does not mention a page's policy. */
export function assertBadBytes(what: string, message: string): void {
  const isClear =
    /^These \d+ bytes are no kernel (that this runtime can compile|of this version): |^The compiled kernel cannot be started: /;
  assert.match(message, isClear, what);
  assert.doesNotMatch(message, /content security policy/i, what);
}

function assertAnswers(way: string, outcome: Outcome, name: Answers["name"]): void {
  assert.ok(!("error" in outcome), `${way}: ${JSON.stringify(outcome)}`);
  const { reports, kernelsOfReports, ...answers } = outcome;
  const sha256Hex = name === "wasm" ? SHA256 : null;
  assert.deepEqual(answers, { name, sha256Hex, ...KNOWN }, way);
  assert.deepEqual(reports, REPORTS, way);
  assert.deepEqual(
    reports.map(({ verdict }) => verdict),
    fixtures.map(({ verdict }) => verdict),
    way,
  );
  assert.deepEqual(
    kernelsOfReports,
    CASES.map(() => sha256Hex),
    way,
  );
}

const UNAVAILABLE = { name: "KernelUnavailable", code: "kernel_unavailable" };
const DAMAGED = { name: "KernelDamaged", code: "kernel_damaged" };

function unavailable(way: string, outcome: Outcome): string {
  return refused(way, outcome, UNAVAILABLE);
}

/** Returns the message of a refusal of this kind. */
function refused(way: string, outcome: Outcome, kind: typeof UNAVAILABLE): string {
  assert.ok("error" in outcome, `${way} gave a kernel`);
  const { name, code, message } = outcome.error;
  assert.deepEqual({ name, code }, kind, `${way}: ${message}`);
  return message;
}

/** A worker with a module that another thread compiled. */
export function assertHandedOver(answers: unknown): void {
  const { sha256, signatures, root } = KNOWN;
  assert.deepEqual(answers, { sha256, signatures, root });
}
