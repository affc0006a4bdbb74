/**
 * `svc verify page`: says whether a saved `verify.html` is the page that was built from the same sources as this `svc`,
 * or one whose SHA-256 the caller got from its publisher. It says nothing of evidence, and does not run the page.
 */
import process from "node:process";
import { encodeHex, VERSION } from "@svc/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { named } from "../evidence-file/open.ts";
import { once, withFile } from "../evidence-file/options.ts";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";

/** The SHA-256 of the page that was built together with this program; the build inserts it. */
declare const SVC_PAGE_SHA256: string | undefined;

interface Flags {
  readonly file: string;
  readonly sha256?: string;
}

/** Returns the subcommand `page` of `svc verify`. */
export function verifyPageSubcommand(): Command {
  const command = new Command("page")
    .description("Compare a saved verify.html with the page that was published.")
    .addOption(new Option("--sha256 <hex>", "the SHA-256 that was published beside it").argParser(parseSha256))
    .addHelpText("after", `\nWithout --sha256 it is compared with the page of svc ${VERSION}.`)
    .addHelpText(
      "after",
      "\nExample:\n  svc verify page verify.html\n\nExit codes: 0 the same page, 1 another one, 64 wrong call, " +
        "66 no such file.",
    );
  return withFile(command, comparePage);
}

async function comparePage({ file, sha256 }: Flags): Promise<void> {
  const known = typeof SVC_PAGE_SHA256 === "undefined" ? undefined : SVC_PAGE_SHA256;
  const wanted = sha256 ?? known;
  if (wanted === undefined)
    throw new Refusal(
      EXIT.usage,
      "This svc was not built together with a page.",
      "Give the published hash with --sha256.",
    );
  const actual = encodeHex(openKernel().sha256(await readInput(file)));
  const whose = sha256 === undefined ? `the page of svc ${VERSION}` : "the page with the SHA-256 that you gave";
  if (actual !== wanted) {
    printLines([
      `DIFFERENT  ${actual}`,
      "",
      ...wrap(`${named(file)} is not ${whose}:`, { first: "  ", rest: "  " }),
      `    ${wanted}`,
      "",
      ...wrap("Do not trust what it shows. Get the page again from where it was published, and compare it once more.", {
        first: "  ",
        rest: "  ",
      }),
    ]);
    process.exitCode = EXIT.rejected;
    return;
  }
  printLines([
    `THE SAME   ${actual}`,
    "",
    ...wrap(`${named(file)} is ${whose}, byte for byte.`, { first: "  ", rest: "  " }),
  ]);
}

function parseSha256(text: string, previous: string | undefined): string {
  if (/^[0-9a-f]{64}$/.test(text)) return once(text, previous);
  throw new InvalidArgumentError("A SHA-256 is 64 lowercase hex characters.");
}
