/** The differences of two reports, by what protocol section 16 calls equal. */
import { isObject, type Json, type JsonObject, textOf } from "../json.ts";
import { type Difference, difference, isEqual, memberOf } from "./difference.ts";

/** Members that are the same in every right report. */
const MEMBERS = ["ok", "verdict", "kind", "subject", "assurance", "signers"];
/** Members that core's tables word: compared where somebody asks for it. */
const WORDED = ["proves", "does_not_prove"];
const REPORT = new Set([...MEMBERS, ...WORDED, "verifier", "checks", "problems"]);
const CHECK = ["id", "status", "count"];
const CHECK_WORDS = ["note"];
const PROBLEM = ["code", "path", "seq_no", "window_no", "checkpoint_no", "kid"];
const PROBLEM_WORDS = ["message", "expected", "actual", "action"];
/** A report lists so many problems; which ones, of more, is free. */
const MAX_PROBLEMS = 1000;

/** Returns the differences, with paths into the answer. */
export function reportDifferences(wanted: JsonObject, given: JsonObject, words: boolean): Difference[] {
  const found: Difference[] = [];
  for (const name of [...MEMBERS, ...(words ? WORDED : [])]) {
    const [right, other] = [memberOf(wanted, name), memberOf(given, name)];
    if (!isEqual(right, other)) found.push(difference(`/report/${name}`, right, other));
  }
  for (const name of Object.keys(given))
    if (!REPORT.has(name)) found.push(difference(`/report/${name}`, undefined, memberOf(given, name)));
  found.push(...checkDifferences(listOf(wanted, "checks"), memberOf(given, "checks")));
  found.push(...problemDifferences(listOf(wanted, "problems"), memberOf(given, "problems"), words));
  return found;
}

/** Compares the checks one by one, in their order. */
function checkDifferences(wanted: readonly Json[], given: Json | undefined): Difference[] {
  if (!Array.isArray(given)) return [difference("/report/checks", wanted.map(idOf), given)];
  const ids = [wanted.map(idOf), given.map(idOf)] as const;
  if (!isEqual(...ids)) return [difference("/report/checks", ...ids)];
  return wanted.flatMap((check, index) => {
    const other = given[index] ?? null;
    if (isSamePart(check, other, CHECK, CHECK_WORDS)) return [];
    const parts = [partOf(check, CHECK, CHECK_WORDS), partOf(other, CHECK, CHECK_WORDS)] as const;
    return [difference(`/report/checks/${index}`, ...parts)];
  });
}

/** Compares the problems as sets; where both have the same ones, in their order. */
function problemDifferences(wanted: readonly Json[], given: Json | undefined, words: boolean): Difference[] {
  const names = words ? [...PROBLEM, "action"] : PROBLEM;
  if (!Array.isArray(given)) return [difference("/report/problems", wanted, given)];
  if (wanted.length >= MAX_PROBLEMS && given.length === wanted.length) return [];
  const isOther = (one: Json, index: number) => !isSamePart(one, given[index] ?? null, names, PROBLEM_WORDS);
  const first = wanted.findIndex(isOther);
  if (wanted.length === given.length && first === -1) return [];
  const missing = new Map<string, Json[]>();
  for (const problem of wanted.map((one) => partOf(one, names, PROBLEM_WORDS))) {
    const text = textOf(problem);
    missing.set(text, [...(missing.get(text) ?? []), problem]);
  }
  const surplus = given
    .map((one: Json) => partOf(one, names, PROBLEM_WORDS))
    .filter((problem: Json) => {
      return missing.get(textOf(problem))?.pop() === undefined;
    });
  const found = [
    ...[...missing.values()].flat().map((problem) => difference("/report/problems", problem, undefined)),
    ...surplus.map((problem) => difference("/report/problems", undefined, problem)),
  ];
  if (found.length > 0) return found;
  const parts = [wanted, given].map((list) => partOf(list[first] ?? null, names, PROBLEM_WORDS));
  return [difference(`/report/problems/${first}`, parts[0], parts[1])];
}

/** Says whether two values are the same without their wording, as `partOf` leaves it out. */
function isSamePart(left: Json, right: Json, names: readonly string[], words: readonly string[]): boolean {
  if (!isObject(left) || !isObject(right)) return isEqual(left, right);
  const isWording = (name: string) => words.includes(name) && !names.includes(name);
  let surplus = 0;
  for (const name of Object.keys(right)) if (!isWording(name)) surplus++;
  for (const name of Object.keys(left)) {
    if (isWording(name)) continue;
    if (!isEqual(left[name], memberOf(right, name))) return false;
    surplus--;
  }
  return surplus === 0;
}

/** Returns an object without its wording; a member that no report has stays, and so shows as a difference. */
function partOf(value: Json, names: readonly string[], words: readonly string[]): Json {
  if (!isObject(value)) return value;
  const kept = Object.keys(value).filter((name) => names.includes(name) || !words.includes(name));
  return Object.fromEntries(kept.sort().map((name) => [name, value[name] ?? null]));
}

function idOf(check: Json): Json {
  return isObject(check) ? (check.id ?? null) : check;
}

function listOf(object: JsonObject, name: string): readonly Json[] {
  const value = memberOf(object, name);
  return Array.isArray(value) ? value : [];
}
