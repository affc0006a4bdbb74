/**
 * The RLP of a block's header out of the members that a node states, since no call that all nodes know returns it. Each
 * fork of the chain appended members: those that the node states are appended one after another, until the hash of the
 * bytes is the block's. So no list of forks is needed, and a header that was made up is not accepted.
 */
import { encodeHex, hexToBytes } from "@svc/core";
import { keccak256 } from "@svc/core/keccak";
import { RLP } from "micro-eth-signer/core/rlp.js";
import { AnchorFault } from "./anchor-fault.ts";
import { dataIn, type NodeObject, quantityIn } from "./node-values.ts";

type Form = "quantity" | "bytes";

/** The members of every header, in order. */
const ALWAYS: readonly (readonly [string, Form])[] = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "quantity"],
  ["number", "quantity"],
  ["gasLimit", "quantity"],
  ["gasUsed", "quantity"],
  ["timestamp", "quantity"],
  ["extraData", "bytes"],
  ["mixHash", "bytes"],
  ["nonce", "bytes"],
];

/** Those that forks have appended, in order. */
const APPENDED: readonly (readonly [string, Form])[] = [
  ["baseFeePerGas", "quantity"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "quantity"],
  ["excessBlobGas", "quantity"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"],
  ["blockAccessListHash", "bytes"],
  ["slotNumber", "quantity"],
];

/** Returns the header of a block as bare hex. Throws AnchorFault if no header of these members has the block's hash. */
export function headerOf(block: NodeObject): string {
  const hash = dataIn(block.hash, "hash", 32);
  const members = ALWAYS.map((member) => memberOf(block, member));
  // Development chains leave out some, and have later ones.
  const appended = APPENDED.filter(([name]) => block[name] !== undefined && block[name] !== null);
  for (const next of [null, ...appended]) {
    if (next !== null) members.push(memberOf(block, next));
    const encoded = RLP.encode(members);
    if (`0x${encodeHex(keccak256(encoded))}` === hash) return encodeHex(encoded);
  }
  throw new AnchorFault(
    "node_contradicted",
    `the header of block ${Number(quantityIn(block.number, "number"))}, as it states it, does not have the hash ` +
      `${hash}`,
  );
}

function memberOf(block: NodeObject, [name, form]: readonly [string, Form]): Uint8Array {
  if (form === "bytes") return hexToBytes(dataIn(block[name], name).slice(2));
  const value = quantityIn(block[name], name);
  if (value === 0n) return new Uint8Array();
  const digits = value.toString(16);
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}
