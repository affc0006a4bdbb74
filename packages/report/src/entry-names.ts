/**
 * The names in an archive, even if the rest of it is wrong: for words about a file that core has refused. It finds each
 * header by its signature, so that neither a missing directory nor wrong offsets hide a name.
 */

/**
 * The two sorts of headers: the last two bytes of the signature, the offset of the name's length, and the offset of the
 * name.
 */
const HEADERS = [
  { signature: 0x0403, lengthAt: 26, nameAt: 30 },
  { signature: 0x0201, lengthAt: 28, nameAt: 46 },
];
/** Longer names of entries are not looked at, in bytes. */
const MAX_NAME_BYTES = 512;

/** Returns the names, in the order of their headers; a name that both headers have comes twice. */
export function entryNames(bytes: Uint8Array): string[] {
  const decoder = new TextDecoder();
  const names: string[] = [];
  for (let at = bytes.indexOf(0x50); at >= 0; at = bytes.indexOf(0x50, at + 1)) {
    if (bytes[at + 1] !== 0x4b) continue;
    const header = HEADERS.find(({ signature }) => signature === (bytes[at + 2] ?? 0) + 256 * (bytes[at + 3] ?? 0));
    if (header === undefined) continue;
    const length = (bytes[at + header.lengthAt] ?? 0) + 256 * (bytes[at + header.lengthAt + 1] ?? 0);
    const start = at + header.nameAt;
    const name = bytes.slice(start, start + Math.min(length, MAX_NAME_BYTES));
    if (name.length > 0) names.push(decoder.decode(name));
  }
  return names;
}
