/**
 * The settings of anchoring: the chain, a node of it, the contract, and the key that pays. Either all four are set, or
 * none, and then nothing is anchored. The key is in a separate file, so that no copy of the environment or of the data
 * folder has it.
 */
import { sep } from "node:path";
import { integer, Mistakes, type Parse, path, setting, type ValuesOf } from "@svc/host/settings";

/** CAIP-2 of an Ethereum-like chain; the number is its chain id. */
const NETWORK = /^eip155:([1-9][0-9]{0,14})$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const network: Parse<string> = (text, name) =>
  NETWORK.test(text)
    ? text
    : new Mistakes(
        `${name} is ${JSON.stringify(text)}; it must be a CAIP-2 id as eip155:1, of an Ethereum-like chain.`,
      );

const address: Parse<string> = (text, name) =>
  ADDRESS.test(text)
    ? text.toLowerCase()
    : new Mistakes(`${name} is ${JSON.stringify(text)}; it must be an address: 0x and 40 hex characters.`);

/** Each node is asked whether evidence is void, and costs a wait where it is down. */
const MOST_NODES = 8;

/** The address of a node often holds a key of its operator: no mistake repeats it. */
const nodeUrls: Parse<readonly string[]> = (text, name) => {
  const urls = text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => (URL.canParse(word) ? new URL(word) : null));
  const found = urls.filter((url) => url !== null && isOfNode(url)).map((url) => `${url?.href}`);
  const wrong = urls.findIndex((url) => url === null || !isOfNode(url));
  if (urls.length === 0 || wrong !== -1)
    return new Mistakes(
      `${name} has no address of a node in place ${wrong + 1 || 1}; each must be https://host/path or ` +
        `http://host/path, with commas or blanks between.`,
    );
  if (new Set(found).size < found.length)
    return new Mistakes(`${name} names one node twice; name each once, since its word counts once.`);
  return found.length <= MOST_NODES
    ? found
    : new Mistakes(`${name} names ${found.length} nodes; it must name ${MOST_NODES} at most.`);
};

function isOfNode({ protocol, username, password, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

/** The settings. */
export const anchoringSettings = {
  anchorNetwork: setting({
    variable: "SVC_ANCHOR_NETWORK",
    meaning: "the chain in which epochs are anchored, as eip155:1; without it none is",
    parse: network,
  }),
  anchorRpc: setting({
    variable: "SVC_ANCHOR_RPC",
    meaning: "the JSON-RPC addresses of nodes of that chain, with commas or blanks between",
    isSecret: true,
    parse: nodeUrls,
  }),
  anchorContract: setting({
    variable: "SVC_ANCHOR_CONTRACT",
    meaning: "the address of the EvidenceAnchor there, which anchor deploy says",
    parse: address,
  }),
  anchorKeyFile: setting({
    variable: "SVC_ANCHOR_KEY_FILE",
    meaning: "the file with the private key that pays for anchoring, 64 hex characters; outside of the data folder",
    parse: path,
  }),
  anchorConfirmations: setting({
    variable: "SVC_ANCHOR_CONFIRMATIONS",
    meaning: "the blocks, its own counted, after which an anchor is taken as final, 1 to 100",
    fallback: "32",
    parse: integer(1, 100),
  }),
  anchorDayBudgetGwei: setting({
    variable: "SVC_ANCHOR_DAY_BUDGET_GWEI",
    meaning: "the most that anchoring may spend in a day (UTC), in gwei, to 999999999",
    fallback: "10000000",
    parse: integer(0, 999_999_999),
  }),
  anchorPollMs: setting({
    variable: "SVC_ANCHOR_POLL_MS",
    meaning: "how often the node is asked while something is to be anchored, 20 to 600000",
    fallback: "6000",
    parse: integer(20, 600_000),
  }),
  anchorStuckMs: setting({
    variable: "SVC_ANCHOR_STUCK_MS",
    meaning:
      "how long a transaction may wait while blocks are made, before it is sent with a higher fee, 20 to 86400000",
    fallback: "180000",
    parse: integer(20, 86_400_000),
  }),
  anchorTimeoutMs: setting({
    variable: "SVC_ANCHOR_TIMEOUT_MS",
    meaning: "how long the node has for an answer, 100 to 60000",
    fallback: "10000",
    parse: integer(100, 60_000),
  }),
};

/** The values of the settings, as they were read. */
export type AnchoringValues = ValuesOf<typeof anchoringSettings>;

/** The settings of a deployment that anchors. It is data, so that it crosses between threads. */
export interface AnchoringConfig {
  readonly network: string;
  readonly chainId: number;
  /** The addresses of the nodes, at least one. */
  readonly rpc: readonly string[];
  /** Lowercase hex with 0x. */
  readonly contract: string;
  readonly keyFile: string;
  readonly confirmations: number;
  readonly dayBudgetGwei: number;
  readonly pollMs: number;
  readonly stuckMs: number;
  readonly timeoutMs: number;
}

/** The settings without the contract: all that is needed to make one. */
export type ChainConfig = Omit<AnchoringConfig, "contract">;

/** Returns what a deployment that anchors needs; null where it does not. */
export function anchoringOf(values: AnchoringValues): AnchoringConfig | null {
  const chain = chainOf(values);
  return chain === null || values.anchorContract === null ? null : { ...chain, contract: values.anchorContract };
}

/** Returns the same without the contract. */
export function chainOf(values: AnchoringValues): ChainConfig | null {
  const { anchorNetwork, anchorRpc, anchorKeyFile } = values;
  if (anchorNetwork === null || anchorRpc === null || anchorKeyFile === null) return null;
  return {
    network: anchorNetwork,
    chainId: Number(NETWORK.exec(anchorNetwork)?.[1]),
    rpc: anchorRpc,
    keyFile: anchorKeyFile,
    confirmations: values.anchorConfirmations,
    dayBudgetGwei: values.anchorDayBudgetGwei,
    pollMs: values.anchorPollMs,
    stuckMs: values.anchorStuckMs,
    timeoutMs: values.anchorTimeoutMs,
  };
}

/** Returns a sentence for each contradiction between the settings. */
export function anchoringMistakes(values: AnchoringValues, dataFolder: string): string[] {
  const { anchorNetwork, anchorRpc, anchorContract, anchorKeyFile } = values;
  const named = { SVC_ANCHOR_NETWORK: anchorNetwork, SVC_ANCHOR_RPC: anchorRpc, SVC_ANCHOR_KEY_FILE: anchorKeyFile };
  const all = { ...named, SVC_ANCHOR_CONTRACT: anchorContract };
  const missing = Object.entries(all).flatMap(([name, value]) => (value === null ? [name] : []));
  const given = Object.keys(all).filter((name) => !missing.includes(name));
  return [
    // The command that makes the contract has the others set, and not its address.
    ...(given.length > 0 && missing.some((name) => name !== "SVC_ANCHOR_CONTRACT")
      ? [`Set ${missing.join(", ")} too: without all four, ${given.join(", ")} anchor nothing.`]
      : []),
    ...(anchorKeyFile !== null && `${anchorKeyFile}${sep}`.startsWith(`${dataFolder}${sep}`)
      ? [
          `SVC_ANCHOR_KEY_FILE is ${anchorKeyFile}, in the data folder; it must be outside: a copy of the folder ` +
            `would hold the key.`,
        ]
      : []),
  ];
}
