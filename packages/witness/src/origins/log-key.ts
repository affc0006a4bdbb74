/** The keys of logs, as the operator gives them (c2sp.org/signed-note). A log's key name is its origin. */
import { ED25519_LINE, type Kernel, parseVerificationKey, type VerificationKey } from "@svc/core";
import { UsageError } from "@svc/host/settings";

const FAULTS = {
  malformed: "it is not of the form name+hash+base64",
  unsupported_object: "its algorithm is not Ed25519",
  kid_mismatch: "its hash is not that of its name and key",
} as const;

/** Parses a vkey of a log. Throws UsageError for anything but an ordinary Ed25519 key. */
export function readLogKey(kernel: Kernel, vkey: string): VerificationKey {
  const parsed = parseVerificationKey(kernel, vkey);
  if (!parsed.ok) throw new UsageError([`The vkey ${JSON.stringify(vkey)} cannot be used: ${FAULTS[parsed.code]}.`]);
  if (parsed.key.type !== ED25519_LINE)
    throw new UsageError([`The vkey ${JSON.stringify(vkey)} is that of a witness. Give the one of the log, type 1.`]);
  return parsed.key;
}
