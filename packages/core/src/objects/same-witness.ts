/**
 * Finds the cosigners that are one and the same witness: with any number of keys, a witness counts once (protocol
 * section 6). Two with the same name, the same key or the same `witness_id` are one, and so are two that a third one
 * joins.
 */
import type { KnownWitness } from "./known-witnesses.ts";

/** Returns the cosigners in groups, one for each witness, in the order in which the groups begin. */
export function byWitness(cosigners: readonly KnownWitness[]): KnownWitness[][] {
  let groups: { readonly marks: Set<string>; readonly cosigners: KnownWitness[] }[] = [];
  for (const cosigner of cosigners) {
    const { name, publicKeyHex, listed } = cosigner;
    const marks = [`name ${name}`, `key ${publicKeyHex}`, `id ${listed?.witness_id ?? publicKeyHex}`];
    const same = groups.filter((group) => marks.some((mark) => group.marks.has(mark)));
    const [into = { marks: new Set(marks), cosigners: [] }, ...joined] = same;
    for (const mark of [...marks, ...joined.flatMap((group) => [...group.marks])]) into.marks.add(mark);
    into.cosigners.push(...joined.flatMap((group) => group.cosigners), cosigner);
    if (!groups.includes(into)) groups.push(into);
    groups = groups.filter((group) => !joined.includes(group));
  }
  return groups.map((group) => group.cosigners);
}
