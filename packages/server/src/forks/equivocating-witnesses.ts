/**
 * The witnesses that evidence of the kind `witness` convicts: those that cosigned both notes. The evidence is NOT
 * verified here.
 */
import { COSIGNATURE_LINE, type ForkEvidence, type Kernel, noteKeyId, parseNote, type WitnessKey } from "@svc/core";

/** The name and the key of a witness, as policies, pins and hints have them. */
export type NamedWitness = Pick<WitnessKey, "name" | "public_key_hex">;

/** Returns how notes name the cosignatures of a witness: its name and the id of its key. */
export function cosignerOf(kernel: Kernel, { name, public_key_hex }: NamedWitness): string {
  return `${name} ${noteKeyId(kernel, name, COSIGNATURE_LINE, public_key_hex)}`;
}

/**
 * Returns those of some witnesses that evidence convicts; none for evidence of another kind, which is about the
 * service.
 */
export function equivocatingWitnesses<Key extends NamedWitness>(
  kernel: Kernel,
  { kind, left, right }: Pick<ForkEvidence, "kind" | "left" | "right">,
  witnesses: readonly Key[],
): Key[] {
  if (kind !== "witness") return [];
  const [ofLeft = new Set(), ofRight = new Set()] = [left, right].map(
    (note) => new Set(parseNote(String(note))?.lines.map(({ name, keyId }) => `${name} ${keyId}`)),
  );
  return witnesses.filter((witness) => {
    const line = cosignerOf(kernel, witness);
    return ofLeft.has(line) && ofRight.has(line);
  });
}
