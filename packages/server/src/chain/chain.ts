/**
 * A chain as one node of it tells it: the calls that anchoring makes, each with its answer read strictly. The word of a
 * node is believed only for the next step; evidence is verified before it is kept.
 */
import { encodeHex, hexToBytes } from "@svc/core";
import {
  EVENTS,
  EVIDENCE_ANCHOR_CODE_HASH,
  epochsCall,
  FUNCTIONS,
  REFUSALS,
  slotOf,
  uint256,
} from "@svc/core/evidence-anchor";
import { quantity } from "@svc/core/json-rpc";
import { keccak256 } from "@svc/core/keccak";
import { AnchorFault } from "./anchor-fault.ts";
import { type Fee, feeFor, legacyFee } from "./fees.ts";
import { headerOf } from "./header.ts";
import { dataIn, listIn, numberIn, objectIn, objectOrNull, quantityIn } from "./node-values.ts";
import { POOR, type RpcClient, RpcRefusal } from "./rpc-client.ts";

/** Used where a node proposes no tip: what most wallets propose. */
const USUAL_TIP_WEI = 1_000_000_000n;
/** The most by which the service's clock and the chain's may differ, in seconds. */
export const CLOCKS_APART_S = 86_400;
const NO_HASH = `0x${"0".repeat(64)}`;

/** A block, in what anchoring needs. Hashes are lowercase hex with 0x. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  /** Unix seconds. */
  readonly unixSeconds: number;
  /** Null on a chain without one. */
  readonly baseFeeWei: bigint | null;
  /** Bare hex; its Keccak-256 is the block's hash. */
  readonly headerRlp: string;
}

/** The outcome of a transaction that was mined. */
export interface Receipt {
  readonly txHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly isDone: boolean;
  readonly costWei: bigint;
  /** The address of the contract that it made; null for any other transaction. */
  readonly made: string | null;
}

/** The place of an epoch that was written. */
export interface Written {
  readonly txHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** An epoch that a contract holds. */
export interface EpochInContract {
  readonly contract: string;
  readonly epochNo: number;
  /** Bare hex. */
  readonly epochHash: string;
}

/** Proofs of a slot of the contract in the state of a block; bare hex. */
export interface Proofs {
  readonly account: readonly string[];
  readonly storage: readonly string[];
}

/** A transaction to be tried without being sent. */
export interface Call {
  readonly from: string;
  /** Null for one that makes a contract. */
  readonly to: string | null;
  readonly data: string;
}

/** The calls of a chain. */
export class Chain {
  readonly #rpc: RpcClient;
  readonly #chainId: number;

  constructor(rpc: RpcClient, chainId: number) {
    this.#rpc = rpc;
    this.#chainId = chainId;
  }

  /** Rejects with `wrong_network` for a node of another chain. */
  async requireNetwork(): Promise<void> {
    const found = quantityIn(await this.#rpc.call("eth_chainId", []), "the chain id");
    if (found !== BigInt(this.#chainId))
      throw new AnchorFault(
        "wrong_network",
        `its chain is eip155:${found}, and eip155:${this.#chainId} is configured. Correct SVC_ANCHOR_RPC or ` +
          `SVC_ANCHOR_NETWORK.`,
      );
  }

  /** Rejects unless the contract is there and is EvidenceAnchor. */
  async requireContract(contract: string): Promise<void> {
    const code = dataIn(await this.#rpc.call("eth_getCode", [contract, "latest"]), "the code");
    if (code === "0x")
      throw new AnchorFault(
        "contract_missing",
        `there is no contract at ${contract}. Correct SVC_ANCHOR_CONTRACT, or make one: svc-server anchor deploy.`,
      );
    const hash = `0x${encodeHex(keccak256(hexToBytes(code.slice(2))))}`;
    if (hash !== EVIDENCE_ANCHOR_CODE_HASH)
      throw new AnchorFault(
        "contract_replaced",
        `the code at ${contract} has the hash ${hash}, and that of EvidenceAnchor is ` +
          `${EVIDENCE_ANCHOR_CODE_HASH}: nothing is sent there`,
      );
  }

  /** Rejects with `not_anchorer` unless the contract lets this address write. */
  async requireAnchorer(contract: string, address: string): Promise<void> {
    const found = dataIn(await this.#call({ to: contract, data: FUNCTIONS.anchorer }), "the anchorer", 32);
    if (found !== `0x${uint256(BigInt(address))}`)
      throw new AnchorFault(
        "not_anchorer",
        `${contract} lets 0x${found.slice(26)} write, and the key in SVC_ANCHOR_KEY_FILE is of ${address}`,
      );
  }

  /** Resolves to the newest block. */
  async head(): Promise<Block> {
    const found = await this.#block("latest");
    if (found === null) throw new AnchorFault("answer_malformed", "it has no newest block");
    return found;
  }

  /** Resolves to the block at a height; null if the node has none. */
  async blockAt(number: number): Promise<Block | null> {
    const found = await this.#block(quantity(number));
    if (found !== null && found.number !== number)
      throw new AnchorFault("node_contradicted", `it answered block ${found.number}, and was asked for ${number}`);
    return found;
  }

  /** Resolves to the number of an address's transactions up to a block, or up to the newest one. */
  async transactionCount(address: string, upTo: number | "latest"): Promise<number> {
    const at = upTo === "latest" ? upTo : quantity(upTo);
    return numberIn(await this.#rpc.call("eth_getTransactionCount", [address, at]), "the number of transactions");
  }

  /** Resolves to the balance of an address, in wei. */
  async balance(address: string): Promise<bigint> {
    return quantityIn(await this.#rpc.call("eth_getBalance", [address, "latest"]), "the balance");
  }

  /** Resolves to the fee of a transaction for now. `head`: the newest block. */
  async fee({ baseFeeWei }: Block): Promise<Fee> {
    return baseFeeWei === null
      ? legacyFee(quantityIn(await this.#rpc.call("eth_gasPrice", []), "the price of gas"))
      : feeFor(baseFeeWei, await this.#tip());
  }

  async #tip(): Promise<bigint> {
    try {
      return quantityIn(await this.#rpc.call("eth_maxPriorityFeePerGas", []), "the tip");
    } catch (error) {
      // Not every node knows the call.
      if (error instanceof RpcRefusal) return USUAL_TIP_WEI;
      throw error;
    }
  }

  /**
   * Resolves to the gas that a transaction would use. Rejects with `contract_refused`, and others, if it would fail.
   */
  async gasOf({ from, to, data }: Call): Promise<bigint> {
    try {
      const call = { from, data, ...(to === null ? {} : { to }) };
      // In the state of pending blocks, which some nodes look at otherwise, the transaction to be replaced has written.
      return quantityIn(await this.#rpc.call("eth_estimateGas", [call, "latest"]), "the gas");
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      // Some nodes look at the balance already here.
      if (POOR.test(error.said)) throw new AnchorFault("balance_too_low", `${from}: ${error.said}. Send it more.`);
      if (!/revert/i.test(error.said)) throw error;
      const [name] = Object.entries(REFUSALS).find(([, selector]) => error.said.includes(selector)) ?? [];
      throw new AnchorFault("contract_refused", name ?? error.said, { cause: error });
    }
  }

  /** Resolves to the hash that the contract holds for an epoch, bare hex; null if it holds none. */
  async epochHash(contract: string, epochNo: number): Promise<string | null> {
    const found = dataIn(await this.#call({ to: contract, data: epochsCall(epochNo) }), "the epoch's hash", 32);
    return found === NO_HASH ? null : found.slice(2);
  }

  /** Resolves to where an epoch was written, by the contract's event in some blocks, or null. */
  async eventIn(
    { contract, epochNo, epochHash }: EpochInContract,
    fromBlock: number,
    toBlock: number,
  ): Promise<Written | null> {
    const topics = [EVENTS.Anchored, `0x${uint256(epochNo)}`, `0x${epochHash}`];
    const filter = { address: contract, topics, fromBlock: quantity(fromBlock), toBlock: quantity(toBlock) };
    const [first] = listIn(await this.#rpc.call("eth_getLogs", [filter]), "the events");
    if (first === undefined) return null;
    const event = objectIn(first, "an event");
    return {
      txHash: dataIn(event.transactionHash, "transactionHash", 32),
      blockNumber: numberIn(event.blockNumber, "blockNumber"),
      blockHash: dataIn(event.blockHash, "blockHash", 32),
    };
  }

  /** Sends a signed transaction; 0x and hex. Rejects with RpcRefusal, also for one that the node knows already. */
  async send(raw: string): Promise<void> {
    await this.#rpc.call("eth_sendRawTransaction", [raw]);
  }

  /** Resolves to whether the node knows a transaction, mined or not. */
  async knows(txHash: string): Promise<boolean> {
    return objectOrNull(await this.#rpc.call("eth_getTransactionByHash", [txHash]), "the transaction") !== null;
  }

  /** Resolves to the outcome of a transaction; null as long as it is not mined. */
  async receipt(txHash: string): Promise<Receipt | null> {
    const found = objectOrNull(await this.#rpc.call("eth_getTransactionReceipt", [txHash]), "the receipt");
    if (found === null) return null;
    if (dataIn(found.transactionHash, "transactionHash", 32) !== txHash)
      throw new AnchorFault("node_contradicted", `it answered with the receipt of another transaction than ${txHash}`);
    return {
      txHash,
      blockNumber: numberIn(found.blockNumber, "blockNumber"),
      blockHash: dataIn(found.blockHash, "blockHash", 32),
      isDone: quantityIn(found.status, "status") === 1n,
      costWei: quantityIn(found.gasUsed, "gasUsed") * quantityIn(found.effectiveGasPrice, "effectiveGasPrice"),
      made: found.contractAddress == null ? null : dataIn(found.contractAddress, "contractAddress", 20),
    };
  }

  /**
   * Resolves to the proofs of an epoch's slot in the state of a block. Rejects with RpcRefusal for a state that is
   * gone.
   */
  async proofs(contract: string, epochNo: number, blockNumber: number): Promise<Proofs> {
    const slot = `0x${encodeHex(slotOf(epochNo))}`;
    const answer = objectIn(
      await this.#rpc.call("eth_getProof", [contract, [slot], quantity(blockNumber)]),
      "the proof",
    );
    const [storage, ...more] = listIn(answer.storageProof, "storageProof");
    if (storage === undefined || more.length > 0)
      throw new AnchorFault("answer_malformed", "its proof is not of one slot");
    return {
      account: nodesIn(answer.accountProof, "accountProof"),
      storage: nodesIn(objectIn(storage, "storageProof").proof, "the proof of the slot"),
    };
  }

  async #call(call: { readonly to: string; readonly data: string }): Promise<unknown> {
    return this.#rpc.call("eth_call", [call, "latest"]);
  }

  async #block(tag: string): Promise<Block | null> {
    const stated = objectOrNull(await this.#rpc.call("eth_getBlockByNumber", [tag, false]), "the block");
    if (stated === null) return null;
    return {
      number: numberIn(stated.number, "number"),
      hash: dataIn(stated.hash, "hash", 32),
      unixSeconds: numberIn(stated.timestamp, "timestamp"),
      baseFeeWei: stated.baseFeePerGas == null ? null : quantityIn(stated.baseFeePerGas, "baseFeePerGas"),
      // Whatever is believed of a block is in its header, and so a hash or a member that was made up is found here.
      headerRlp: headerOf(stated),
    };
  }
}

function nodesIn(value: unknown, what: string): string[] {
  return listIn(value, what).map((node) => dataIn(node, what).slice(2));
}
