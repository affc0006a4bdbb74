/**
 * Writes a C2SP tlog-policy (c2sp.org/tlog-policy): the key of a log, and the witnesses and the quorum of a witness
 * policy, so that programs for transparency logs can ask for the same (protocol sections 6 and 9). parse.ts reads it.
 */
import { encodeBase64 } from "../../encoding/base64.ts";
import { concatBytes } from "../../encoding/bytes.ts";
import { hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { COSIGNATURE_LINE, noteKeyId, verificationKey } from "../../note/signed-note.ts";
import type { WitnessKey, WitnessPolicy } from "../../objects/policy.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";

/** The name of the group on the quorum line. No witness id has a slash. */
const QUORUM = "policy/quorum";

/**
 * Returns the text of a tlog-policy (c2sp.org/tlog-policy) for the notes of a log. `origin`: of the log, a C2SP key
 * name. `publicKeyHex`: its key, 64 lowercase hex characters. `policy`: the witness policy, with at least one key; each
 * key is `<witness_id>/<key_epoch>` there, and a witness with several keys counts once. A tlog-policy has no times: a
 * key that is no longer valid is in it like any other. It checks nothing.
 *
 * @example
 * const text = issueTlogPolicy(kernel, checkpoint.origin, service.publicKeyHex, witnessPolicy);
 * console.log(text.split(" ")[0], parseTlogPolicy(kernel, text).ok); // log true
 */
export function issueTlogPolicy(
  kernel: Kernel,
  origin: string,
  publicKeyHex: PublicKeyHex,
  { threshold, witnessKeys }: Pick<WitnessPolicy, "threshold" | "witnessKeys">,
): string {
  const lines = [`log ${verificationKey(kernel, origin, publicKeyHex)}`];
  const nameOf = ({ witness_id, key_epoch }: WitnessKey) => `${witness_id}/${key_epoch}`;
  for (const key of witnessKeys) lines.push(`witness ${nameOf(key)} ${cosigningKey(kernel, key)}`);
  const ids = [...new Set(witnessKeys.map(({ witness_id }) => witness_id))];
  const members = ids.map((id) => {
    const names = witnessKeys.filter(({ witness_id }) => witness_id === id).map(nameOf);
    if (names.length > 1) lines.push(`group ${id} 1 ${names.join(" ")}`);
    return names.length > 1 ? id : names[0];
  });
  lines.push(`group ${QUORUM} ${threshold} ${members.join(" ")}`, `quorum ${QUORUM}`);
  return `${lines.join("\n")}\n`;
}

/** Returns the C2SP verification key of a witness: that of `cosignature/v1`. */
function cosigningKey(kernel: Kernel, { name, public_key_hex }: WitnessKey): string {
  const typed = concatBytes([Uint8Array.of(COSIGNATURE_LINE), hexToBytes(public_key_hex)]);
  return `${name}+${noteKeyId(kernel, name, COSIGNATURE_LINE, public_key_hex)}+${encodeBase64(typed)}`;
}
