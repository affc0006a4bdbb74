/** A case: a request of the conformance protocol and its right answer (docs/conformance.md), read strictly. */
import { isObject, type Json, type JsonObject } from "../json.ts";

/** One case. `name` is unique over the set: `<level>/<family>/<slug>`. */
export interface Case {
  readonly name: string;
  /** 1 to 7. */
  readonly level: number;
  /** The request without its `id`. */
  readonly request: JsonObject & { readonly op: string };
  /** The members of the answer that are compared, without `id` and `message`. */
  readonly answer: JsonObject & { readonly ok: boolean };
}

export const LEVELS = [1, 2, 3, 4, 5, 6, 7] as const;

const NAME = /^[a-z0-9._-]+(?:\/[a-z0-9._-]+){2,}$/;
const REPORT = [
  "ok",
  "verdict",
  "kind",
  "subject",
  "assurance",
  "signers",
  "checks",
  "problems",
  "proves",
  "does_not_prove",
];

/** A value that is no case. The message says why, as the rest of a sentence about its place. */
export class CaseFault extends Error {
  override readonly name = "CaseFault";
}

/** Returns a case from its parsed line. Throws CaseFault. */
export function parseCase(value: unknown): Case {
  const { name, level, request, answer } = closed(value, "the case", ["name", "level", "request", "answer"]);
  if (typeof name !== "string" || !NAME.test(name))
    throw new CaseFault('"name" is not <level>/<family>/<slug> in the characters a-z, 0-9, ".", "_", "-"');
  if (!LEVELS.some((one) => one === level)) throw new CaseFault(`"level" of ${name} is not an integer of 1 to 7`);
  if (!name.startsWith(`${level}/`)) throw new CaseFault(`"name" ${name} does not begin with its level, ${level}/`);
  return { name, level: level as number, request: parseRequest(request), answer: parseAnswer(request, answer) };
}

function parseRequest(value: Json | undefined): Case["request"] {
  if (!isObject(value)) throw new CaseFault('"request" is no object');
  if (typeof value.op !== "string") throw new CaseFault('"request" has no text "op"');
  if (Object.hasOwn(value, "id")) throw new CaseFault('"request" has an "id", which the runner gives');
  return value as Case["request"];
}

function parseAnswer(request: Json | undefined, value: Json | undefined): Case["answer"] {
  if (!isObject(value)) throw new CaseFault('"answer" is no object');
  if (typeof value.ok !== "boolean") throw new CaseFault('"answer" has no boolean "ok"');
  for (const name of ["id", "message"])
    if (Object.hasOwn(value, name)) throw new CaseFault(`"answer" has a member "${name}", which is not compared`);
  if (isObject(request) && request.op === "verify") parseVerifyAnswer(value);
  return value as Case["answer"];
}

/** A kind that is not verified has a code in place of a report. */
function parseVerifyAnswer(answer: JsonObject): void {
  if (answer.ok === false && typeof answer.code === "string" && !Object.hasOwn(answer, "report")) {
    closed(answer, '"answer"', ["ok", "code"]);
    return;
  }
  if (!Object.hasOwn(answer, "report")) throw new CaseFault('"answer" of a verify case has no "report"');
  const report = closed(closed(answer, '"answer"', ["ok", "report"]).report, '"report"', REPORT);
  for (const [index, check] of list(report, "checks").entries())
    closed(check, `"checks/${index}"`, ["id", "status"], ["count"]);
  for (const [index, problem] of list(report, "problems").entries())
    closed(problem, `"problems/${index}"`, ["code", "path", "action"], ["seq_no", "window_no", "checkpoint_no", "kid"]);
  for (const name of ["signers", "proves", "does_not_prove"]) list(report, name);
}

function list(object: JsonObject, name: string): readonly Json[] {
  const value = object[name];
  if (!Array.isArray(value)) throw new CaseFault(`"${name}" of the report is no array`);
  return value;
}

/** Returns an object that has all of the required members, and no others than these and the optional ones. */
function closed(
  value: unknown,
  what: string,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject {
  if (!isObject(value)) throw new CaseFault(`${what} is no object`);
  for (const name of required)
    if (!Object.hasOwn(value, name)) throw new CaseFault(`${what} lacks the member ${JSON.stringify(name)}`);
  for (const name of Object.keys(value))
    if (!required.includes(name) && !optional.includes(name))
      throw new CaseFault(`${what} has a member ${JSON.stringify(name)}, which is not named in the form of a case`);
  return value;
}
