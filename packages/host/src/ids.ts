/** Identifiers that a program makes: a prefix and a lowercase ULID (protocol section 5). Those of one process rise. */
import { monotonicFactory } from "ulid";
import { randomBytes } from "./random.ts";

/** 32 divides 256, so every character is equally likely. */
const nextUlid = monotonicFactory(() => (randomBytes(1)[0] ?? 0) / 256);

/** Returns a new identifier, such as `str_` and 26 characters. `prefix`: the kind of object, such as `str`. */
export function newId(prefix: string): string {
  return `${prefix}_${nextUlid().toLowerCase()}`;
}
