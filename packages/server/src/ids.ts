/**
 * Identifiers that the server makes: a prefix and a lowercase ULID (protocol section 5). Those of one process rise.
 */
import { monotonicFactory } from "ulid";

type Prefix = "tnt" | "sys" | "str" | "sev" | "win" | "chk" | "frk" | "bundle" | "key" | "obx" | "acc";

const nextUlid = monotonicFactory();

export function newId(prefix: Prefix): string {
  return `${prefix}_${nextUlid().toLowerCase()}`;
}
