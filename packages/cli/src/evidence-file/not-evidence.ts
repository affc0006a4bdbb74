/**
 * Files that are recognisably no evidence end a command with what they are and what to do (66). How they are recognised is the package
 * report's; here is what whoever typed the command does next.
 */
import type { Json, Kernel, Report } from "@svc/core";
import { decodeEvidence, OTHER_FORMATS, type OtherFormat, otherFormat } from "@svc/report";
import { EXIT, Refusal } from "../exit.ts";

/** What the bytes are, as the end of a sentence, and what to do next. */
export type Other = readonly [what: string, action: string];

const CHECK_FILE = "Check that it is the file you meant.";
const ASK_FOR_ORIGINAL = "Ask for the original file.";
const UNPACK = "Unpack it first.";
const ACTIONS: Readonly<Record<OtherFormat, string>> = {
  empty: "Check that it was downloaded, and that nothing wrote over it.",
  gzip: "Unpack it first: gunzip -c FILE | svc ... --file -",
  zstd: UNPACK,
  xz: UNPACK,
  bzip2: UNPACK,
  "7z": UNPACK,
  pdf: "Ask for the evidence itself; a document about it cannot be verified.",
  "utf-32": ASK_FOR_ORIGINAL,
  "utf-16":
    "A program saved it anew, as PowerShell does with >. Take the original, or convert it: iconv -f UTF-16 -t UTF-8",
  zip: "If it is a truth package, svc verify truth-package checks it.",
  "empty-zip": CHECK_FILE,
  "byte-order-mark": "An editor put it there. Take the original, or cut the first three bytes off: tail -c +4 FILE",
  html: "A server may have sent an error or a login page in its place. Open it in a browser, and download the file again.",
  "private-key": "Keep it secret; no command that verifies needs it. Nothing of it was shown.",
  pem: "Give the evidence here, and the key in hex with --public-key-hex.",
  hex: "Give the evidence here, and a public key with --public-key-hex.",
  "verifier-key": "Give the evidence here; svc trust add takes such a key with --witness.",
};

/** What bytes are that are recognisably no evidence; null for all others. Archives are evidence to what reads packages. */
export function otherThanEvidence(bytes: Uint8Array, readsPackages = false): Other | null {
  const format = otherFormat(bytes, readsPackages);
  return format === null ? null : [OTHER_FORMATS[format], ACTIONS[format]];
}

/** Whether a value is a trust policy, or tries to be one. No kind of evidence has a member `signers`. */
function looksLikeTrust(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray((value as Readonly<Record<string, Json>>).signers);
}

/** Refuses bytes that are recognisably no evidence. `name` is the file at the start of a sentence. */
export function refuseOther(name: string, bytes: Uint8Array, readsPackages = false): void {
  const other = otherThanEvidence(bytes, readsPackages);
  if (other !== null) throw new Refusal(EXIT.input, `${name} is ${other[0]}`, other[1]);
}

/** Refuses a trust policy that stands where evidence should. It is looked for only where core has said already that the form is wrong. */
export function refuseTrust(name: string, { checks }: Report, kernel: Kernel, bytes: Uint8Array): void {
  if (!checks.some(({ id, status }) => id === "shape" && status === "fail")) return;
  if (!looksLikeTrust(decodeEvidence(kernel, bytes).value)) return;
  throw new Refusal(
    EXIT.input,
    `${name} is a trust policy, not evidence.`,
    "Give it with --trust, and the evidence here.",
  );
}
