/** Encodes paths and recipes for the compiled kernel (crates/kernel/src/records/recipe.rs). */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { MemberPath, Projection, RecordRecipe } from "../document.ts";

/** Stands for no field. */
const NONE = 0xffffffff;

/** A member to find: what the recipe needs of its value, and of the members inside it. */
interface Wanted {
  field: number;
  readonly inside: Map<string, Wanted>;
}

/** Encodes a path: the number of its steps, their lengths, and the steps as JSON strings. */
export function encodePath(path: MemberPath): Uint8Array {
  const steps = path.map(literal);
  return concatBytes([u32(steps.length), ...steps.map((step) => u32(step.length)), ...steps]);
}

/** Encodes a recipe, with its members numbered in the order in which it names them. */
export function encodeRecipe(recipe: RecordRecipe): Uint8Array {
  const wanted = new Map<string, Wanted>();
  let fields = 0;
  const fieldOf = (path: MemberPath): number => {
    let inside = wanted;
    let found: Wanted | undefined;
    for (const name of path) {
      found = inside.get(name) ?? { field: NONE, inside: new Map() };
      inside.set(name, found);
      inside = found.inside;
    }
    if (found === undefined) return NONE;
    if (found.field === NONE) found.field = fields++;
    return found.field;
  };
  const digests = recipe.digests.map((projection) => encodePieces(projection, fieldOf));
  const signatures = recipe.signatures.map((signed) =>
    concatBytes([
      encodePieces(signed, fieldOf),
      u32(fieldOf(signed.signature)),
      u32(fieldOf(signed.key)),
      list([...signed.keys].map(([name, publicKey]) => concatBytes([text(literal(name)), publicKey]))),
    ]),
  );
  const hashes = recipe.hashes.map((path) => u32(fieldOf(path)));
  const literals = recipe.literals.map((path) => u32(fieldOf(path)));
  const objects = recipe.objects.map((path) => u32(fieldOf(path)));
  const lists = [digests, signatures, hashes, literals, objects].map(list);
  return concatBytes([encodeWanted(wanted), ...lists, u32(recipe.closed ? 1 : 0)]);
}

/** Encodes fixed texts and fields, alternately, as they join to the prefix and the canonical object. */
function encodePieces({ prefix, members }: Projection, fieldOf: (path: MemberPath) => number): Uint8Array {
  const pieces = [fixed(prefix)];
  let opening = "{";
  for (const [name, source] of inOrder(Object.entries(members))) {
    const before = `${opening}${JSON.stringify(name)}:`;
    if (typeof source === "string") pieces.push(fixed(encodeUtf8(before + JSON.stringify(source))));
    else pieces.push(fixed(encodeUtf8(before)), u32(fieldOf(source)));
    opening = ",";
  }
  pieces.push(fixed(encodeUtf8(opening === "{" ? "{}" : "}")));
  return list(pieces);
}

function encodeWanted(members: ReadonlyMap<string, Wanted>): Uint8Array {
  return list(
    inOrder([...members]).map(([name, { field, inside }]) =>
      concatBytes([text(literal(name)), u32(field), encodeWanted(inside)]),
    ),
  );
}

/** Returns members in canonical order: strings compare by UTF-16 code units (RFC 8785 section 3.2.3). */
function inOrder<T>(members: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  return members.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns a string in the spelling of canonical JSON; JSON.stringify writes well-formed text in the same way. */
function literal(value: string): Uint8Array {
  return encodeUtf8(JSON.stringify(value));
}

function fixed(bytes: Uint8Array): Uint8Array {
  return concatBytes([u32(NONE), text(bytes)]);
}

function text(bytes: Uint8Array): Uint8Array {
  return concatBytes([u32(bytes.length), bytes]);
}

function list(items: readonly Uint8Array[]): Uint8Array {
  return concatBytes([u32(items.length), ...items]);
}

/** Encodes a 32-bit little-endian number. */
export function u32(value: number): Uint8Array {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
}
