/** Looks for a kept note that contradicts another one in a way that no kept evidence shows yet. It verifies nothing. */
import type { VerificationKey } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { type ForkOf, knownForks } from "../forks/forks-store.ts";
import { signersOf } from "../forks/signers.ts";
import { MAX_FORKS_OF_ORIGIN } from "../limits.ts";
import { contradicted, type SeenNote } from "./checkpoints-store.ts";

/** A contradiction of which evidence can be made. */
export interface NewContradiction {
  /** The note that was kept. */
  readonly other: string;
  readonly about: ForkOf;
  /** The key that has signed both notes; without such a key, a key of each. */
  readonly signers: readonly VerificationKey[];
}

/** Resolves to a new contradiction, by one key if there is such a one; null for none. `keys`: of the log. */
export async function newFork(
  reader: Reader,
  seen: SeenNote,
  keys: readonly VerificationKey[],
): Promise<NewContradiction | null> {
  const others = await contradicted(reader, seen);
  if (others.length === 0) return null;
  const own = signersOf(seen.note, keys);
  const found = others.map((other) => ({ other, signers: signersOfBoth(own, signersOf(other.note, keys)) }));
  for (const key_count of [1, 2])
    for (const { other, signers } of found.filter((one) => one.signers.length === key_count)) {
      const { origin, treeSize: tree_size, rootHash: right_root } = seen;
      const about = { origin, tree_size, left_root: other.rootHash, right_root, key_count };
      const { count, isKnown } = await knownForks(reader, about);
      if (!isKnown && count < MAX_FORKS_OF_ORIGIN) return { other: other.note, about, signers };
    }
  return null;
}

/** Returns the first key that has signed both notes, otherwise the first of each; fewer if none has signed one. */
function signersOfBoth(own: readonly VerificationKey[], others: readonly VerificationKey[]): VerificationKey[] {
  const both = own.find((key) => others.includes(key));
  if (both !== undefined) return [both];
  return own.length === 0 || others.length === 0 ? [] : [...others.slice(0, 1), ...own.slice(0, 1)];
}
