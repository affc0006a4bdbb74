/** The malleability of the keys that travel with an object (protocol section 4). */
import type { Json } from "../../kernel/kernel.ts";
import type { Kid, PublicKeyHex } from "../../schema/atoms.ts";
import { kidOf } from "../../seal.ts";
import { isObject, isSame } from "../places.ts";
import type { Malleability } from "./malleability.ts";

/** Keys that travel with an object are a means of transport: any key with its own identifier may come and go. */
const HINTS: Malleability = {
  absent: [],
  accepts: (changed, _good, { kernel }) =>
    Array.isArray(changed) &&
    changed.every(
      (hint: Json) =>
        isObject(hint) &&
        Object.keys(hint).length === 2 &&
        hint.kid === kidOf(kernel, String(hint.public_key_hex) as PublicKeyHex),
    ),
};

/**
 * Endorsements are a set. Those of any source may be in it, each any number of times, and so may any whose endorser
 * nobody knows.
 */
const ENDORSEMENTS: Malleability = {
  absent: [],
  accepts: (changed, _good, { kernel, sources }) => {
    const there = sources.flatMap((source) => membersOf(source, "key_endorsements"));
    const known = new Set(JSON.stringify(sources).match(/ed25519-[0-9a-f]{16}/g) as Kid[] | null);
    return (
      Array.isArray(changed) &&
      changed.every((one: Json) => {
        if (there.some((other) => isSame(one, other))) return true;
        if (!isObject(one) || !isObject(one.seal)) return false;
        const ownKid = one.endorsed_kid === kidOf(kernel, String(one.public_key_hex) as PublicKeyHex);
        return ownKid && !known.has(one.seal.kid as Kid);
      })
    );
  },
};

/** The members in which keys travel. */
export const KEYS = { key_hints: HINTS, key_endorsements: ENDORSEMENTS };
/** Each of them may be left out by itself, unless the kind demands it. */
export const OMIT_KEYS = [["key_hints"], ["key_endorsements"]];

function membersOf(source: Json, name: string): readonly Json[] {
  const member: Json | undefined = isObject(source) ? source[name] : undefined;
  return Array.isArray(member) ? member : [];
}
