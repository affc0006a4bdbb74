/**
 * Checks the evidence of a mined anchor offline (protocol section 12): epoch hash → slot of the contract → its account
 * → the block's state → the block's hash. Only a pin of the verifier says that the block is in the chain; only the
 * contract's code says that an epoch is written once.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { CheckId } from "../../report/checks.ts";
import type { Examination } from "../../report/examination.ts";
import { epochHash } from "./epoch.ts";
import { type BlockHeader, decodeHeader } from "./header.ts";
import { keccak256 } from "./keccak.ts";
import { decodeRlp, decodeRlpList, rlpBytes, rlpInteger } from "./rlp.ts";
import type { MinedAnchor } from "./state.ts";
import { lookUp } from "./trie.ts";

/** A block that holds the epoch hash. */
export interface ProvenBlock {
  /** The time in its header. */
  readonly unixSeconds: number;
  /** Whether the verifier pins this very block. */
  readonly isPinned: boolean;
  /** Whether the verifier pins the contract's code. */
  readonly isCodePinned: boolean;
}

/** Checks the evidence of a mined anchor. Returns null if it does not hold; each fault is rejected with its code. */
export function examineEvidence(
  exam: Examination,
  anchor: MinedAnchor,
  path: string,
  check: CheckId,
): ProvenBlock | null {
  const { network, contract, block_number: number, block_hash: hash, evidence } = anchor;
  const headerBytes = hexToBytes(evidence.block_header_rlp);
  const header = decodeHeader(headerBytes);
  if (header === null) {
    exam.reject(check, {
      code: "anchor_evidence_invalid",
      path: `${path}/evidence/block_header_rlp`,
      message: `The block header of epoch ${anchor.epoch_no} cannot be decoded.`,
    });
    return null;
  }
  const isOfBlock = examineBlock(exam, anchor, header, `0x${encodeHex(keccak256(headerBytes))}`, path, check);
  const account = examineAccount(exam, anchor, header, path, check);
  if (account === null || !examineSlot(exam, anchor, account.storageRoot, path, check) || !isOfBlock) return null;
  const { blocks = [], contracts = [] } = exam.trust;
  return {
    unixSeconds: header.unixSeconds,
    isPinned: blocks.some((pin) => pin.network === network && pin.number === number && pin.hash === hash),
    isCodePinned: contracts.some(
      (pin) => pin.network === network && pin.address === contract && pin.code_hash === account.codeHash,
    ),
  };
}

function examineBlock(
  exam: Examination,
  { block_hash, block_number, epoch_no }: MinedAnchor,
  header: BlockHeader,
  hash: string,
  path: string,
  check: CheckId,
): boolean {
  const sameHash = exam.expectEqual(check, "anchor_does_not_bind", block_hash, hash, {
    path: `${path}/block_hash`,
    message: `The block header of epoch ${epoch_no} has another hash than the anchor names.`,
    count: false,
  });
  const number = header.number === null ? "a larger number than any block has" : `${header.number}`;
  const sameNumber = exam.expectEqual(check, "anchor_does_not_bind", `${block_number}`, number, {
    path: `${path}/block_number`,
    message: `The block header of epoch ${epoch_no} has another number than the anchor names.`,
    count: false,
  });
  return sameHash && sameNumber;
}

/**
 * Returns the contract's account under the block's state: its storage root (32 bytes) and its code hash (0x and hex).
 */
function examineAccount(
  exam: Examination,
  { contract, evidence, epoch_no }: MinedAnchor,
  { stateRoot }: BlockHeader,
  path: string,
  check: CheckId,
): { readonly storageRoot: Uint8Array; readonly codeHash: string } | null {
  const at = `${path}/evidence/account_proof`;
  const found = lookUp(stateRoot, keccak256(hexToBytes(contract.slice(2))), evidence.account_proof.map(hexToBytes));
  if (!found.ok) {
    const { code, node, message } = found.fault;
    exam.reject(check, {
      code,
      path: `${at}/${node}`,
      message: `The account proof of epoch ${epoch_no} does not lead to the contract's account: node ${node}: ${message}.`,
    });
    return null;
  }
  const [nonce, balance, storage, code, ...more] = decodeRlpList(found.value) ?? [];
  const storageRoot = rlpBytes(storage, 32);
  const codeHash = rlpBytes(code, 32);
  const isAccount = rlpInteger(nonce) !== null && rlpInteger(balance) !== null && more.length === 0;
  if (!isAccount || storageRoot === null || codeHash === null) {
    exam.reject(check, {
      code: "anchor_evidence_invalid",
      path: at,
      message: `The contract's account of epoch ${epoch_no} cannot be decoded.`,
    });
    return null;
  }
  return { storageRoot, codeHash: `0x${encodeHex(codeHash)}` };
}

/** Says whether the contract's mapping, at slot 0, holds the epoch hash under the epoch's number. */
function examineSlot(
  exam: Examination,
  anchor: MinedAnchor,
  storageRoot: Uint8Array,
  path: string,
  check: CheckId,
): boolean {
  const { epoch_no, evidence } = anchor;
  const at = `${path}/evidence/storage_proof`;
  const slot = keccak256(concatBytes([uint256(epoch_no), uint256(0)]));
  const found = lookUp(storageRoot, keccak256(slot), evidence.storage_proof.map(hexToBytes));
  if (!found.ok) {
    const { code, node, message } = found.fault;
    exam.reject(check, {
      code,
      path: `${at}/${node}`,
      message: `The storage proof of epoch ${epoch_no} does not lead to its slot: node ${node}: ${message}.`,
    });
    return false;
  }
  const item = decodeRlp(found.value);
  const value = item === null ? null : rlpBytes(item);
  if (value === null) {
    exam.reject(check, {
      code: "anchor_evidence_invalid",
      path: at,
      message: `The slot of epoch ${epoch_no} cannot be decoded.`,
    });
    return false;
  }
  // The chain keeps no leading zero bytes.
  const expected = epochHash(exam.kernel, anchor).replace(/^(?:00)+/, "");
  return exam.expectEqual(check, "anchor_does_not_bind", expected, encodeHex(value), {
    path: at,
    message: `The contract holds another hash for epoch ${epoch_no} than the anchor's.`,
    count: false,
  });
}

/** Returns a number as 32 bytes, big-endian. */
function uint256(value: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setBigUint64(24, BigInt(value));
  return bytes;
}
