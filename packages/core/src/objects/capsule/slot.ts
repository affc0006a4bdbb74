/**
 * The places of names in a capsule (protocol section 19). Each name has exactly one, so that nobody can keep two values
 * under one name and open the one that suits.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { hexToBytes } from "../../encoding/hex.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { taggedHash } from "../../protocol.ts";
import { validatorOf } from "../../schema/check.ts";
import * as Type from "../../schema/type.ts";
import { FieldName } from "../../schema/vault-atoms.ts";

/** A capsule has so many leaves. */
export const CAPSULE_SIZES = [8, 64, 512] as const;
export type CapsuleSize = (typeof CAPSULE_SIZES)[number];
export const CapsuleSize = Type.Unsafe<CapsuleSize>({ enum: [...CAPSULE_SIZES], description: "8, 64 or 512" });

/** The names whose commitments an envelope lists, in the order of their places. */
export const LISTED_NAMES = ["content", "context", "output", "policy"] as const;
export type ListedName = (typeof LISTED_NAMES)[number];

/** So many further names go into a capsule: with more, the vault would draw salts for too long. */
export const MAX_FURTHER_NAMES: Readonly<Record<CapsuleSize, number>> = { 8: 2, 64: 16, 512: 60 };

const isName = validatorOf(FieldName);

/** Returns the length of a path from a leaf of a capsule to its root: log2 of its size. */
export function pathLength(capsuleSize: CapsuleSize): number {
  return Math.log2(capsuleSize);
}

/**
 * Returns the one place of a name in a capsule (protocol section 19), from 0. `name`: `[a-z][A-Za-z0-9_.-]{0,63}`.
 * `slotSalt`: of the capsule, 32 lowercase hex characters. `capsuleSize`: 8, 64 or 512. Throws TypeError for a salt
 * that is not hex. It does not check the name.
 *
 * @example
 * console.log(slotOf(kernel, "author", "a0e2e0cd2af9dbebf454e57efee017e7", 8)); // 5
 */
export function slotOf(kernel: Kernel, name: string, slotSalt: string, capsuleSize: CapsuleSize): number {
  const listed = (LISTED_NAMES as readonly string[]).indexOf(name);
  if (listed >= 0) return listed;
  const hash = taggedHash(kernel, "slot", concatBytes([hexToBytes(slotSalt), encodeUtf8(name)]));
  const places = capsuleSize - LISTED_NAMES.length;
  // The remainder of a 64-bit number, digit by digit: no double holds the number itself.
  const remainder = hash.subarray(0, 8).reduce((rest, byte) => (rest * 256 + byte) % places, 0);
  return LISTED_NAMES.length + remainder;
}

/** Returns how many of these names are not listed, and so have no fixed place. */
export function countFurther(names: readonly string[]): number {
  return names.filter((name) => !(LISTED_NAMES as readonly string[]).includes(name)).length;
}

/**
 * Says whether a salt gives each of these names a separate place in a capsule (protocol section 19). A vault draws
 * salts until one does. `names`: different ones; at most 2, 16 or 60 beside content, context, output and policy. Throws
 * TypeError for a name of another form, and RangeError for more names.
 *
 * @example
 * console.log(keepsApart(kernel, ["content", "author"], "a0e2e0cd2af9dbebf454e57efee017e7", 8)); // true
 */
export function keepsApart(
  kernel: Kernel,
  names: readonly string[],
  slotSalt: string,
  capsuleSize: CapsuleSize,
): boolean {
  const bad = names.find((name) => isName(name).length > 0);
  if (bad !== undefined) throw new TypeError(`not the name of a field: ${JSON.stringify(bad.slice(0, 80))}`);
  const further = countFurther(names);
  if (further > MAX_FURTHER_NAMES[capsuleSize])
    throw new RangeError(
      `a capsule of ${capsuleSize} leaves holds at most ${MAX_FURTHER_NAMES[capsuleSize]} further names, not ` +
        `${further}`,
    );
  return new Set(names.map((name) => slotOf(kernel, name, slotSalt, capsuleSize))).size === names.length;
}
