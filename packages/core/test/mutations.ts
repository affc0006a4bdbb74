/**
 * Every small change of a JSON value: each member changed, deleted and renamed, one added to each object, each array element dropped,
 * repeated and swapped. Each comes with a description of where and what.
 */
import type { Json } from "../src/index.ts";

export interface Mutant {
  /** JSON Pointer and what was done there, as in `/seal/kid changed`. */
  readonly what: string;
  readonly value: Json;
}

/** All single mutations of a value, one after the other. */
export function* mutants(root: Json): Generator<Mutant> {
  yield* at(root, "", (value) => value);
}

type Rebuild = (value: Json) => Json;

function* at(node: Json, path: string, rebuild: Rebuild): Generator<Mutant> {
  if (Array.isArray(node)) yield* inArray(node, path, rebuild);
  else if (typeof node === "object" && node !== null) yield* inObject(node as { [name: string]: Json }, path, rebuild);
  else
    for (const value of otherScalars(node))
      yield { what: `${path} changed to ${JSON.stringify(value)}`, value: rebuild(value) };
}

function* inArray(items: readonly Json[], path: string, rebuild: Rebuild): Generator<Mutant> {
  for (const [index, item] of items.entries()) {
    const before = items.slice(0, index);
    const after = items.slice(index + 1);
    yield* at(item, `${path}/${index}`, (value) => rebuild([...before, value, ...after]));
    yield { what: `${path}/${index} dropped`, value: rebuild([...before, ...after]) };
    yield { what: `${path}/${index} repeated`, value: rebuild([...before, item, item, ...after]) };
    const [next, ...rest] = after;
    if (next !== undefined)
      yield { what: `${path}/${index} swapped`, value: rebuild([...before, next, item, ...rest]) };
  }
}

function* inObject(object: { [name: string]: Json }, path: string, rebuild: Rebuild): Generator<Mutant> {
  for (const [name, member] of Object.entries(object)) {
    yield* at(member, `${path}/${name}`, (value) => rebuild({ ...object, [name]: value }));
    const { [name]: _gone, ...rest } = object;
    yield { what: `${path}/${name} deleted`, value: rebuild(rest) };
    yield { what: `${path}/${name} renamed`, value: rebuild({ ...rest, [`${name}_`]: member }) };
    yield { what: `${path}/${name} made null`, value: rebuild({ ...object, [name]: member === null ? 0 : null }) };
  }
  yield { what: `${path} given a member`, value: rebuild({ ...object, additional: 0 }) };
}

/** Other values of the same type, and one bit flipped where the text is hex. */
function otherScalars(value: null | boolean | number | string): Json[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, value - 1, -value - 1, value + 0.5];
  if (value === null) return [0, ""];
  const others = ["", `${value} `, value.toUpperCase(), value.slice(0, -1)];
  const last = Number.parseInt(value.slice(-1), 16);
  if (!Number.isNaN(last)) others.push(value.slice(0, -1) + (last ^ 1).toString(16));
  const first = Number.parseInt(value.slice(0, 1), 16);
  if (!Number.isNaN(first)) others.push((first ^ 8).toString(16) + value.slice(1));
  return others.filter((other) => other !== value);
}
