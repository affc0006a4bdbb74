/** How large an archive file becomes, and how long it takes until it is made. */

const MIB = 1024 * 1024;

/** The most events whose payloads one file holds. Erasing one of them writes the file anew. */
export const MAX_ARCHIVE_EVENTS = 10_000;
/** The most bytes of payloads in one file. */
export const MAX_ARCHIVE_PAYLOAD_BYTES = 32 * MIB;
/** The most bytes of a new file. */
export const MAX_NEW_FILE_BYTES = 48 * MIB;
/**
 * The most bytes of a file that is written anew after an erasure: every verifier takes so many. Statements of more
 * witnesses may have come since, and must not keep a payload from being erased.
 */
export const MAX_RENEWED_FILE_BYTES = 64 * MIB;
/**
 * The most events in the evidence of one file, which reaches to the end of a checkpoint. Only after a backlog does a
 * checkpoint have more; its payloads stay in the database.
 */
export const MAX_EVIDENCE_EVENTS = 25_000;
/**
 * A file is written when it is full, or when its first event is older than the age by this part of it. Without such a
 * part, a slow stream would get a file for each event.
 */
export const WAIT_PART = 0.1;
