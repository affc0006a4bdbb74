/**
 * Files that are recognisably no evidence end a command with a sentence about them and the next step (66). The package
 * report recognises them; this file knows the next step of a person at the command line.
 */
import type { Kernel, Report } from "@svc/core";
import {
  decodeEvidence,
  foreignFormat,
  isTrustFile,
  NOT_CHECKED,
  OTHER_FORMATS,
  type OtherFormat,
  otherFormat,
} from "@svc/report";
import { EXIT, Refusal } from "../exit.ts";

/**
 * The reason why a file has no verdict: it could not be read; it is no evidence; it is evidence of a kind that svc does
 * not verify by itself.
 */
export type NoVerdict = "unreadable" | "no evidence" | "not checked";

/** A file was read, and holds nothing to give a verdict on (66). */
export class NotEvidence extends Refusal {
  readonly outcome: Exclude<NoVerdict, "unreadable">;

  constructor(outcome: NotEvidence["outcome"], message: string, action: string) {
    super(EXIT.input, message, action);
    this.outcome = outcome;
  }
}

/** The content of the bytes, as the end of a sentence, and the next step. */
export type Other = readonly [what: string, action: string];

const FORM_CHECKS: readonly string[] = ["json", "shape", "archive"];
const CHECK_FILE = "Check that it is the file you meant.";
const ASK_FOR_ORIGINAL = "Ask for the original file.";
const ASK_FOR_FILE = "Ask for the evidence itself; a document about it cannot be verified.";
const UNPACK = "Unpack it first.";
const ACTIONS: Readonly<Record<OtherFormat, string>> = {
  empty: "Check that it was downloaded, and that nothing wrote over it.",
  gzip: "Unpack it first: gunzip -c FILE | svc verify -",
  zstd: UNPACK,
  xz: UNPACK,
  bzip2: UNPACK,
  "7z": UNPACK,
  pdf: ASK_FOR_FILE,
  "utf-32": ASK_FOR_ORIGINAL,
  "utf-16":
    "A program saved it anew, as PowerShell does with >. Take the original, or convert it: iconv -f UTF-16 -t UTF-8",
  zip: "If it is a truth package, svc verify truth-package checks it.",
  "empty-zip": CHECK_FILE,
  "byte-order-mark": "An editor put it there. Take the original, or cut the first three bytes off: tail -c +4 FILE",
  html:
    "A server may have sent an error or a login page in its place. Open it in a browser, and download the file " +
    "again.",
  "private-key": "Keep it secret; no command that verifies needs it. Nothing of it was shown.",
  pem: "Give the evidence here, and the key in hex with --public-key-hex.",
  hex: "Give the evidence here, and a public key with --public-key-hex.",
  "verifier-key": "Give the evidence here; svc trust add takes such a key with --witness.",
  image: ASK_FOR_FILE,
  tar: UNPACK,
  sqlite: CHECK_FILE,
  mail: "Save its attachment as a file, and give that here.",
  base64: "Decode it first: base64 -d FILE | svc verify -",
  "tlog-proof":
    "Verify the bundle or the portable receipt of the same event, or give this to a program that reads C2SP " +
    "tlog-proofs.",
  "json-lines":
    "Put each line into its own file, and verify the folder: split -l 1 --additional-suffix=.json FILE part-",
  "json-array": "Put each object into its own file, and verify the folder.",
  list: "Get the receipt of an event, or an audit pack of a range, and verify that.",
  "package-part": "Its parts hold only together: verify the archive that it came out of.",
  note: "Verify the bundle or the checkpoint that it is from; svc forks find compares two notes.",
  word: ASK_FOR_FILE,
  office: ASK_FOR_FILE,
  "other-zip": "If evidence is in it, unpack it first, and verify what is inside.",
  report: "Verify the file that it is about: a report proves nothing by itself.",
  json: CHECK_FILE,
  "no-json": CHECK_FILE,
  csv: "If it came out of a truth package, verify the package itself.",
  text: CHECK_FILE,
  binary: CHECK_FILE,
};

/**
 * Returns the content of bytes that are recognisably no evidence; null for all others. A command that reads packages
 * takes archives as evidence.
 */
export function otherThanEvidence(bytes: Uint8Array, readsPackages = false): Other | null {
  const format = otherFormat(bytes, readsPackages);
  return format === null ? null : [OTHER_FORMATS[format], ACTIONS[format]];
}

/** Refuses bytes that are recognisably no evidence. `name` is the file at the start of a sentence. */
export function refuseOther(name: string, bytes: Uint8Array, readsPackages = false): void {
  refuseFormat(name, otherFormat(bytes, readsPackages));
}

/**
 * Refuses a file that core has rejected for its form and that is not SVC's: a trust policy in the place of evidence, or
 * a foreign file.
 */
export function refuseForeign(name: string, report: Report, kernel: Kernel, bytes: Uint8Array): void {
  if (!report.checks.some(({ id, status }) => FORM_CHECKS.includes(id) && status === "fail")) return;
  const evidence = decodeEvidence(kernel, bytes);
  if (evidence.kind === null && isTrustFile(evidence.value))
    throw new NotEvidence(
      "no evidence",
      `${name} is a trust policy, not evidence.`,
      "Give it with --trust, and the evidence here.",
    );
  refuseFormat(name, foreignFormat(report, evidence));
}

function refuseFormat(name: string, format: OtherFormat | null): void {
  if (format === null) return;
  const outcome = NOT_CHECKED.includes(format) ? "not checked" : "no evidence";
  throw new NotEvidence(outcome, `${name} is ${OTHER_FORMATS[format]}`, ACTIONS[format]);
}
