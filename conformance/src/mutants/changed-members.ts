/**
 * One seeded change of a request of any operation but `verify`: of a text by characters and lines, of bytes as mutants
 * of evidence are changed, of a number to its neighbours, of a list by its elements.
 */
import { isObject, type Json } from "../json.ts";
import type { Request } from "./mutate.ts";
import type { Random } from "./random.ts";

/** Members that hold base64. */
const BYTES = new Set(["bytes", "left", "right"]);
/** Texts that the formats of the protocol give a meaning, or refuse. */
const PIECES = "\n| |—|+|/|=|0|9|a|F|\t|\r|\u0000|é|-|w|quorum|group|log|witness|any|all|none|#|\ufeff".split("|");
const HEX = "0123456789abcdef";

/** Returns a changed copy. `other`: a request from which parts may come. `changedBytes`: changes base64. */
export function changedMembers(
  request: Request,
  other: Request,
  random: Random,
  changedBytes: (base64: string) => string,
): Request {
  const names = Object.keys(request).filter((name) => name !== "op");
  if (names.length === 0) return request;
  const name = random.pick(names);
  const value = request[name] as Json;
  if (typeof value === "string" && BYTES.has(name)) {
    const taken = other[name];
    const isTaken = typeof taken === "string" && random.below(3) === 0;
    return { ...request, [name]: isTaken ? taken : changedBytes(value) };
  }
  return { ...request, [name]: changedValue(value, other[name] ?? value, random) };
}

function changedValue(value: Json, other: Json, random: Random): Json {
  if (typeof value === "string") return changedText(value, typeof other === "string" ? other : value, random);
  if (typeof value === "number")
    return random.pick([value + 1, value - 1, 0, 1, Number.MAX_SAFE_INTEGER, -1, value * 2, value + 0.5, `${value}`]);
  if (Array.isArray(value)) return changedList(value, random);
  if (!isObject(value) || Object.keys(value).length === 0) return random.pick<Json>([null, true, 0, "", [], {}]);
  const name = random.pick(Object.keys(value));
  const member = value[name] ?? null;
  return { ...value, [name]: changedValue(member, member, random) };
}

function changedList(list: readonly Json[], random: Random): Json {
  if (list.length === 0) return random.pick<Json>([[], [0], [""], [null], [1]]);
  const [at, from] = [random.below(list.length), random.below(list.length)];
  const [one, other] = [list[at] ?? null, list[from] ?? null];
  return random.pick<() => Json>([
    () => list.toSpliced(at, 1),
    () => list.toSpliced(at, 0, other),
    () => list.with(at, other),
    () => list.with(at, changedValue(one, other, random)),
  ])();
}

function changedText(text: string, other: string, random: Random): string {
  const lines = text.split("\n");
  const [at, line, second] = [random.below(text.length + 1), random.below(lines.length), random.below(lines.length)];
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random.below(3));
    case 2:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at + 1);
    case 3:
      return lines.toSpliced(line, 1).join("\n");
    case 4:
      return lines.toSpliced(line, 0, random.pick([...lines, ...other.split("\n")])).join("\n");
    case 5:
      return lines
        .with(line, lines[second] ?? "")
        .with(second, lines[line] ?? "")
        .join("\n");
    case 6:
      return text.slice(0, at);
    default:
      return text.slice(0, at) + (HEX.includes(text[at] ?? "-") ? random.pick([...HEX]) : "x") + text.slice(at + 1);
  }
}
