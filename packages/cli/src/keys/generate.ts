/** `svc keys generate`: makes a new private key, in a file that only its owner may read. */
import { Command } from "commander";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { keyForms } from "./forms.ts";
import { newKey } from "./key-file.ts";
import { keyLines } from "./lines.ts";
import { writeNewFile } from "./new-file.ts";

/** Only its owner may read a private key. */
const PRIVATE_MODE = 0o600;

interface Options {
  readonly out: string;
  readonly name?: string;
}

/** Returns the command. It never overwrites a file. */
export function generateKeyCommand(): Command {
  return new Command("generate")
    .description("Make an Ed25519 key: PKCS#8 PEM, readable by you alone.")
    .requiredOption("--out <path>", "the new file for the private key")
    .option("--name <name>", "the name that the key signs notes under, for its C2SP keys")
    .addHelpText("after", "\nExample:\n  svc keys generate --out acme-2026.pem --name acme.example/log")
    .action(({ out, name }: Options) => {
      const { pem, publicKeyHex } = newKey();
      const forms = keyForms(openKernel(), publicKeyHex, name);
      writeNewFile(out, pem, PRIVATE_MODE);
      printLines(keyLines(forms));
    });
}
