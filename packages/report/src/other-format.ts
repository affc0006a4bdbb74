/**
 * Recognizes bytes that are something else than evidence: another format, another encoding, a key. Such bytes get no
 * verdict. Bytes that might be damaged evidence are left to core. No byte of the input is ever quoted: it may be a
 * private key.
 */
import { encodeHex } from "@svc/core";

/** The formats that are recognized in place of evidence. */
export const OTHER_FORMATS = {
  empty: "empty.",
  gzip: "compressed with gzip.",
  zstd: "compressed with zstd.",
  xz: "compressed with xz.",
  bzip2: "compressed with bzip2.",
  "7z": "a 7z archive.",
  pdf: "a PDF document.",
  "utf-32": "UTF-32 text, not UTF-8.",
  "utf-16": "UTF-16 text, not UTF-8.",
  zip: "a ZIP archive, not JSON.",
  "empty-zip": "an empty ZIP archive, not JSON.",
  "byte-order-mark": "text with a byte-order mark before it, and JSON in UTF-8 has none.",
  html: "an HTML or XML page, not JSON.",
  "private-key": "a private key.",
  pem: "a key or a certificate in PEM.",
  hex: "a key or a hash in hex.",
  "verifier-key": "a C2SP verifier key.",
  image: "an image.",
  tar: "a tar archive.",
  sqlite: "a SQLite database.",
  mail: "a mail: it begins with a header, as From: or Received:.",
  base64: "base64 text, which stands for other bytes.",
  "tlog-proof": "a C2SP tlog-proof: evidence, but of a kind that svc does not verify by itself.",
  // Only core's verdict shows that these formats are not svc's: foreign.ts.
  "json-lines": "several objects, one a line, and svc verifies one a file.",
  "json-array": "a list of objects, and svc verifies one a file.",
  list: "a list from a service.",
  "package-part": "the manifest of a truth package that was unpacked.",
  note: "a signed note: evidence, but of a kind that svc does not verify by itself.",
  word: "a Word document.",
  office: "a document of an office program.",
  "other-zip": "a ZIP archive, but not a truth package.",
  report: "a report of a verification, not evidence.",
  json: "JSON, but of no kind of evidence.",
  "no-json": "not JSON, and nothing in it is named as in evidence.",
  csv: "a table (CSV).",
  text: "text, but not JSON.",
  binary: "the data of another program, not text.",
} as const satisfies Readonly<Record<string, string>>;
export type OtherFormat = keyof typeof OTHER_FORMATS;

/** Formats that are evidence, and that svc does not verify as they are. */
export const NOT_CHECKED: readonly OtherFormat[] = [
  "tlog-proof",
  "json-lines",
  "json-array",
  "list",
  "package-part",
  "note",
];

/** The first bytes of formats, in hex. */
const BEGINNINGS: readonly (readonly [hex: string, format: OtherFormat])[] = [
  ["1f8b", "gzip"],
  ["28b52ffd", "zstd"],
  ["fd377a585a00", "xz"],
  ["425a68", "bzip2"],
  ["377abcaf271c", "7z"],
  ["25504446", "pdf"],
  ["89504e47", "image"],
  ["ffd8ff", "image"],
  ["47494638", "image"],
  ["52494646", "image"],
  ["49492a00", "image"],
  ["4d4d002a", "image"],
  ["d0cf11e0a1b11ae1", "office"],
  ["53514c6974652066", "sqlite"],
  // UTF-32 comes before UTF-16, whose mark is its beginning.
  ["fffe0000", "utf-32"],
  ["0000feff", "utf-32"],
];
/** Formats that only some readers take. */
const ARCHIVES: typeof BEGINNINGS = [
  ["504b0304", "zip"],
  ["504b0506", "empty-zip"],
];
/** The mark behind the first name in a tar archive. */
const TAR = "ustar";
const TAR_AT = 257;
/** Only so many bytes of the input are looked at. */
const LOOKED_AT_BYTES = 4096;

/**
 * Returns the format of bytes that are recognizably no evidence; null for all other bytes, evidence or not. A reader
 * that takes packages takes archives as evidence.
 */
export function otherFormat(bytes: Uint8Array, readsPackages = false): OtherFormat | null {
  if (bytes.length === 0) return "empty";
  const hex = encodeHex(bytes.subarray(0, 8));
  const known = readsPackages ? BEGINNINGS : [...BEGINNINGS, ...ARCHIVES];
  const found = known.find(([beginning]) => hex.startsWith(beginning));
  if (found !== undefined) return found[1];
  if (/^(fffe|feff|[75]b00..00|00[75]b00)/.test(hex)) return "utf-16";
  if (hex.startsWith("efbbbf")) return "byte-order-mark";
  if ([...TAR].every((character, index) => bytes[TAR_AT + index] === character.charCodeAt(0))) return "tar";
  return otherText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(0, LOOKED_AT_BYTES)));
}

function otherText(text: string): OtherFormat | null {
  // No JSON begins like that, nor with the dashes or the name of a key; inside of JSON all of it is allowed.
  if (/^\s*<[!?/a-z]/i.test(text)) return "html";
  if (/^\s*[^\s{["][\s\S]*PRIVATE KEY-----/.test(text)) return "private-key";
  if (/^\s*-----BEGIN /.test(text)) return "pem";
  if (/^\s*[0-9a-fA-F]{64}\s*$/.test(text)) return "hex";
  if (/^\s*[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\s*$/.test(text)) return "verifier-key";
  if (/^c2sp\.org\/tlog-proof@/.test(text)) return "tlog-proof";
  if (MAIL.test(text)) return "mail";
  return isBase64(text) ? "base64" : null;
}

const MAIL =
  /^(?:From \S+@|(?:From|To|Cc|Subject|Date|Received|Return-Path|Delivered-To|Reply-To|Message-ID|MIME-Version|DKIM-Signature|X-[\w-]+):[ \t]\S)/i;
/** A line of base64 has as many characters; a text of one line has at least as many. */
const BASE64_LINE = 60;

function isBase64(text: string): boolean {
  const lines = text.trim().split(/\r?\n/);
  return (
    /[g-z]/i.test(text) &&
    (lines[0] ?? "").length >= BASE64_LINE &&
    lines.every((line) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(line))
  );
}
