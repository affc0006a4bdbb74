/**
 * JSON text as a tree that keeps what `JSON.parse` loses: repeated members, the spelling of numbers and texts. It is
 * for changing texts, and accepts more than JSON.
 */

/** A value. `text`: that of a scalar, as it stands. `name`: as it stands, with its quotes. */
export type Tree =
  | { readonly type: "scalar"; readonly text: string }
  | { readonly type: "array"; readonly items: readonly Tree[] }
  | { readonly type: "object"; readonly members: readonly Member[] };

export interface Member {
  readonly name: string;
  readonly value: Tree;
}

const MAX_DEPTH = 200;
const TOKEN = /\s*("(?:[^"\\]|\\[\s\S])*"|[[\]{},:]|[^\s[\]{},:"]+)/y;

/** Returns the tree of a text; null if it is no JSON, or too deep. */
export function treeOf(text: string): Tree | null {
  TOKEN.lastIndex = 0;
  const next = () => TOKEN.exec(text)?.[1];
  const value = (token: string | undefined, depth: number): Tree => {
    if (token === undefined || depth > MAX_DEPTH) throw new SyntaxError();
    if (token === "[") return { type: "array", items: listUpTo("]", (first) => value(first, depth + 1)) };
    if (token === "{") return { type: "object", members: listUpTo("}", (first) => member(first, depth)) };
    if (/^[\]},:]/.test(token)) throw new SyntaxError();
    return { type: "scalar", text: token };
  };
  const member = (name: string | undefined, depth: number): Member => {
    if (name === undefined || !name.startsWith('"') || next() !== ":") throw new SyntaxError();
    return { name, value: value(next(), depth + 1) };
  };
  const listUpTo = <Part>(end: string, part: (first: string | undefined) => Part): Part[] => {
    const parts: Part[] = [];
    for (let token = next(); token !== end; token = next()) {
      if (parts.length > 0) {
        if (token !== ",") throw new SyntaxError();
        token = next();
      }
      parts.push(part(token));
    }
    return parts;
  };
  try {
    const tree = value(next(), 0);
    return text.slice(TOKEN.lastIndex).trim() === "" ? tree : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Returns the text of a tree, without white space. */
export function textOfTree(tree: Tree): string {
  if (tree.type === "scalar") return tree.text;
  if (tree.type === "array") return `[${tree.items.map(textOfTree).join(",")}]`;
  return `{${tree.members.map(({ name, value }) => `${name}:${textOfTree(value)}`).join(",")}}`;
}

/** A place in a tree: the indexes of items and members, from the root on. */
export type Place = readonly number[];

/** Returns the parts of an array or object, in order; none of a scalar. */
export function partsOf(tree: Tree): readonly Tree[] {
  if (tree.type === "array") return tree.items;
  return tree.type === "object" ? tree.members.map(({ value }) => value) : [];
}

/** Returns all places, the root first. */
export function placesOf(tree: Tree): Place[] {
  const places: Place[] = [[]];
  const walk = (part: Tree, at: Place) => {
    for (const [index, inner] of partsOf(part).entries()) {
      const place = [...at, index];
      places.push(place);
      walk(inner, place);
    }
  };
  walk(tree, []);
  return places;
}

/** Returns the value at a place. */
export function treeAt(tree: Tree, place: Place): Tree {
  return place.reduce((part, index) => partsOf(part)[index] ?? part, tree);
}

/** Returns a tree with another value at a place. */
export function withTree(tree: Tree, place: Place, value: Tree): Tree {
  const [index, ...rest] = place;
  if (index === undefined) return value;
  const inner = withTree(partsOf(tree)[index] ?? value, rest, value);
  if (tree.type === "array") return { type: "array", items: tree.items.with(index, inner) };
  if (tree.type !== "object") return tree;
  const name = tree.members[index]?.name ?? '""';
  return { type: "object", members: tree.members.with(index, { name, value: inner }) };
}

/** Returns an array or object with only some of its parts, `kept` by index, which may repeat and reorder them. */
export function withParts(tree: Tree, kept: readonly number[]): Tree {
  if (tree.type === "array") return { type: "array", items: kept.flatMap((index) => tree.items[index] ?? []) };
  if (tree.type === "object") return { type: "object", members: kept.flatMap((index) => tree.members[index] ?? []) };
  return tree;
}
