/**
 * Bytes that are recognisably something else than evidence: another format, another encoding, a key, a trust policy. There is nothing in
 * them to give a verdict on, so that the command ends with what they are and what to do (66). Whatever might be evidence that somebody
 * damaged is left to core. No byte of the input is ever quoted: it may be a private key.
 */
import type { Json, Kernel, Report } from "@svc/core";
import { decodeEvidence } from "@svc/report";
import { EXIT, Refusal } from "../exit.ts";

/** What the bytes are, as the end of a sentence, and what to do next. */
export type Other = readonly [what: string, action: string];

const CHECK_FILE = "Check that it is the file you meant.";
/** What formats begin with, in hex. */
const BEGINNINGS: readonly (readonly [hex: string, other: Other])[] = [
  ["1f8b", ["compressed with gzip.", "Unpack it first: gunzip -c FILE | svc ... --file -"]],
  ["28b52ffd", ["compressed with zstd.", "Unpack it first."]],
  ["fd377a585a00", ["compressed with xz.", "Unpack it first."]],
  ["425a68", ["compressed with bzip2.", "Unpack it first."]],
  ["377abcaf271c", ["a 7z archive.", "Unpack it first."]],
  ["25504446", ["a PDF document.", "Ask for the evidence itself; a document about it cannot be verified."]],
  // Before UTF-16, whose mark it begins with.
  ["fffe0000", ["UTF-32 text, not UTF-8.", "Ask for the original file."]],
  ["0000feff", ["UTF-32 text, not UTF-8.", "Ask for the original file."]],
];
/** What only some commands read. */
const ARCHIVES: typeof BEGINNINGS = [
  ["504b0304", ["a ZIP archive, not JSON.", "If it is a truth package, svc verify truth-package checks it."]],
  ["504b0506", ["an empty ZIP archive, not JSON.", CHECK_FILE]],
];
const UTF_16: Other = [
  "UTF-16 text, not UTF-8.",
  "A program saved it anew, as PowerShell does with >. Take the original, or convert it: iconv -f UTF-16 -t UTF-8",
];
const BYTE_ORDER_MARK: Other = [
  "text with a byte-order mark before it, and JSON in UTF-8 has none.",
  "An editor put it there. Take the original, or cut the first three bytes off: tail -c +4 FILE",
];
/** As much of the input as is looked into, in bytes. */
const LOOKED_AT_BYTES = 4096;

/**
 * What bytes are that are recognisably no evidence; null for all others, whether they are evidence or not. Archives are evidence to what
 * reads packages.
 */
export function otherThanEvidence(bytes: Uint8Array, readsPackages = false): Other | null {
  if (bytes.length === 0) return ["empty.", "Check that it was downloaded, and that nothing wrote over it."];
  const start = Buffer.from(bytes.subarray(0, LOOKED_AT_BYTES));
  const hex = start.toString("hex", 0, 8);
  const known = readsPackages ? BEGINNINGS : [...BEGINNINGS, ...ARCHIVES];
  const found = known.find(([beginning]) => hex.startsWith(beginning));
  if (found !== undefined) return found[1];
  if (/^(fffe|feff|7b00|007b|5b00|005b)/.test(hex)) return UTF_16;
  if (hex.startsWith("efbbbf")) return BYTE_ORDER_MARK;
  return otherText(start.toString("utf8"));
}

function otherText(text: string): Other | null {
  // No JSON starts like that, nor with the dashes or the name of a key; inside of JSON all of it may stand.
  if (/^\s*</.test(text))
    return [
      "an HTML or XML page, not JSON.",
      "A server may have sent an error or a login page in its place. Open it in a browser, and download the file again.",
    ];
  if (/^\s*[^\s{["][\s\S]*PRIVATE KEY-----/.test(text))
    return ["a private key.", "Keep it secret; no command that verifies needs it. Nothing of it was shown."];
  if (/^\s*-----BEGIN /.test(text))
    return ["a key or a certificate in PEM.", "Give the evidence here, and the key in hex with --public-key-hex."];
  if (/^\s*[0-9a-fA-F]{64}\s*$/.test(text))
    return ["a key or a hash in hex.", "Give the evidence here, and a public key with --public-key-hex."];
  if (/^\s*[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\s*$/.test(text))
    return ["a C2SP verifier key.", "Give the evidence here; svc trust add takes such a key with --witness."];
  return null;
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
