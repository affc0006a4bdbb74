/**
 * The names in an archive, whatever else of it is wrong: for words about a file that core has refused. Each header is found by its signature, so that
 * neither a missing directory nor wrong offsets hide a name.
 */

/** The two sorts of headers: their last two bytes, where the length of the name stands in them, and where the name does. */
const HEADERS = [
  { signature: 0x0403, lengthAt: 26, nameAt: 30 },
  { signature: 0x0201, lengthAt: 28, nameAt: 46 },
];
/** The longest name of an entry that is looked at, in bytes. */
const MAX_NAME_BYTES = 512;

/** The names, in the order of their headers; a name that both headers have comes twice. */
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
