/** `svc keys show`: the public half of a key file, in every form in which people exchange one. */
import { escapeJson } from "@svc/report";
import { Command } from "commander";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { keyForms } from "./forms.ts";
import { readPublicKey } from "./key-file.ts";
import { keyLines } from "./lines.ts";

interface Options {
  readonly key: string;
  readonly name?: string;
  readonly json?: true;
}

/** The command. */
export function showKeyCommand(): Command {
  return new Command("show")
    .description("Show a key's public forms: hex, PEM, C2SP keys, identifier, fingerprint.")
    .requiredOption("--key <path>", "a key in PEM, private or public; - for standard input")
    .option("--name <name>", "the name that the key signs notes under, for its C2SP keys")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExample:\n  svc keys show --key acme-2026.pem --name acme.example/log")
    .action(async ({ key, name, json }: Options) => {
      const forms = keyForms(openKernel(), await readPublicKey(key), name);
      printLines(json ? [escapeJson(JSON.stringify(forms))] : keyLines(forms));
    });
}
