/** The cases of the set, and whether this implementation answers one rightly. */
import assert from "node:assert/strict";
import type { JsonObject, Kernel } from "@svc/core";
import { answer } from "../../packages/cli/src/conformance/answer.ts";
import type { Case } from "../src/cases/case.ts";
import { caseAnswerOf } from "../src/mutants/case-answer.ts";

/** Returns all cases of these files. */
export function allCases(files: ReadonlyMap<string, Uint8Array>): Case[] {
  return [...files.values()].flatMap((bytes) =>
    new TextDecoder()
      .decode(bytes)
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Case),
  );
}

/** Fails if this implementation gives another answer than the case states. */
export function answersRightly({ name, request, answer: right }: Case, kernel: Kernel): void {
  const given = JSON.parse(JSON.stringify(caseAnswerOf(answer({ id: 1, ...request }, kernel)))) as JsonObject;
  assert.deepEqual(given, right, name);
}
