/** The checksum of ZIP entries (CRC-32 of ISO 3309, polynomial 0xEDB88320): it finds damage. What a content is, its SHA-256 says. */

/** How many bytes are taken at a time, each with a table of its own: packages have gigabytes. */
const STEP = 16;

/** Made when they are first needed: most programs that can read packages read none. */
let madeTables: Int32Array | undefined;

/** Tables of 256: what a byte does to the checksum, with 0 to 15 bytes behind it. */
function allTables(): Int32Array {
  const tables = new Int32Array(STEP * 256);
  for (let index = 0; index < tables.length; index++) {
    let value = index < 256 ? index : (tables[index - 256] as number);
    if (index < 256) for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    else value = (tables[value & 0xff] as number) ^ (value >>> 8);
    tables[index] = value;
  }
  return tables;
}

/** The checksum of bytes, an unsigned 32-bit integer; `before` is that of what stands before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  madeTables ??= allTables();
  const tables = madeTables;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - STEP; at <= end; at += STEP)
    crc =
      ofFour(tables, 12, crc ^ view.getInt32(at, true)) ^
      ofFour(tables, 8, view.getInt32(at + 4, true)) ^
      ofFour(tables, 4, view.getInt32(at + 8, true)) ^
      ofFour(tables, 0, view.getInt32(at + 12, true));
  for (; at < bytes.length; at++) crc = of(tables, 0, crc ^ (bytes[at] as number)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** What four bytes do, the lowest first, with so many behind them. */
function ofFour(tables: Int32Array, behind: number, four: number): number {
  return (
    of(tables, behind + 3, four) ^
    of(tables, behind + 2, four >>> 8) ^
    of(tables, behind + 1, four >>> 16) ^
    of(tables, behind, four >>> 24)
  );
}

function of(tables: Int32Array, behind: number, byte: number): number {
  return tables[(behind << 8) | (byte & 0xff)] as number;
}
