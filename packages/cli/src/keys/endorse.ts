/**
 * `svc keys endorse`: makes a key endorsement (protocol section 4), by which an old key passes its trust to a new one.
 */
import { formats, issueKeyEndorsement } from "@svc/core";
import { Command } from "commander";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { parsePublicKeyHex } from "../public-key.ts";
import { openSigner } from "./key-file.ts";
import { writeNewFile } from "./new-file.ts";

/** Everybody may read an endorsement. */
const PUBLIC_MODE = 0o644;

interface Options {
  readonly key: string;
  readonly publicKeyHex: string;
  readonly validFrom?: string;
  readonly out?: string;
}

/** Returns the command. It reads the clock only without `--valid-from`. */
export function endorseKeyCommand(): Command {
  return new Command("endorse")
    .description("Endorse a new key with an old one: who trusts the old one then trusts the new one.")
    .requiredOption("--key <path>", "the old private key (PEM)")
    .requiredOption("--public-key-hex <key>", "the new public key, 64 lowercase hex characters")
    .option("--valid-from <time>", "from when the new key counts, as 2026-03-01T00:00:00.000Z (default: now)")
    .option("--out <path>", "a new file for the endorsement (default: standard output)")
    .addHelpText("after", '\nExample:\n  svc keys endorse --key acme-2026.pem --public-key-hex "$NEW" --out new.json')
    .addHelpText("after", "\nAn old key endorses one new key. Two of them are a conflict, which is rejected.")
    .action(endorse);
}

async function endorse({ key, publicKeyHex, validFrom, out }: Options): Promise<void> {
  const kernel = openKernel();
  const successor = parsePublicKeyHex(publicKeyHex);
  const time = validFrom ?? new Date().toISOString();
  if (formats["service-time"]?.(time) !== true)
    throw new Refusal(
      EXIT.usage,
      "--valid-from: this is no time as the protocol has it.",
      "Give it in UTC with milliseconds, as in 2026-03-01T00:00:00.000Z.",
    );
  const signer = await openSigner(key);
  if (signer.publicKeyHex === successor)
    throw new Refusal(EXIT.usage, "The new key is the old one.", "Give the public key of the new one.");
  const text = JSON.stringify(await issueKeyEndorsement(kernel, signer, successor, time), null, 2);
  if (out === undefined) printLines([text]);
  else writeNewFile(out, `${text}\n`, PUBLIC_MODE);
}
