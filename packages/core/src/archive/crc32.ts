/** The checksum of ZIP entries (CRC-32 of ISO 3309, polynomial 0xEDB88320): it finds damage. What a content is, its SHA-256 says. */

/** Eight tables of 256: what a byte does to the checksum, with 0 to 7 bytes behind it. */
const TABLES = /* @__PURE__ */ (() => {
  const tables = new Int32Array(8 * 256);
  for (let index = 0; index < tables.length; index++) {
    let value = index < 256 ? index : (tables[index - 256] as number);
    if (index < 256) for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    else value = (tables[value & 0xff] as number) ^ (value >>> 8);
    tables[index] = value;
  }
  return tables;
})();

/** The checksum of bytes, an unsigned 32-bit integer; `before` is that of what stands before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  // A local name, and eight bytes at a time: packages have gigabytes.
  const tables = TABLES;
  const byte = (index: number) => bytes[index] as number;
  const of = (behind: number, value: number) => tables[(behind << 8) | (value & 0xff)] as number;
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    const low = crc ^ (byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24));
    crc = of(7, low) ^ of(6, low >>> 8) ^ of(5, low >>> 16) ^ of(4, low >>> 24);
    crc ^= of(3, byte(at + 4)) ^ of(2, byte(at + 5)) ^ of(1, byte(at + 6)) ^ of(0, byte(at + 7));
  }
  for (; at < bytes.length; at++) crc = of(0, crc ^ byte(at)) ^ (crc >>> 8);
  return ~crc >>> 0;
}
