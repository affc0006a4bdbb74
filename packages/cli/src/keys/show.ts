/** `svc keys show`: shows the public half of a key file, in every form in which people exchange one. */
import { Command } from "commander";
import { FORMATTERS, type FormatFlags, formatOf, withFormats } from "../formats/list.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { keyForms } from "./forms.ts";
import { readPublicKey } from "./key-file.ts";
import { keyLines } from "./lines.ts";

interface Options extends FormatFlags {
  readonly key: string;
  readonly name?: string;
}

/** Returns the command. */
export function showKeyCommand(): Command {
  const command = new Command("show")
    .description("Show a key's public forms: hex, PEM, C2SP keys, identifier, fingerprint.")
    .requiredOption("--key <path>", "a key in PEM, private or public; - for standard input")
    .option("--name <name>", "the name that the key signs notes under, for its C2SP keys");
  return withFormats(command, "key_forms")
    .addHelpText("after", "\nExample:\n  svc keys show --key acme-2026.pem --name acme.example/log")
    .action(async ({ key, name, ...flags }: Options) => {
      const forms = keyForms(openKernel(), await readPublicKey(key), name);
      printLines(FORMATTERS[formatOf(flags)].answer({ value: forms, page: () => keyLines(forms) }));
    });
}
