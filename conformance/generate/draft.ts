/**
 * A draft of a case, and how it becomes one: both kernels answer it, and must agree with each other and with what its
 * author expects. Nobody can state a whole report beforehand: that is what both kernels say.
 */
import assert from "node:assert/strict";
import { type JsonObject, type Kernel, referenceKernel, selectKernel } from "@svc/core";
import { answer } from "../../packages/cli/src/conformance/answer.ts";
import { type Case, parseCase } from "../src/cases/case.ts";
import { caseAnswerOf } from "../src/mutants/case-answer.ts";

/** A request, and the answer that its author knows by construction or from an oracle that shares no code with core. */
export interface Draft {
  /** `<family>/<slug>`. */
  readonly name: string;
  readonly request: JsonObject;
  readonly expected?: JsonObject;
  /** True: whatever the report says, its verdict must not be `verified`. */
  readonly mustFail?: boolean;
}

/** The compiled kernel, alone or with the reference kernel, which is far slower. */
export const ONE_KERNEL: readonly Kernel[] = [selectKernel("wasm")];
export const BOTH_KERNELS: readonly Kernel[] = [...ONE_KERNEL, referenceKernel];

/** Returns the case of a draft. Throws if a kernel fails, or gives another answer than is expected. */
export function caseOf(
  level: number,
  { name, request, expected, mustFail = false }: Draft,
  kernels: readonly Kernel[],
): Case {
  const [first, ...others] = kernels.map((kernel) => answered(request, kernel));
  assert.ok(first);
  const right = expected ?? first;
  for (const given of [first, ...others]) assert.deepEqual(given, right, `${level}/${name}`);
  assert.ok(!(mustFail && right.ok === true), `${level}/${name} is verified`);
  assert.notEqual(right.code, "internal_error", `${level}/${name}`);
  return parseCase({ name: `${level}/${name}`, level, request, answer: right });
}

function answered(request: JsonObject, kernel: Kernel): JsonObject {
  return JSON.parse(JSON.stringify(caseAnswerOf(answer({ id: 0, ...request }, kernel))));
}

/** Returns the base64 of a text or of bytes. */
export function base64(content: string | Uint8Array): string {
  return Buffer.from(content as string).toString("base64");
}

/** Returns the lowercase hex of bytes. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
