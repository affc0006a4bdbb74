/**
 * Verifies a C2SP tlog-proof under a tlog-policy (c2sp.org/tlog-proof, "Verifying a tlog proof"): a leaf is in a tree
 * that a known log signed and enough known witnesses cosigned. The caller knows how the leaf is made, and what else
 * must hold of it.
 */
import type { Kernel, NodeHash } from "../../kernel/kernel.ts";
import { openNote } from "../../note/open.ts";
import { ML_DSA_LINE } from "../../note/signed-note.ts";
import type { TlogProof } from "../../note/tlog-proof.ts";
import type { AnyVerificationKey, VerificationKey } from "../../note/verification-key.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";
import type { TlogPolicy } from "./policy.ts";
import { isQuorumMetOnce } from "./quorum.ts";

/** The result for a proof, or the code of its fault. */
export type VerifiedTlogProof =
  | {
      readonly ok: true;
      readonly origin: string;
      /** The policy's names of the witnesses that cosigned, in the policy's order. */
      readonly cosigned: readonly string[];
    }
  | {
      readonly ok: false;
      readonly code:
        | "note_malformed"
        | "signature_invalid"
        | "witness_signature_invalid"
        | "key_not_pinned"
        | "witness_quorum_unmet"
        | "inclusion_invalid";
    };

/**
 * Verifies a proof for a leaf hash (c2sp.org/tlog-proof). `proof`: from `parseTlogProof`. `leafHash`: the RFC 6962 leaf
 * hash of the data, 32 bytes. The policy: from `parseTlogPolicy`. Returns the origin and the witnesses that cosigned,
 * or one code: `note_malformed`; `key_not_pinned` if no log of the policy with the checkpoint's origin as its name
 * signed it; `signature_invalid` or `witness_signature_invalid` if a line by a known key does not hold;
 * `witness_quorum_unmet` if too few cosigned; `inclusion_invalid` if the path does not lead from the leaf to the
 * checkpoint's root. It does not look at the times of cosignatures, and cannot check keys of ML-DSA-44.
 *
 * @example
 * const text = encodeTlogProof({ extra: null, index: 0, path: [], checkpoint: checkpoint.note });
 * const log = verificationKey(kernel, checkpoint.origin, service.publicKeyHex);
 * const [parsed, read] = [parseTlogProof(text), parseTlogPolicy(kernel, `log ${log}\nquorum none\n`)];
 * const leaf = kernel.leafHash(hexToBytes(windowHash(kernel, window)));
 * console.log(parsed.ok && read.ok && verifyTlogProof(kernel, parsed.proof, leaf, read.policy).ok); // true
 */
export function verifyTlogProof(
  kernel: Kernel,
  proof: TlogProof,
  leafHash: NodeHash,
  { logs, witnesses, quorum }: TlogPolicy,
): VerifiedTlogProof {
  const { origin, treeSize, rootHash } = proof.tree;
  const logKeys = logs.flatMap(({ key }) => (key.name === origin ? checkable(key) : []));
  const keys = [...logKeys, ...witnesses.flatMap(({ key }) => checkable(key))];
  const opened = openNote(kernel, proof.checkpoint, keys);
  if (!opened.ok) return opened;
  const signers = new Set(opened.signatures.map(({ key }) => `${key.type} ${key.publicKeyHex} ${key.name}`));
  const signed = ({ type, keyHex, name }: AnyVerificationKey) => signers.has(`${type} ${keyHex} ${name}`);
  if (!logs.some(({ key }) => signed(key))) return { ok: false, code: "key_not_pinned" };
  const cosigned = witnesses.filter(({ key }) => signed(key));
  const once = [...new Set(cosigned.map(({ key }) => key.name))].map((name) =>
    cosigned.filter(({ key }) => key.name === name),
  );
  if (quorum !== null && !isQuorumMetOnce(quorum, once)) return { ok: false, code: "witness_quorum_unmet" };
  if (!kernel.verifyInclusion(leafHash, proof.index, treeSize, proof.path, rootHash))
    return { ok: false, code: "inclusion_invalid" };
  return { ok: true, origin, cosigned: cosigned.map(({ name }) => name) };
}

function checkable({ name, keyId, type, keyHex }: AnyVerificationKey): VerificationKey[] {
  return type === ML_DSA_LINE ? [] : [{ name, keyId, type, publicKeyHex: keyHex as PublicKeyHex }];
}
