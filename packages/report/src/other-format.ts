/**
 * Bytes that are recognisably something else than evidence: another format, another encoding, a key. There is nothing in them to give a verdict
 * on. Whatever might be evidence that somebody damaged is left to core. No byte of the input is ever quoted: it may be a private key.
 */

/** What bytes can be in place of evidence. */
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
} as const satisfies Readonly<Record<string, string>>;
export type OtherFormat = keyof typeof OTHER_FORMATS;

/** What formats begin with, in hex. */
const BEGINNINGS: readonly (readonly [hex: string, format: OtherFormat])[] = [
  ["1f8b", "gzip"],
  ["28b52ffd", "zstd"],
  ["fd377a585a00", "xz"],
  ["425a68", "bzip2"],
  ["377abcaf271c", "7z"],
  ["25504446", "pdf"],
  // Before UTF-16, whose mark it begins with.
  ["fffe0000", "utf-32"],
  ["0000feff", "utf-32"],
];
/** What only some readers take. */
const ARCHIVES: typeof BEGINNINGS = [
  ["504b0304", "zip"],
  ["504b0506", "empty-zip"],
];
/** As much of the input as is looked into, in bytes. */
const LOOKED_AT_BYTES = 4096;

/**
 * What bytes are that are recognisably no evidence; null for all others, whether they are evidence or not. Archives are evidence to what
 * reads packages.
 */
export function otherFormat(bytes: Uint8Array, readsPackages = false): OtherFormat | null {
  if (bytes.length === 0) return "empty";
  const hex = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const known = readsPackages ? BEGINNINGS : [...BEGINNINGS, ...ARCHIVES];
  const found = known.find(([beginning]) => hex.startsWith(beginning));
  if (found !== undefined) return found[1];
  if (/^(fffe|feff|7b00|007b|5b00|005b)/.test(hex)) return "utf-16";
  if (hex.startsWith("efbbbf")) return "byte-order-mark";
  return otherText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(0, LOOKED_AT_BYTES)));
}

function otherText(text: string): OtherFormat | null {
  // No JSON starts like that, nor with the dashes or the name of a key; inside of JSON all of it may stand.
  if (/^\s*</.test(text)) return "html";
  if (/^\s*[^\s{["][\s\S]*PRIVATE KEY-----/.test(text)) return "private-key";
  if (/^\s*-----BEGIN /.test(text)) return "pem";
  if (/^\s*[0-9a-fA-F]{64}\s*$/.test(text)) return "hex";
  if (/^\s*[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\s*$/.test(text)) return "verifier-key";
  return null;
}
