/**
 * Questions to a node of an Ethereum-like chain. Its answers are the node's word. Every answer is read strictly; what
 * has another form is refused (70), and so is a silent node.
 */
import { encodeHex, hexToBytes } from "@svc/core";
import { epochsCall } from "@svc/core/evidence-anchor";
import { answerTo, callText, dataOf, numberOf, quantity } from "@svc/core/json-rpc";
import { keccak256 } from "@svc/core/keccak";
import { EXIT, Refusal } from "../exit.ts";
import { reasonOf } from "./no-answer.ts";

/** More than a block with the hashes of all of its transactions has. */
const LIMITS = { timeoutMs: 30_000, maxBytes: 4 * 1024 ** 2 };
const HASH_BYTES = 32;
const MAX_SHOWN = 120;

/** The answers of one node. */
export interface Node {
  /** Resolves to the chain (CAIP-2). */
  network(): Promise<string>;
  /** Resolves to the number of the newest block. */
  head(): Promise<number>;
  /** Resolves to the hash of the block at a height; null if the node has none. */
  blockHash(number: number): Promise<string | null>;
  /** Resolves to Keccak-256 of the code at an address; null without code. */
  codeHash(address: string): Promise<string | null>;
  /** Resolves to the hash that a contract holds for an epoch, bare hex; all zero if it holds none. */
  epochHash(contract: string, epochNo: number): Promise<string>;
  /** Resolves to the hash of the block of a transaction; null if the node knows no such block. */
  blockOf(txHash: string): Promise<string | null>;
}

/** Returns the node at an address. Refuses an invalid address (64). */
export function nodeAt(url: string): Node {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || new URL(url).username !== "")
    // The address is not repeated: it often holds a key.
    throw new Refusal(EXIT.usage, "--rpc is no address of a node.", "Give one as https://node.example.");
  let calls = 0;
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const id = ++calls;
    const { postJson } = await import("./exchange.ts");
    const exchange = await postJson(url, new TextEncoder().encode(callText(id, method, params)), LIMITS);
    if (!exchange.ok) throw silent(...reasonOf(exchange, LIMITS));
    const answer = answerTo(id, exchange.bytes);
    if (answer.ok) return answer.result;
    if ("refusal" in answer)
      throw silent(`it refuses ${method}: ${answer.refusal.slice(0, MAX_SHOWN)}.`, "Ask another node.");
    const what = `its answer to ${method}, of status ${exchange.status}, ${answer.malformed}.`;
    throw silent(what, "Check the address.");
  };
  const member = async (method: string, params: readonly unknown[], name: string): Promise<string | null> => {
    const found = (await call(method, params)) as Readonly<Record<string, unknown>> | null;
    return found === null ? null : (dataOf(found[name], HASH_BYTES) ?? malformed(method));
  };
  return {
    network: async () => `eip155:${numberOf(await call("eth_chainId", [])) ?? malformed("eth_chainId")}`,
    head: async () => numberOf(await call("eth_blockNumber", [])) ?? malformed("eth_blockNumber"),
    blockHash: (number) => member("eth_getBlockByNumber", [quantity(number), false], "hash"),
    codeHash: async (address) => {
      const code = dataOf(await call("eth_getCode", [address, "latest"])) ?? malformed("eth_getCode");
      return code === "0x" ? null : `0x${encodeHex(keccak256(hexToBytes(code.slice(2))))}`;
    },
    epochHash: async (contract, epochNo) => {
      const held = await call("eth_call", [{ to: contract, data: epochsCall(epochNo) }, "latest"]);
      // An address without code answers with nothing.
      if (held === "0x") return "0".repeat(2 * HASH_BYTES);
      return (dataOf(held, HASH_BYTES) ?? malformed("eth_call")).slice(2);
    },
    blockOf: (txHash) => member("eth_getTransactionReceipt", [txHash], "blockHash"),
  };
}

/** Refuses unless a node is of this chain (66). */
export async function requireNetwork(node: Node, network: string): Promise<void> {
  const found = await node.network();
  if (found !== network)
    throw new Refusal(EXIT.input, `The node is of ${found}, and not of ${network}.`, "Name a node of that chain.");
}

function malformed(method: string): never {
  throw silent(`its answer to ${method} has another form than JSON-RPC says.`, "Ask another node.");
}

function silent(reason: string, action: string): Refusal {
  return new Refusal(EXIT.internal, `The node gave no answer: ${reason}`, action);
}
