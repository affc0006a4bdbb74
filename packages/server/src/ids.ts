/**
 * Identifiers that the server makes: a prefix and a lowercase ULID (protocol section 5). Those of one process rise.
 */
import { monotonicFactory } from "ulid";
import { randomBytes } from "./random.ts";

type Prefix = "tnt" | "sys" | "str" | "sev" | "win" | "chk" | "frk" | "bundle" | "key" | "obx" | "acc" | "exp" | "tpa";

/** 32 divides 256, so every character is as likely. */
const nextUlid = monotonicFactory(() => (randomBytes(1)[0] ?? 0) / 256);

export function newId(prefix: Prefix): string {
  return `${prefix}_${nextUlid().toLowerCase()}`;
}
