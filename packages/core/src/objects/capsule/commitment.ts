/**
 * The commitment to one field of a capsule (protocol section 19). It hides the value by its blind, and binds it to its
 * installation, source reference, place and name: a copied commitment cannot be opened elsewhere.
 */
import type { Json, Kernel } from "../../kernel/kernel.ts";
import { digest } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { depthOf } from "../../schema/validate.ts";

/** A value may nest so deep. */
export const MAX_VALUE_DEPTH = 16;
/** J(value) may have so many bytes. */
export const MAX_VALUE_BYTES = 65_536;

/** The event whose capsule a field is in. */
export interface CapsuleOwner {
  readonly installationId: string;
  readonly sourceRef: string;
}

/** A field at its place. */
export interface PlacedField {
  readonly index: number;
  readonly name: string;
  readonly value: Json;
  /** 32 random bytes as 64 lowercase hex characters, used once. */
  readonly blind: HashHex;
}

/** Returns the commitment to a field, 64 lowercase hex characters. */
export function commitmentOf(kernel: Kernel, owner: CapsuleOwner, field: PlacedField): HashHex {
  const { installationId, sourceRef } = owner;
  const { index, name, value, blind } = field;
  return digest(kernel, "commitment", { installationId, sourceRef, index, name, value, blind });
}

/** Returns why a value cannot be committed to, in words; null if it can. */
export function valueFault(kernel: Kernel, value: Json): string | null {
  if (depthOf(value, MAX_VALUE_DEPTH + 1) > MAX_VALUE_DEPTH) return `it nests deeper than ${MAX_VALUE_DEPTH}`;
  const { length } = kernel.canonicalize(value);
  return length > MAX_VALUE_BYTES ? `its canonical form has ${length} bytes, and ${MAX_VALUE_BYTES} are allowed` : null;
}
