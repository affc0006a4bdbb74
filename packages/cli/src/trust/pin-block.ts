/**
 * `svc trust pin-block`: pins a block that a person knows to be in a chain, so that its time is believed (protocol
 * section 12). Its hash is given by hand, or asked of a node.
 */
import { Command } from "commander";
import { EXIT, Refusal } from "../exit.ts";
import { nodeAt, requireNetwork } from "../online/chain-node.ts";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { addBlock } from "./pins.ts";
import { parseNumber } from "./values.ts";

interface Options extends TrustFileOption {
  readonly network: string;
  readonly number: string;
  readonly hash?: string;
  readonly rpc?: string;
  readonly replace?: true;
}

/** Returns the command. The block's time is in its header, which the hash covers. */
export function pinBlockCommand(): Command {
  return new Command("pin-block")
    .description("Pin a block that you know to be in a chain, so that anchors in it count.")
    .requiredOption("--network <id>", "the chain, as eip155:1")
    .requiredOption("--number <number>", "the block's number")
    .option("--hash <hash>", "the block's hash, 0x and 64 hex characters")
    .option("--rpc <url>", "ask this node for the hash, or whether it has the same. This one connects")
    .option("--replace", "let this hash take the place of another at the same height")
    .addHelpText(
      "after",
      '\nExample:\n  svc trust pin-block --network eip155:1 --number 24590211 --hash "$BLOCK_HASH"\n\nAsk your ' +
        "own node for the hash, or several that do not depend on each other.\nThe node of a stranger can name any " +
        "block.",
    )
    .action(async ({ network, number: text, hash: given, rpc, replace, ...options }: Options) => {
      const number = parseNumber("--number", text);
      const hash = rpc === undefined ? given : await askedHash(rpc, network, number, given);
      if (hash === undefined)
        throw new Refusal(EXIT.usage, "The block's hash is missing.", "Give --hash, or --rpc to ask a node for it.");
      const pin = { network, number, hash };
      await changeTrust(options, [`Pinned block ${number} of ${network}: ${hash}.`], (file) =>
        addBlock(file, pin, replace),
      );
    });
}

/** Resolves to the hash that a node has at a height. Refuses another one than was given (66). */
async function askedHash(rpc: string, network: string, number: number, given: string | undefined): Promise<string> {
  const node = nodeAt(rpc);
  await requireNetwork(node, network);
  const hash = await node.blockHash(number);
  if (hash === null)
    throw new Refusal(EXIT.input, `The node has no block ${number}.`, "Check the number, or ask again later.");
  if (given === undefined || given === hash) return hash;
  throw new Refusal(
    EXIT.input,
    `The node has ${hash} at ${number}, and you give ${given}: nothing was pinned.`,
    "One of the two is wrong. Ask a node that does not depend on either.",
  );
}
