/** One seeded change of a verify case: of its bytes as text or as they stand, its trust policy, its links, its kind. */
import type { Case } from "../cases/case.ts";
import type { Json, JsonObject } from "../json.ts";
import { changedNotes } from "./changed-notes.ts";
import { changedTrust } from "./changed-trust.ts";
import { partsOf, placesOf, type Tree, textOfTree, treeAt, treeOf, withParts, withTree } from "./json-tree.ts";
import type { Random } from "./random.ts";

export type Request = Case["request"];

/** Scalars that readers take in different ways. */
const ODD = [
  "null",
  "true",
  "0",
  "-0",
  "1.0",
  "1e0",
  "-1",
  "9007199254740991",
  "9007199254740993",
  "1e400",
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"é"',
  '"e\\u0301"',
  "[]",
  "{}",
];
const KINDS = ["receipt", "stream", "window", "checkpoint", "bundle", "fork", "key", "anchor", "witness", "no-kind"];

/** Returns a changed copy of a verify request. */
export function mutate(request: Request, random: Random): Request {
  const what = random.below(16);
  if (what < 8) return withBytes(request, changedText(bytesOf(request), random));
  if (what < 9) return withBytes(request, changedBytes(bytesOf(request), random));
  if (what < 11) return withJson(request, random.pick(["trust", "trust", "links"]), random);
  if (what < 14) return { ...request, trust: changedTrust(request.trust, bytesOf(request).toString(), random) };
  if (what < 15) {
    const text = changedNotes(bytesOf(request).toString(), random);
    return text === null ? request : withBytes(request, Buffer.from(text));
  }
  const { kind: _, ...rest } = request;
  return (random.below(3) === 0 ? rest : { ...rest, kind: random.pick(KINDS) }) as Request;
}

/** Returns the bytes of a verify request; none if they are no text. */
export function bytesOf({ bytes }: JsonObject): Buffer {
  return Buffer.from(typeof bytes === "string" ? bytes : "", "base64");
}

/** Returns a request with other bytes. */
export function withBytes(request: Request, bytes: Uint8Array): Request {
  return { ...request, bytes: Buffer.from(bytes).toString("base64") };
}

function changedText(bytes: Buffer, random: Random): Uint8Array {
  const tree = treeOf(bytes.toString("utf8"));
  return tree === null ? changedBytes(bytes, random) : Buffer.from(textOfTree(changedTree(tree, random, true)));
}

/** A member of a request is read before it is judged, so what is no JSON value would be the runner's own fault. */
function withJson(request: Request, name: string, random: Random): Request {
  const value = Object.hasOwn(request, name) ? request[name] : undefined;
  const tree = value === undefined ? null : treeOf(JSON.stringify(value));
  if (tree === null || random.below(12) === 0) {
    const { [name]: _, ...rest } = request;
    return rest as Request;
  }
  try {
    return { ...request, [name]: JSON.parse(textOfTree(changedTree(tree, random, false))) as Json };
  } catch {
    return request;
  }
}

function changedBytes(bytes: Buffer, random: Random): Uint8Array {
  const at = random.below(bytes.length + 1);
  const copy = Buffer.from(bytes);
  switch (random.below(4)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.from(random.pick([[0], [0xff], [0xef, 0xbb, 0xbf], [0x20]])),
        copy.subarray(at),
      ]);
    case 2:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1 + random.below(8))]);
    default:
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
      return copy;
  }
}

/** `asText`: members may be repeated, and numbers and texts spelt in any way. */
function changedTree(tree: Tree, random: Random, asText: boolean): Tree {
  const place = random.pick(placesOf(tree));
  const at = treeAt(tree, place);
  if (at.type === "scalar") return withTree(tree, place, changedScalar(tree, at.text, random, asText));
  const count = partsOf(at).length;
  const all = [...Array(count).keys()];
  if (count === 0) return withTree(tree, place, { type: "scalar", text: random.pick(ODD.slice(0, 3)) });
  const [one, other] = [random.below(count), random.below(count)];
  switch (random.below(5)) {
    case 0:
      return withTree(tree, place, withParts(at, all.toSpliced(one, 1)));
    case 1:
      return at.type === "object" && !asText
        ? tree
        : withTree(tree, place, withParts(at, all.toSpliced(other, 0, one)));
    case 2: {
      const swapped = all.with(one, other).with(other, one);
      if (at.type === "array") return withTree(tree, place, withParts(at, swapped));
      const names = at.members.map(({ name }) => name);
      const members = swapped.map((from, to) => ({ name: names[to] ?? '""', value: partsOf(at)[from] ?? at }));
      return withTree(tree, place, { type: "object", members });
    }
    case 3:
      return withTree(tree, [...place, one], treeAt(tree, random.pick(placesOf(tree))));
    default: {
      if (at.type === "array") return withTree(tree, place, withParts(at, all.slice(0, one)));
      const name = random.pick(['"a"', '"__proto__"', at.members[one]?.name.toUpperCase() ?? '""']);
      return withTree(tree, place, {
        type: "object",
        members: at.members.with(one, { name, value: partsOf(at)[one] ?? at }),
      });
    }
  }
}

function changedScalar(tree: Tree, text: string, random: Random, asText: boolean): Tree {
  const others = placesOf(tree).map((place) => treeAt(tree, place));
  switch (random.below(4)) {
    case 0:
      return { type: "scalar", text: random.pick(ODD.filter((odd) => asText || !/\\u|1e400|993/.test(odd))) };
    case 1:
      return random.pick(others);
    case 2:
      return /^-?\d+$/.test(text)
        ? { type: "scalar", text: `${BigInt(text) + (random.below(2) === 0 ? 1n : -1n)}` }
        : odd(text, random);
    default:
      return odd(text, random);
  }
}

/** Changes one character of a text: a digit of hex to another, any other one to its neighbour. */
function odd(text: string, random: Random): Tree {
  if (!text.startsWith('"') || text.length < 3) return { type: "scalar", text: random.pick(ODD) };
  const at = 1 + random.below(text.length - 2);
  const character = text[at] ?? "";
  const changed = /[0-9a-f]/.test(character)
    ? ((Number.parseInt(character, 16) + 1 + random.below(15)) % 16).toString(16)
    : "x";
  return { type: "scalar", text: text.slice(0, at) + changed + text.slice(at + 1) };
}
