/**
 * Verifying a C2SP tlog-proof under a tlog-policy (c2sp.org/tlog-proof, "Verifying a tlog proof"): that a leaf is in a tree which a known log
 * signed and enough known witnesses cosigned. What the leaf is made of is the caller's to know, and so is what else must hold of it.
 */
import type { Kernel, NodeHash } from "../../kernel/kernel.ts";
import { openNote } from "../../note/open.ts";
import { ML_DSA_LINE } from "../../note/signed-note.ts";
import type { TlogProof } from "../../note/tlog-proof.ts";
import type { AnyVerificationKey, VerificationKey } from "../../note/verification-key.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";
import type { TlogPolicy } from "./policy.ts";
import { isQuorumMetOnce } from "./quorum.ts";

/** What a proof shows, or the code of why it shows nothing. */
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
 * Verifies a proof for a leaf hash. `key_not_pinned`: no log of the policy that is called by the checkpoint's origin signed it.
 * `signature_invalid`, `witness_signature_invalid`: a line by a known key does not hold. `witness_quorum_unmet`: too few cosigned.
 * `inclusion_invalid`: the path does not lead from the leaf to the checkpoint's root. Times of cosignatures are not looked at.
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
