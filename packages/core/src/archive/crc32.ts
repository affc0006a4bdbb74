/**
 * The checksum of ZIP entries: CRC-32 of ISO 3309, polynomial 0xEDB88320. It finds damage; only a SHA-256 identifies a
 * content.
 */

/** So many bytes are taken at a time, each with a separate table: packages have gigabytes. */
const STEP = 16;

/** The tables are made when they are first needed: most programs that can read packages read none. */
let madeTables: Int32Array | undefined;

/** Returns 16 tables of 256 numbers: the effect of a byte on the checksum, with 0 to 15 bytes behind it. */
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

/**
 * Returns the CRC-32 of bytes, an unsigned 32-bit integer. `bytes`: any number of them. `before`: the checksum of the
 * bytes before them; 0 if nothing precedes them.
 *
 * @example
 * console.log(crc32(new TextEncoder().encode("hello")).toString(16)); // 3610a686
 */
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

/** Returns the effect of four bytes, the lowest first, with so many bytes behind them. */
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
