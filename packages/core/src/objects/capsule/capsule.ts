/**
 * A capsule: the tree of commitments to what belongs to one event (protocol section 19). It stays in the vault, which
 * opens single fields of it later. This file draws nothing at random: its caller brings blinds, salt and decoys.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel, NodeHash } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { type CapsuleOwner, commitmentOf, type PlacedField, valueFault } from "./commitment.ts";
import { type CapsuleSize, keepsApart, LISTED_NAMES, type ListedName, slotOf } from "./slot.ts";

/** The listed commitments are the leaves under one node, so many levels above them. */
export const LISTED_LEVELS = Math.log2(LISTED_NAMES.length);

/** A field before it has its place. */
export type NewField = Omit<PlacedField, "index">;

/** The input of a capsule. */
export interface CapsuleInput extends CapsuleOwner {
  readonly capsuleSize: CapsuleSize;
  /** 16 random bytes as 32 lowercase hex characters, drawn anew until `keepsApart` says true for the names. */
  readonly slotSalt: string;
  readonly fields: readonly NewField[];
  /** Returns 32 fresh random bytes as 64 lowercase hex characters for a leaf that commits to nothing. */
  decoy(index: number): HashHex;
}

/** The commitments that an envelope lists. */
export type ListedCommitments = Readonly<Record<ListedName, HashHex>>;

/** A capsule with all that is needed to open it. */
export interface Capsule extends CapsuleOwner {
  readonly capsuleSize: CapsuleSize;
  readonly slotSalt: string;
  /** Ascending by index. */
  readonly fields: readonly PlacedField[];
  /** Every leaf of the tree: commitments and decoys. */
  readonly leaves: readonly HashHex[];
  readonly capsuleRoot: HashHex;
  /** The right-hand siblings from the node over the listed commitments up to the root. */
  readonly capsulePath: readonly HashHex[];
  readonly commitments: ListedCommitments;
}

/** A field with the path from its leaf to the capsule's root. */
export interface OpenedField extends PlacedField {
  readonly path: readonly HashHex[];
}

/**
 * Makes a capsule (protocol section 19). `input`: the fields with their blinds, the salt, and what draws decoys.
 * Returns the capsule with its root and all leaves: keep it in the vault. Throws TypeError for a name or a value of
 * another form, and RangeError for too many names or for two that share a place under this salt.
 *
 * @example
 * const capsule = makeCapsule(kernel, capsuleInput);
 * console.log(capsule.leaves.length, capsule.capsulePath.length); // 8 1
 */
export function makeCapsule(kernel: Kernel, input: CapsuleInput): Capsule {
  const { installationId, sourceRef, capsuleSize, slotSalt } = input;
  const names = input.fields.map(({ name }) => name);
  if (!keepsApart(kernel, names, slotSalt, capsuleSize))
    throw new RangeError("two names share a place in the capsule: draw another salt");
  const fields = input.fields.map((field) => {
    const fault = valueFault(kernel, field.value);
    if (fault !== null) throw new TypeError(`the value of ${field.name} cannot be committed to: ${fault}`);
    return { ...field, index: slotOf(kernel, field.name, slotSalt, capsuleSize) };
  });
  fields.sort((a, b) => a.index - b.index);
  const owner = { installationId, sourceRef };
  const committed = new Map(fields.map((field) => [field.index, commitmentOf(kernel, owner, field)]));
  const leaves = Array.from({ length: capsuleSize }, (_, index) => committed.get(index) ?? input.decoy(index));
  const hashes = leafHashes(kernel, leaves);
  const listed = LISTED_NAMES.map((name, index) => [name, leaves[index]]);
  return {
    ...owner,
    capsuleSize,
    slotSalt,
    fields,
    leaves,
    capsuleRoot: encodeHex(kernel.rootFromLeafHashes(hashes)) as HashHex,
    // The path of leaf 0 without its neighbours among the listed ones.
    capsulePath: kernel.proveInclusion(hashes, 0).slice(LISTED_LEVELS).map(hex),
    commitments: Object.fromEntries(listed) as ListedCommitments,
  };
}

/**
 * Opens one field of a capsule: what a disclosure shows of it (protocol section 28). Throws RangeError for a name that
 * the capsule does not hold.
 *
 * @example
 * const { name, index, path } = openField(kernel, makeCapsule(kernel, capsuleInput), "content");
 * console.log(name, index, path.length); // content 0 3
 */
export function openField(
  kernel: Kernel,
  { fields, leaves }: Pick<Capsule, "fields" | "leaves">,
  name: string,
): OpenedField {
  const field = fields.find((one) => one.name === name);
  if (field === undefined) throw new RangeError(`the capsule holds no field called ${JSON.stringify(name)}`);
  return { ...field, path: kernel.proveInclusion(leafHashes(kernel, leaves), field.index).map(hex) };
}

function leafHashes(kernel: Kernel, leaves: readonly HashHex[]): NodeHash[] {
  return kernel.leafHashes(leaves.map(hexToBytes));
}

function hex(hash: Uint8Array): HashHex {
  return encodeHex(hash) as HashHex;
}
