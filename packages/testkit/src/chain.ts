/**
 * A real Ethereum-like chain on this machine: anvil, with its own blocks, transactions, state and reorganizations. Its
 * program comes with tools/programs.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { freePort } from "./free-port.ts";
import type { Lifetime } from "./lifetime.ts";
import { serverFolder } from "./server-folder.ts";

/** The network of a test chain (CAIP-2). */
export const TEST_NETWORK = "eip155:31337";
/** The private key of the first account that anvil gives money to; anybody knows it. */
export const RICH_KEY = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
/** The address of that account. */
export const RICH_ADDRESS = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** A chain that runs. */
export interface TestChain {
  /** The address of its node. */
  readonly url: string;
  readonly pid: number;
  /** Calls the node, and resolves to the result. Rejects with Error, with the node's words. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read results by the members that they expect
  call(method: string, ...params: readonly unknown[]): Promise<any>;
  /** Makes blocks. */
  mine(blocks: number): Promise<void>;
  /** Lets blocks come only when they are asked for, or with each transaction again. */
  mineBySelf(isOn: boolean): Promise<void>;
  /** Ends it, and deletes all of it. */
  stop(): Promise<void>;
}

/** Returns the program, or null where no package for this machine is installed. */
export function anvilProgram(): string | null {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`anvil-${process.platform}-${process.arch}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly bin: { readonly anvil: string } };
    return join(dirname(manifest), bin.anvil);
  } catch {
    return null;
  }
}

/** The rules of a chain. */
export interface ChainOptions {
  /** A block is made after each such time; without it, for each transaction. */
  readonly blockSeconds?: number;
  /** The rules of an earlier time, by the name of their fork; `berlin` has no base fees. */
  readonly hardfork?: string;
}

/** Starts a chain on a free port, until the test ends. */
export async function startChain(t: Lifetime, { blockSeconds, hardfork }: ChainOptions = {}): Promise<TestChain> {
  const file = anvilProgram();
  if (file === null) throw new Error("anvil is not installed: npx -y pnpm@12 run tools");
  const folder = serverFolder(t);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let calls = 0;
  const call = async (method: string, ...params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++calls, method, params });
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const program = folder.program({
    name: "anvil",
    file,
    words: [
      ...["--host", "127.0.0.1", "--port", `${port}`, "--silent"],
      ...(blockSeconds === undefined ? [] : ["--block-time", `${blockSeconds}`]),
      ...(hardfork === undefined ? [] : ["--hardfork", hardfork]),
    ],
    options: { env: { PATH: process.env.PATH ?? "", HOME: folder.path } },
    isReady: () =>
      call("eth_chainId").then(
        () => true,
        () => false,
      ),
    signal: "SIGTERM",
  });
  await program.start();
  return {
    url,
    get pid() {
      return program.pid;
    },
    call,
    mine: async (blocks) => void (await call("anvil_mine", `0x${blocks.toString(16)}`)),
    mineBySelf: async (isOn) => void (await call("evm_setAutomine", isOn)),
    stop: () => program.stop("SIGTERM"),
  };
}
