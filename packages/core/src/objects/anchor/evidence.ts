/**
 * Checks the evidence of a mined anchor offline (protocol section 12): epoch hash → slot of the contract → its account
 * → the block's state → the block's hash. Only a pin of the verifier says that the block is in the chain; only the
 * contract's code says that an epoch is written once.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { ChainExaminer } from "./chain-examiner.ts";
import { slotOf } from "./contract.ts";
import { epochHash } from "./epoch.ts";
import { decodeHeader } from "./header.ts";
import { keccak256 } from "./keccak.ts";
import { decodeRlp, decodeRlpList, rlpBytes, rlpInteger } from "./rlp.ts";
import { lookUp } from "./trie.ts";

/** Checks the evidence of a mined anchor. Returns null if it does not hold; each fault is rejected with its code. */
export const examineEvidence: ChainExaminer = (exam, anchor, path, check) => {
  const { network, contract, block_number: number, block_hash: hash, epoch_no, evidence } = anchor;
  const undecoded = (member: string, what: string): null => {
    exam.reject(check, {
      code: "anchor_evidence_invalid",
      path: `${path}/evidence/${member}`,
      message: `The ${what} of epoch ${epoch_no} cannot be decoded.`,
    });
    return null;
  };
  const isSame = (member: string, message: string, expected: string, actual: string) =>
    exam.expectEqual(check, "anchor_does_not_bind", expected, actual, {
      path: `${path}/${member}`,
      message,
      count: false,
    });
  const valueUnder = (key: Uint8Array, root: Uint8Array, member: "account_proof" | "storage_proof", missed: string) => {
    const found = lookUp(root, keccak256(key), evidence[member].map(hexToBytes));
    if (found.ok) return found.value;
    const { code, node, message } = found.fault;
    exam.reject(check, {
      code,
      path: `${path}/evidence/${member}/${node}`,
      message:
        `The ${member.replace("_", " ")} of epoch ${epoch_no} does not lead to ` +
        `${missed}: node ${node}: ${message}.`,
    });
    return null;
  };

  const headerBytes = hexToBytes(evidence.block_header_rlp);
  const header = decodeHeader(headerBytes);
  if (header === null) return undecoded("block_header_rlp", "block header");
  const other = (what: string) => `The block header of epoch ${epoch_no} has another ${what} than the anchor names.`;
  const ofHash = isSame("block_hash", other("hash"), hash, `0x${encodeHex(keccak256(headerBytes))}`);
  const ofNumber = isSame(
    "block_number",
    other("number"),
    `${number}`,
    `${header.number ?? "a larger number than any block has"}`,
  );

  const account = valueUnder(
    hexToBytes(contract.slice(2)),
    header.stateRoot,
    "account_proof",
    "the contract's account",
  );
  if (account === null) return null;
  const [nonce, balance, storage, code, ...more] = decodeRlpList(account) ?? [];
  const storageRoot = rlpBytes(storage, 32);
  const codeHash = rlpBytes(code, 32);
  const isAccount = rlpInteger(nonce) !== null && rlpInteger(balance) !== null && more.length === 0;
  if (!isAccount || storageRoot === null || codeHash === null) return undecoded("account_proof", "contract's account");

  const slot = valueUnder(slotOf(epoch_no), storageRoot, "storage_proof", "its slot");
  if (slot === null) return null;
  const held = rlpBytes(decodeRlp(slot));
  if (held === null) return undecoded("storage_proof", "slot");
  const holds = isSame(
    "evidence/storage_proof",
    `The contract holds another hash for epoch ${epoch_no} than the anchor's.`,
    // The chain keeps no leading zero bytes.
    epochHash(exam.kernel, anchor).replace(/^(?:00)+/, ""),
    encodeHex(held),
  );
  if (!ofHash || !ofNumber || !holds) return null;
  const { blocks = [], contracts = [] } = exam.trust;
  return {
    unixSeconds: header.unixSeconds,
    isPinned: blocks.some((pin) => pin.network === network && pin.number === number && pin.hash === hash),
    isCodePinned: contracts.some(
      (pin) => pin.network === network && pin.address === contract && pin.code_hash === `0x${encodeHex(codeHash)}`,
    ),
  };
};
