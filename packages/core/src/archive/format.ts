/** The records of a ZIP file, as far as packages use them (PKWARE APPNOTE 6.3): no ZIP64, no extra fields, no comments. */

/** What each record begins with, as a little-endian number. */
export const SIGNATURE = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const;

/** The lengths of the records in bytes, names not counted. */
export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;

/** The members that local and central headers share stand in both in one block of this length, from "version needed" to the lengths. */
export const SHARED_BYTES = 26;
/** Where that block starts in each. */
export const SHARED_AT = { local: 4, central: 6 } as const;

/** The offsets inside of the shared block. */
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
/** The flag that says that a name is UTF-8. */
export const UTF8_FLAG = 0x0800;
/** ZIP 2.0, the version that knows both methods. */
export const VERSION_NEEDED = 20;
/** A number that stands for one in a ZIP64 record. */
export const ZIP64_16 = 0xffff;
export const ZIP64_32 = 0xffffffff;
