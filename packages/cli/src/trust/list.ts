/** `svc trust list` and `svc trust show`: show the trust file, all of it or one signer. */
import process from "node:process";
import { Command } from "commander";
import { FORMATTERS, type FormatFlags, formatOf, withFormats } from "../formats/list.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import type { TrustFileOption } from "./change.ts";
import { ownTrustPlace } from "./place.ts";
import { kidOfPin } from "./removals.ts";
import { readTrustFile } from "./store.ts";
import { placeLines, signerPage, trustLines } from "./words.ts";

/** Returns the command that lists every pin. A missing file pins nobody. */
export function listTrustCommand(): Command {
  return withFormats(new Command("list").description("List whom and what you trust."), "trust_file")
    .addHelpText("after", "\nExample:\n  svc trust list")
    .action(async ({ trust, ...flags }: TrustFileOption & FormatFlags) => {
      const place = ownTrustPlace(trust, process.env);
      const file = await readTrustFile(openKernel(), place.path);
      const page = () => [...placeLines(place), ...trustLines(file)];
      printLines(FORMATTERS[formatOf(flags)].answer({ value: { file: place.path, ...file }, page }));
    });
}

/** Returns the command that shows one signer, with its fingerprint in groups. */
export function showTrustCommand(): Command {
  return new Command("show")
    .description("Show one signer: its limits, its fingerprint to compare, its key in every form.")
    .argument("<key>", "its identifier, its public key, or your name of it")
    .addHelpText("after", '\nExample:\n  svc trust show "acme 2026"')
    .action(async (given: string, { trust }: TrustFileOption) => {
      const kernel = openKernel();
      const file = await readTrustFile(kernel, ownTrustPlace(trust, process.env).path);
      const kid = kidOfPin(file, given);
      const pins = file.policy.signers.filter((pin) => pin.kid === kid);
      printLines(signerPage(kernel, pins, file.names[kid]));
    });
}
