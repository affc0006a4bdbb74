/** Identifiers that a program makes: a prefix and a lowercase ULID (protocol section 5). Those of one process rise. */
import { decodeTime, monotonicFactory } from "ulid";
import { randomBytes } from "./random.ts";

/** 32 divides 256, so every character is equally likely. */
const nextUlid = monotonicFactory(() => (randomBytes(1)[0] ?? 0) / 256);

/** Returns a new identifier, such as `str_` and 26 characters. `prefix`: the kind of object, such as `str`. */
export function newId(prefix: string): string {
  return `${prefix}_${nextUlid().toLowerCase()}`;
}

/** Returns when an identifier was made, in ms since 1970 by the clock of its maker; null if it holds no ULID. */
export function timeOfId(id: string): number | null {
  try {
    return decodeTime(id.slice(id.indexOf("_") + 1).toUpperCase());
  } catch {
    return null;
  }
}
