/** `svc report`: verifies one file, and writes the report as a page for people: one HTML file without scripts that loads nothing. */
import { basename } from "node:path";
import { encodeHex } from "@svc/core";
import { contentsOf, reportHtml } from "@svc/report";
import { type Command, Option } from "commander";
import { forceOption, once } from "../evidence-file/options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { requireOtherFile } from "../verify/report-file.ts";
import { type Preparation, type Verified, verifyFileCommand } from "./verify-file.ts";

interface Flags {
  readonly html: string;
  readonly force?: true;
}

/** The command. */
export function reportCommand(): Command {
  return verifyFileCommand(
    "report",
    null,
    "Verify a file of any kind, and write the report as a page.",
    "svc report --file march.bundle.json --html march.html --trust acme.trust.json",
    AS_PAGE,
  );
}

const AS_PAGE: Preparation<Flags> = {
  addOptions: (command) =>
    command
      .addOption(new Option("--html <path>", "where the page goes").argParser(once).makeOptionMandatory())
      .addOption(forceOption()),
  paths: () => ({}),
  words: () => [],
  prepare: async (_kernels, bytes, { html, file }: Flags & { readonly file?: string }) => {
    requireOtherFile(html, [file], "--html");
    return bytes;
  },
  finish: writePage,
};

function writePage(verified: Verified, { html, force, file }: Flags & { readonly file: string }): void {
  const { report, kernel, bytes, trust, evidence, seconds } = verified;
  const page = reportHtml(kernel, {
    report,
    evidence: evidence(),
    contents: contentsOf(report, bytes),
    trust,
    linkKids: [],
    file: {
      // Without its folders: whoever gets the page need not know them.
      name: file === "-" ? "standard input" : basename(file),
      bytes: bytes.length,
      sha256Hex: encodeHex(kernel.sha256(bytes)),
    },
    checked: { at: new Date().toISOString(), seconds },
  });
  writeResult({ out: html, ...(force === undefined ? {} : { force }) }, new TextEncoder().encode(page), "text");
}
