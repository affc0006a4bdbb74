/** Identifiers that the server makes (protocol section 5), by their prefixes: another prefix does not compile. */
import { newId as idOf } from "@svc/host/ids";

type Prefix = "tnt" | "sys" | "str" | "sev" | "win" | "chk" | "anc" | "frk" | "bundle" | "key" | "acc" | "exp" | "tpa";

/** Returns a new identifier; those of one process rise. */
export function newId(prefix: Prefix): string {
  return idOf(prefix);
}
