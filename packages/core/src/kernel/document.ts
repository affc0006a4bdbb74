/**
 * A checked JSON text whose parts are hashed as they stand, and recipes that hash and check many records of it in one call. A kernel
 * knows no protocol object: which members a receipt has, and what its hashes cover, is said by whoever writes the recipe.
 */

/** A part of the canonical bytes: the offset of its first byte and that of the first one behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The elements of an array or the members of an object, in canonical order. */
export interface MemberSpans {
  readonly count: number;
  /** For each, the start and the end of its name with the quotes; both that of the value in an array. */
  readonly names: Uint32Array;
  /** For each, the start and the end of its value. */
  readonly values: Uint32Array;
}

/** Member names, or decimal element numbers, that lead from an object to a value inside of it. */
export type MemberPath = readonly string[];

/** Bytes that every record yields: a prefix and J of an object put together from members of the record and fixed strings. */
export interface Projection {
  readonly prefix: Uint8Array;
  /** By name, where in the record the value is found, or the text that it always is. */
  readonly members: Readonly<Record<string, MemberPath | string>>;
}

/** A signature that every record carries: what it covers and where it stands. */
export interface SignatureRecipe extends Projection {
  /** Where the signature stands, as 128 lowercase hex characters. */
  readonly signature: MemberPath;
  /** Where the key's name stands. */
  readonly key: MemberPath;
  /** The public keys, 32 bytes each, by that name. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

/** What to hash, check and read in each record. At most 64 members of a record can be named, at most 8 deep. */
export interface RecordRecipe {
  readonly digests: readonly Projection[];
  readonly signatures: readonly SignatureRecipe[];
  /** Members that are 64 lowercase hex characters. */
  readonly hashes: readonly MemberPath[];
  /** Members whose values are given as canonical JSON. */
  readonly literals: readonly MemberPath[];
  /** Members that are objects. */
  readonly objects: readonly MemberPath[];
  /** Whether a record is irregular that has another member than the recipe names, or inside of one of which it names members. */
  readonly closed: boolean;
}

/** The verdict on one signature of a record. */
export const SIGNATURE = { invalid: 0, valid: 1, noKey: 2 } as const;

/** What a recipe gives for some records: one row for each, in order, in each column. */
export interface RecordColumns {
  readonly count: number;
  /**
   * One byte each: 1 where every member that the recipe names is there, its hashes and signatures being hex of the right length and its objects objects, and in a
   * closed recipe no other is. Otherwise 0, and zeros stand in all columns.
   */
  readonly regular: Uint8Array;
  /** For each digest of the recipe its SHA-256, 32 bytes a record. */
  readonly digests: readonly Uint8Array[];
  /** For each signature of the recipe one byte a record, of SIGNATURE. */
  readonly verdicts: readonly Uint8Array[];
  /** For each hash of the recipe its bytes, 32 a record. */
  readonly hashes: readonly Uint8Array[];
  /** For each literal of the recipe the values as canonical JSON, each followed by a newline; of an irregular record the newline alone. */
  readonly literals: readonly Uint8Array[];
  /** The names of the records as canonical JSON strings, each followed by a newline; empty for an array. */
  readonly names: Uint8Array;
}

/** How many records come at a time; fewer at the end. */
export const RECORD_BATCH = 8192;

/** An accepted JSON text. */
export interface JsonDocument {
  /** Whether the bytes given are canonical. */
  readonly isCanonical: boolean;
  /** How many arrays and objects are open at the deepest place, from 0 to 64. */
  readonly depth: number;
  /** J of the value; where `isCanonical`, the very bytes given. */
  canonicalBytes(): Uint8Array;
  /** The parts of the array or object at a path; null where there is none. */
  members(path: MemberPath): MemberSpans | null;
  /** SHA-256 of a prefix and a part of the canonical bytes; 32 bytes. RangeError for a part that is outside. */
  hashPart(prefix: Uint8Array, part: Span): Uint8Array;
  /**
   * Applies a recipe to every element or member of the array or object at a path, RECORD_BATCH of them at a time, so that it takes
   * little memory however many there are; null where there is no array or object. Of an empty one comes one batch of none.
   */
  records(path: MemberPath, recipe: RecordRecipe): Iterable<RecordColumns> | null;
  /** Gives back the memory that the document holds. It can still be used, at the price of reading it again. */
  close(): void;
}

/** Throws RangeError for a part that is not within so many bytes. */
export function requirePart({ start, end }: Span, length: number): void {
  const isPart = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= length;
  if (!isPart) throw new RangeError(`no part ${start} to ${end} of ${length} bytes`);
}

/** Throws RangeError or TypeError for a recipe that no kernel follows. */
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

/** All members of a record that a recipe names; some more than once. */
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

/** How many members of a record a recipe can name. */
const MAX_FIELDS = 64;
/** How deep in a record they can stand. */
const MAX_PATH = 8;
