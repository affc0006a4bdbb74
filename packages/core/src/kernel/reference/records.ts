/** Recipes of the reference kernel: it follows them record by record, with the plain functions. */
import { concatBytes } from "../../encoding/bytes.ts";
import { parseHex } from "../../encoding/hex.ts";
import {
  type MemberPath,
  type Projection,
  pathsOf,
  type RecordColumns,
  type RecordRecipe,
  SIGNATURE,
} from "../document.ts";
import type { Json } from "../kernel.ts";
import { canonicalize } from "./canonical.ts";
import { sha256 } from "./digest.ts";
import { verifyEd25519 } from "./ed25519.ts";

const NOTHING = new Uint8Array();
const NEWLINE = Uint8Array.of(0x0a);

/** Applies a recipe to records. Their names are empty unless they are the members of an object. */
export function readRecords(names: readonly string[], records: readonly Json[], recipe: RecordRecipe): RecordColumns {
  const regular = records.map((record) => isRegular(record, recipe));
  const column = (row: (record: Json) => Uint8Array, length: number) =>
    concatBytes(records.map((record, index) => (regular[index] ? row(record) : new Uint8Array(length))));
  return {
    count: records.length,
    regular: Uint8Array.from(regular, Number),
    digests: recipe.digests.map((projection) => column((record) => sha256(project(record, projection)), 32)),
    verdicts: recipe.signatures.map((signed) =>
      column((record) => {
        const name = fieldAt(record, signed.key);
        const publicKey = typeof name === "string" ? signed.keys.get(name) : undefined;
        if (publicKey === undefined) return Uint8Array.of(SIGNATURE.noKey);
        const signature = hexAt(record, signed.signature, 64) ?? new Uint8Array();
        const [valid] = verifyEd25519([{ publicKey, message: project(record, signed), signature }]);
        return Uint8Array.of(valid === true ? SIGNATURE.valid : SIGNATURE.invalid);
      }, 1),
    ),
    hashes: recipe.hashes.map((path) => column((record) => hexAt(record, path, 32) ?? new Uint8Array(32), 32)),
    literals: recipe.literals.map((path) =>
      lines(records.map((record, index) => (regular[index] ? canonicalize(fieldAt(record, path) ?? null) : NOTHING))),
    ),
    names: lines(names.map((name) => canonicalize(name))),
  };
}

function isRegular(record: Json, recipe: RecordRecipe): boolean {
  const paths = pathsOf(recipe);
  return (
    (!recipe.closed || hasOnly(record, paths)) &&
    paths.every((path) => fieldAt(record, path) !== undefined) &&
    recipe.signatures.every(({ signature }) => hexAt(record, signature, 64) !== null) &&
    recipe.hashes.every((path) => hexAt(record, path, 32) !== null) &&
    recipe.objects.every((path) => isPlainObject(fieldAt(record, path)))
  );
}

function isPlainObject(value: Json | undefined): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Says whether an object has no member but those that paths lead to or through. */
function hasOnly(value: Json | undefined, paths: readonly MemberPath[]): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, member]) => {
    const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    const deeper = inside.filter((path) => path.length > 0);
    return inside.length > 0 && (deeper.length === 0 || hasOnly(member, deeper));
  });
}

function lines(texts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(texts.flatMap((text) => [text, NEWLINE]));
}

function project(record: Json, { prefix, members }: Projection): Uint8Array {
  const object: Record<string, Json> = Object.create(null);
  for (const [name, source] of Object.entries(members))
    object[name] = typeof source === "string" ? source : (fieldAt(record, source) ?? null);
  return concatBytes([prefix, canonicalize(object)]);
}

/** Returns the value at a path of member names; array elements are not fields of a record. */
function fieldAt(record: Json, path: MemberPath): Json | undefined {
  let value: Json | undefined = record;
  for (const name of path) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Readonly<Record<string, Json>>)[name];
  }
  return value;
}

function hexAt(record: Json, path: MemberPath, length: number): Uint8Array | null {
  const value = fieldAt(record, path);
  const bytes = typeof value === "string" ? parseHex(value) : null;
  return bytes?.length === length ? bytes : null;
}
