/** The cases of the set, and whether this implementation answers one rightly. */
import assert from "node:assert/strict";
import type { JsonObject, Kernel } from "@svc/core";
import { answer } from "../../packages/cli/src/conformance/answer.ts";
import { comparedAnswer, type KitCase } from "../case-set/kit-case.ts";

/** Returns all cases of these files. */
export function allCases(files: ReadonlyMap<string, Uint8Array>): KitCase[] {
  return [...files.values()].flatMap((bytes) =>
    new TextDecoder()
      .decode(bytes)
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as KitCase),
  );
}

/** Fails if this implementation gives another answer than the case states. */
export function answersRightly({ name, request, answer: right }: KitCase, kernel: Kernel): void {
  const given = JSON.parse(JSON.stringify(comparedAnswer(answer({ id: 1, ...request }, kernel)))) as JsonObject;
  assert.deepEqual(given, right, name);
}
