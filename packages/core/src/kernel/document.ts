/**
 * A checked JSON text whose parts are hashed as they stand, and recipes that hash and check many of its records in one
 * call. A kernel knows no protocol object: the author of a recipe says which members a receipt has, and what its hashes
 * cover.
 */

import type { Json } from "./kernel.ts";

/** A part of the canonical bytes: the offset of its first byte, and the offset behind its last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The elements of an array or the members of an object, in canonical order. */
export interface MemberSpans {
  readonly count: number;
  /** For each, the start and the end of its name with the quotes. In an array, both are the start of the value. */
  readonly names: Uint32Array;
  /** For each, the start and the end of its value. */
  readonly values: Uint32Array;
}

/** Member names, or decimal element numbers, that lead from an object to a value inside of it. */
export type MemberPath = readonly string[];

/**
 * Bytes that every record yields: a prefix, and J of an object that is made of members of the record and of fixed
 * strings.
 */
export interface Projection {
  readonly prefix: Uint8Array;
  /** By name: the path of the value in the record, or a fixed text. */
  readonly members: Readonly<Record<string, MemberPath | string>>;
}

/** A signature in every record: the bytes that it covers, and its place. */
export interface SignatureRecipe extends Projection {
  /** The path of the signature, which is 128 lowercase hex characters. */
  readonly signature: MemberPath;
  /** The path of the key's name. */
  readonly key: MemberPath;
  /** The public keys, 32 bytes each, by that name. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

/**
 * The members to hash, check and read in each record. A recipe can name at most 64 members of a record, at most 8 deep.
 */
export interface RecordRecipe {
  readonly digests: readonly Projection[];
  readonly signatures: readonly SignatureRecipe[];
  /** Members that are 64 lowercase hex characters. */
  readonly hashes: readonly MemberPath[];
  /** Members whose values are returned as canonical JSON. */
  readonly literals: readonly MemberPath[];
  /** Members that are objects. */
  readonly objects: readonly MemberPath[];
  /**
   * Whether other members make a record irregular: members that the recipe does not name, of the record or of an object
   * in it of which the recipe names members.
   */
  readonly closed: boolean;
}

/** The verdict on one signature of a record. */
export const SIGNATURE = { invalid: 0, valid: 1, noKey: 2 } as const;

/** The answer to a recipe for some records: in each column one row for each record, in order. */
export interface RecordColumns {
  readonly count: number;
  /**
   * One byte each. It is 1 if every member that the recipe names is there, hashes and signatures are hex of the right
   * length, objects are objects, and a closed recipe finds no other member. Otherwise it is 0, and all columns hold
   * zeros.
   */
  readonly regular: Uint8Array;
  /** For each digest of the recipe its SHA-256, 32 bytes for a record. */
  readonly digests: readonly Uint8Array[];
  /** For each signature of the recipe one byte for a record, of SIGNATURE. */
  readonly verdicts: readonly Uint8Array[];
  /** For each hash of the recipe its bytes, 32 for a record. */
  readonly hashes: readonly Uint8Array[];
  /**
   * For each literal of the recipe the values as canonical JSON, each with a newline behind it. An irregular record has
   * only the newline.
   */
  readonly literals: readonly Uint8Array[];
  /** The names of the records as canonical JSON strings, each with a newline behind it; empty for an array. */
  readonly names: Uint8Array;
}

/** The number of records in a batch; the last batch may have fewer. */
export const RECORD_BATCH = 8192;

/** An accepted JSON text. */
export interface JsonDocument {
  /** Whether the given bytes are canonical. */
  readonly isCanonical: boolean;
  /** The number of arrays and objects that are open at the deepest place, from 0 to 64. */
  readonly depth: number;
  /** Returns J of the value; the given bytes themselves if `isCanonical`. */
  canonicalBytes(): Uint8Array;
  /** Returns the value that `parseJson` returns for the given bytes. */
  value(): Json;
  /** Returns the parts of the array or object at a path; null if the path leads to neither. */
  members(path: MemberPath): MemberSpans | null;
  /**
   * Returns SHA-256 of a prefix and a part of the canonical bytes; 32 bytes. Throws RangeError for a part that is
   * outside.
   */
  hashPart(prefix: Uint8Array, part: Span): Uint8Array;
  /**
   * Applies a recipe to every element or member of the array or object at a path. Yields RECORD_BATCH of them at a
   * time, so that any number takes little memory; an empty array or object yields one empty batch. Returns null if
   * there is no array or object.
   */
  records(path: MemberPath, recipe: RecordRecipe): Iterable<RecordColumns> | null;
  /**
   * Gives back the memory that the document holds. The document can still be used, but its bytes are then read again.
   */
  close(): void;
}

/** Throws RangeError for a part that is not within so many bytes. */
export function requirePart({ start, end }: Span, length: number): void {
  const isPart = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= length;
  if (!isPart) throw new RangeError(`no part ${start} to ${end} of ${length} bytes`);
}

/** Throws RangeError or TypeError for a recipe that no kernel can follow. */
export function requireRecipe(recipe: RecordRecipe): void {
  const { digests, signatures } = recipe;
  const sources = [...digests, ...signatures].flatMap(({ members }) => Object.entries(members));
  const paths = pathsOf(recipe);
  for (const { keys } of signatures) {
    if ([...keys.values()].some((publicKey) => publicKey.length !== 32))
      throw new RangeError("a public key has 32 bytes");
  }
  if (paths.some((path) => path.length === 0 || path.length > MAX_PATH))
    throw new RangeError(`a member of a record is named by 1 to ${MAX_PATH} names`);
  if (new Set(paths.map((path) => JSON.stringify(path))).size > MAX_FIELDS)
    throw new RangeError(`a recipe names at most ${MAX_FIELDS} members`);
  const texts = [...sources.flat(), ...paths].flat();
  if (!texts.every((text) => text.isWellFormed())) throw new TypeError("a recipe has a lone surrogate in a text");
}

/** Returns the paths of all members that a recipe names; some may repeat. */
export function pathsOf({ digests, signatures, hashes, literals, objects }: RecordRecipe): MemberPath[] {
  const sources = [...digests, ...signatures].flatMap(({ members }) => Object.values(members));
  return [
    ...sources.filter((source) => typeof source !== "string"),
    ...signatures.flatMap(({ signature, key }) => [signature, key]),
    ...hashes,
    ...literals,
    ...objects,
  ];
}

/** A recipe can name so many members of a record. */
const MAX_FIELDS = 64;
/** A path into a record can be so long. */
const MAX_PATH = 8;
