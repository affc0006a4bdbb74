/**
 * `svc trust pin-block`: pins a block that a person knows to be in a chain, so that its time is believed (protocol
 * section 12).
 */
import { Command } from "commander";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { addBlock } from "./pins.ts";
import { parseNumber } from "./values.ts";

interface Options extends TrustFileOption {
  readonly network: string;
  readonly number: string;
  readonly hash: string;
  readonly replace?: true;
}

/** Returns the command. The block's time is in its header, which the hash covers. */
export function pinBlockCommand(): Command {
  return new Command("pin-block")
    .description("Pin a block that you know to be in a chain, so that anchors in it count.")
    .requiredOption("--network <id>", "the chain, as eip155:1")
    .requiredOption("--number <number>", "the block's number")
    .requiredOption("--hash <hash>", "the block's hash, 0x and 64 hex characters")
    .option("--replace", "let this hash take the place of another at the same height")
    .addHelpText(
      "after",
      '\nExample:\n  svc trust pin-block --network eip155:1 --number 24590211 --hash "$BLOCK_HASH"\n\nAsk your own node for the hash, or several that do not depend on each other.',
    )
    .action(async ({ network, number, hash, replace, ...options }: Options) => {
      const pin = { network, number: parseNumber("--number", number), hash };
      await changeTrust(options, [`Pinned block ${number} of ${network}.`], (file) => addBlock(file, pin, replace));
    });
}
