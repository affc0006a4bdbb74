/**
 * The records of a ZIP file, in the part of the format that packages use (PKWARE APPNOTE 6.3): no ZIP64, no extra
 * fields, no comments.
 */

/** Each record begins with one of these, as a little-endian number. */
export const SIGNATURE = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const;

/** The lengths of the records in bytes, names not counted. */
export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;

/**
 * The local and the central header share members, from "version needed" to the lengths. Both hold them in one block of
 * this length.
 */
export const SHARED_BYTES = 26;
/** The offset of that block in each header. */
export const SHARED_AT = { local: 4, central: 6 } as const;

/** The offsets inside the shared block. */
export const SHARED = {
  versionNeeded: 0,
  flags: 2,
  method: 4,
  time: 6,
  date: 8,
  crc32: 10,
  packedBytes: 14,
  sizeBytes: 18,
  nameBytes: 22,
  extraBytes: 24,
} as const;

/** The methods that packages use. */
export const METHOD = { stored: 0, deflated: 8 } as const;
/** The flag that marks a name as UTF-8, which changes nothing of ASCII. */
export const UTF8_FLAG = 0x0800;
/** ZIP 2.0, the version that knows both methods. */
export const VERSION_NEEDED = 20;
/** Numbers that refer to a ZIP64 record for the real one. */
export const ZIP64_16 = 0xffff;
export const ZIP64_32 = 0xffffffff;
