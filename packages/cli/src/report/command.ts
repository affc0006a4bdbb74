/**
 * `svc report`: verifies one file, and writes the report as a page for people: one HTML file without scripts that loads
 * nothing.
 */
import { basename } from "node:path";
import process from "node:process";
import { encodeHex } from "@svc/core";
import { contentsOf, escapeText, reportHtml } from "@svc/report";
import { type Command, Option } from "commander";
import { forceOption, once } from "../evidence-file/options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { FORMATTERS, type FormatFlags, formatOf } from "../formats/list.ts";
import { isStandardInput } from "../input.ts";
import { printLines } from "../output.ts";
import { type Preparation, type Verified, verifyFileCommand } from "../verify/file.ts";
import { requireOtherFile } from "../verify/report-file.ts";

interface Flags {
  /** False with `--no-payloads`. */
  readonly payloads: boolean;
  readonly html?: string;
  readonly force?: true;
}

/** Returns the command. */
export function reportCommand(): Command {
  return verifyFileCommand(
    "report",
    null,
    "Verify a file of any kind, and write the report as a page.",
    "svc report march.bundle.json --trust acme.trust.json",
    AS_PAGE,
  );
}

const AS_PAGE: Preparation<Flags> = {
  addOptions: (command) =>
    command
      .addOption(
        new Option("--html <path>", "where the page goes; else it is called after the file, in this folder").argParser(
          once,
        ),
      )
      .option("--no-payloads", "leave the payloads of the events out of the page")
      .addOption(forceOption()),
  paths: () => ({}),
  words: () => [],
  prepare: async (_kernels, bytes, flags: Flags & { readonly file?: string }) => {
    requireOtherFile(pageOf(flags), [flags.file], "--html");
    return bytes;
  },
  finish: writePage,
};

/** Returns the path of the page. */
function pageOf({ html, file = "-" }: Pick<Flags, "html"> & { readonly file?: string }): string {
  const name = isStandardInput(file) ? "evidence" : basename(file).replace(/\.(json|zip)$/i, "");
  return html ?? `${name}.report.html`;
}

function writePage(verified: Verified, flags: Flags & FormatFlags & { readonly file: string }): void {
  const { html, force, file, payloads } = flags;
  const out = pageOf(flags);
  const { report, kernel, bytes, trust, names, seconds } = verified;
  const shown = {
    report,
    bytes,
    contents: contentsOf(kernel, report, bytes),
    trust,
    names,
    file: {
      // Without its folders: a reader of the page need not know them.
      name: file === "-" ? "standard input" : basename(file),
      bytes: bytes.length,
      sha256Hex: encodeHex(kernel.sha256(bytes)),
    },
    checked: { at: new Date().toISOString(), seconds },
  };
  const page = reportHtml(kernel, shown, { payloads });
  writeResult({ out, ...(force === undefined ? {} : { force }) }, new TextEncoder().encode(page), "text");
  const { remarks } = FORMATTERS[formatOf(flags)];
  if (html !== undefined || remarks === "nowhere") return;
  const said = `The report as a page: ${escapeText(out)}`;
  if (remarks === "stderr") process.stderr.write(`${said}\n`);
  else printLines(["", said]);
}
