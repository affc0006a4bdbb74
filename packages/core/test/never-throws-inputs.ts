/**
 * Random inputs for a verifier, each from a seed and an index: bytes that are truncated, flipped and joined, and values
 * that are edited and mixed. A third of them also have such a trust policy and links.
 */
import type { Json, Kind, VerifyOptions } from "../src/index.ts";
import { type Corpus, KINDS, type Seed } from "./never-throws-corpus.ts";
import { editedBytes, editedBytesOften, editedOften } from "./never-throws-edits.ts";
import { otherPackage } from "./never-throws-packages.ts";
import { Random } from "./never-throws-random.ts";

/** The input of one call of `verify`. */
export interface Input {
  readonly bytes: Uint8Array;
  readonly options: Pick<VerifyOptions, "kind" | "trust" | "links">;
}

const MAX_RANDOM_BYTES = 200;
const SEEDS_TO_CHOOSE_FROM = 3;

/** Returns the input of a seed and an index. */
export function inputOf(corpus: Corpus, seed: number, index: number): Input {
  const random = new Random(seed, index);
  const one = pickSeed(random, corpus);
  const bytes = random.chance(1, 3) ? otherBytes(random, corpus, one) : otherValue(random, corpus, one);
  const kind = otherKind(random, one);
  const around = index % 3 === 0 ? otherSurroundings(random, corpus, one) : { trust: one.trust, links: one.links };
  return { bytes, options: { ...around, ...(kind === undefined ? {} : { kind }) } };
}

/**
 * Picks each kind equally often, and mostly small ones: the smallest of a few. A few are so large that they are checked
 * in bulk.
 */
function pickSeed(random: Random, { seeds, large, byKind }: Corpus): Seed {
  if (random.chance(1, 1000)) return random.pick(large);
  if (random.chance(1, 100)) return random.pick(seeds);
  const own = random.pick(byKind);
  const some = Array.from({ length: SEEDS_TO_CHOOSE_FROM }, () => random.pick(own));
  return some.reduce((least, one) => (one.bytes.length < least.bytes.length ? one : least));
}

/** Mostly no kind is given, as an auditor would; sometimes another one. */
function otherKind(random: Random, one: Seed): Kind | undefined {
  if (random.chance(4, 5)) return undefined;
  return random.chance(3, 4) ? one.kind : random.pick(KINDS);
}

function otherSurroundings(random: Random, corpus: Corpus, one: Seed): Pick<VerifyOptions, "trust" | "links"> {
  const { trust } = random.chance(1, 2) ? one : random.pick(corpus.seeds);
  const links = Array.from({ length: random.below(3) }, () => random.pick(corpus.links));
  const edited = (value: Json) => (random.chance(1, 2) ? editedOften(random, corpus, value) : value);
  return { trust: edited(trust), links: [...one.links, ...links].map(edited) };
}

function otherBytes(random: Random, corpus: Corpus, { bytes }: Seed): Uint8Array {
  if (random.chance(1, 20)) return randomBytes(random, random.below(MAX_RANDOM_BYTES));
  return editedBytesOften(random, corpus, bytes);
}

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function otherValue(random: Random, corpus: Corpus, one: Seed): Uint8Array {
  if (one.entries.length > 0) return otherPackage(random, corpus, one);
  if (one.value === undefined) return otherBytes(random, corpus, one);
  const text = JSON.stringify(editedOften(random, corpus, one.value), null, random.chance(1, 20) ? 1 : 0);
  const bytes = new TextEncoder().encode(text);
  return random.chance(1, 20) ? editedBytes(random, corpus, bytes) : bytes;
}
