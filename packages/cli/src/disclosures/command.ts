/**
 * `svc disclosures ...`: fields of a capsule that its holder opened, past the service (protocol section 28). A reader
 * who wants a disclosure that is meant for him alone has to say so: nothing in the file can.
 */
import { encodeHex, type HashHex } from "@svc/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { once } from "../evidence-file/options.ts";
import { shellWord } from "../evidence-file/shell-word.ts";
import { readInput } from "../input.ts";
import { type Preparation, verifyFileCommand } from "../verify/file.ts";

interface Flags {
  readonly content?: string;
  readonly audience?: string;
  readonly nonce?: string;
}

/** Returns the family of commands about disclosures. */
export function disclosuresCommand(): Command {
  return new Command("disclosures")
    .description("disclosures: opened fields of what a vault committed to")
    .addCommand(
      verifyFileCommand(
        "verify",
        "disclosure",
        "Verify a disclosure on this machine alone; no connection is opened.",
        "svc disclosures verify contract.disclosure.json --content contract.pdf --trust acme.trust.json",
        FOR_READER,
      ),
    );
}

/** The most that an audience or a nonce holds (protocol section 28). */
const MAX_CHARACTERS = 256;

const FOR_READER: Preparation<Flags> = {
  addOptions: (command) =>
    command
      .addOption(new Option("--content <path>", "expect the content of this file to be opened").argParser(once))
      .addOption(new Option("--audience <text>", "expect a seal for this reader").argParser(parseText))
      .addOption(
        new Option("--nonce <text>", "expect a seal for this occasion: what you asked with").argParser(parseText),
      ),
  paths: ({ content }) => ({ "--content": content }),
  words: ({ content, audience, nonce }) =>
    Object.entries({ content, audience, nonce }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${shellWord(value)}`],
    ),
  expect: async (kernels, { content, audience, nonce }) => {
    const kernel = kernels[1] ?? kernels[0];
    const hash = content === undefined ? undefined : encodeHex(kernel.sha256(await readInput(content)));
    return {
      ...(audience === undefined ? {} : { audience }),
      ...(nonce === undefined ? {} : { nonce }),
      ...(hash === undefined ? {} : { content_sha256: hash as HashHex }),
    };
  },
};

function parseText(text: string, previous: string | undefined): string {
  const length = [...text].length;
  if (length >= 1 && length <= MAX_CHARACTERS) return once(text, previous);
  throw new InvalidArgumentError(`Give 1 to ${MAX_CHARACTERS} characters.`);
}
