/**
 * The contract in which epochs are anchored, contracts/EvidenceAnchor.sol: its code, its calls in the encoding of its
 * interface (Solidity ABI), words of 32 bytes, and its storage. Verifying needs nothing of it but the slot.
 */
import { hexToBytes } from "../../encoding/hex.ts";
import { FUNCTIONS } from "./contract-code.ts";
import { keccak256 } from "./keccak.ts";

export {
  EVENTS,
  EVIDENCE_ANCHOR_CODE_HASH,
  EVIDENCE_ANCHOR_CREATION,
  FUNCTIONS,
  REFUSALS,
} from "./contract-code.ts";

/** Returns the data of the transaction that writes an epoch; 0x and hex. `epochHash`: bare hex. */
export function anchorCall(epochNo: number, epochHash: string): string {
  return `${FUNCTIONS.anchor}${uint256(epochNo)}${epochHash}`;
}

/** Returns the data of the call that reads an epoch's hash, zero where none was written; 0x and hex. */
export function epochsCall(epochNo: number): string {
  return `${FUNCTIONS.epochs}${uint256(epochNo)}`;
}

/** Returns the slot in which the contract keeps an epoch, 32 bytes: its mapping is at slot 0 (protocol section 12). */
export function slotOf(epochNo: number): Uint8Array {
  return keccak256(hexToBytes(`${uint256(epochNo)}${uint256(0)}`));
}

/** Returns a number as 32 bytes, big-endian: bare hex. */
export function uint256(value: number | bigint): string {
  return value.toString(16).padStart(64, "0");
}
