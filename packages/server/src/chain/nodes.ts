/** The nodes of a chain that a deployment names, in the order of its settings. */
import { Chain } from "./chain.ts";
import { RpcClient } from "./rpc-client.ts";
import type { ChainConfig } from "./settings.ts";

/** One node. */
export interface ChainNode {
  /** All of its address that may be shown. */
  readonly host: string;
  readonly rpc: RpcClient;
  readonly chain: Chain;
}

/** Returns the nodes. Nothing is asked yet. */
export function nodesOf({ rpc: addresses, timeoutMs, chainId }: ChainConfig): ChainNode[] {
  return addresses.map((address) => {
    const rpc = new RpcClient(address, timeoutMs);
    return { host: new URL(address).host, rpc, chain: new Chain(rpc, chainId) };
  });
}
