/**
 * Collects the evidence of an epoch from a node (protocol section 12). It is verified as a verifier with pins would,
 * the block and the contract's code among them, before anything of it is kept.
 */
import { type Anchor, type AnchorEvidence, type Kernel, type PublicKeyHex, pinKeys, verify } from "@svc/core";
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { AnchorFault } from "../chain/anchor-fault.ts";
import type { Block, Chain, Proofs } from "../chain/chain.ts";
import { RpcRefusal } from "../chain/rpc-client.ts";

/** A block and the evidence in its state. */
export interface Collected {
  readonly block_number: number;
  readonly block_hash: string;
  readonly evidence: AnchorEvidence;
}

/** An epoch that was written. */
export interface WrittenEpoch {
  readonly contract: string;
  readonly epochNo: number;
  /** The block in which that was. */
  readonly block: Block;
  /** The newest block that counts as final. A node that has lost the state of the other one still has this one's. */
  readonly newestFinal: number;
}

/** Resolves to the evidence. Rejects with AnchorFault. */
export async function collectEvidence(chain: Chain, written: WrittenEpoch): Promise<Collected> {
  const { block, proofs } = await proofsOf(chain, written);
  return {
    block_number: block.number,
    block_hash: block.hash,
    evidence: {
      block_header_rlp: block.headerRlp,
      account_proof: [...proofs.account],
      storage_proof: [...proofs.storage],
    },
  };
}

/** Throws AnchorFault unless an anchor holds, under pins of its block and of EvidenceAnchor. */
export function requireEvidence(kernel: Kernel, anchor: Anchor, publicKeyHex: PublicKeyHex): void {
  const { network, contract, block_number, block_hash } = anchor;
  const trust = {
    ...pinKeys(kernel, [publicKeyHex]),
    blocks: [{ network: network ?? "", number: block_number ?? 0, hash: block_hash ?? "" }],
    contracts: [{ network: network ?? "", address: contract ?? "", code_hash: EVIDENCE_ANCHOR_CODE_HASH }],
    require: ["anchored" as const],
  };
  const { verdict, problems, checks } = verify(kernel.canonicalize(anchor), { kind: "anchor", trust, kernel });
  const [first] = problems;
  // With both pinned there is nothing left that the check could not show.
  const unshown = checks.find(({ id }) => id === "anchor")?.note;
  if (verdict === "verified" && unshown === undefined) return;
  const why = first === undefined ? unshown : `${first.code} at ${first.path}: ${first.message}`;
  throw new AnchorFault("evidence_invalid", `the proofs of epoch ${anchor.epoch_no} do not hold: ${why}`);
}

async function proofsOf(
  chain: Chain,
  { contract, epochNo, block, newestFinal }: WrittenEpoch,
): Promise<{ readonly block: Block; readonly proofs: Proofs }> {
  try {
    return { block, proofs: await chain.proofs(contract, epochNo, block.number) };
  } catch (error) {
    const later = error instanceof RpcRefusal && newestFinal > block.number ? await chain.blockAt(newestFinal) : null;
    if (later === null) throw error;
    return { block: later, proofs: await chain.proofs(contract, epochNo, later.number) };
  }
}
