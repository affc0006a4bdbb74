/**
 * Every limit that a caller can meet, by name. The server checks each before it allocates anything for the bounded
 * input. Limits on resources that all callers share, such as memory and threads, are in the server's own limits.
 */
import { MAX_PAYLOAD_DEPTH } from "@svc/core";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of a payload in canonical form. */
export const MAX_PAYLOAD_BYTES = 256 * KIB;
/** The most levels of a payload, the payload itself counted. */
export const MAX_PAYLOAD_NESTING = MAX_PAYLOAD_DEPTH;
/** Bytes of a request that appends one event; more than a payload's, because a request may be indented. */
export const MAX_EVENT_BODY_BYTES = 1 * MIB;
export const MAX_BATCH_BODY_BYTES = 16 * MIB;
export const MAX_BATCH_EVENTS = 1000;
/** Keys in a witness policy: a note has at most 64 lines, one for its log and one for each cosignature. */
export const MAX_WITNESS_KEYS = 63;
/** Bytes of every other request with a body. */
export const MAX_BODY_BYTES = 64 * KIB;
export const MAX_VERIFY_BODY_BYTES = 64 * MIB;
/**
 * A request counts against its address as one, plus one for each so many bytes of its body, plus one for each so much
 * time of a thread.
 */
export const BYTES_OF_A_REQUEST = 4 * KIB;
export const MS_OF_A_REQUEST = 5;
/** A request counts against its key as one, plus one for each so many bytes of its body. */
export const BYTES_OF_A_KEY_REQUEST = 64 * KIB;
/** Bytes of a body to verify that waits for no other; an address sends only so many larger ones at a time. */
export const MAX_SMALL_VERIFY_BODY_BYTES = 256 * KIB;
export const MAX_LARGE_VERIFY_BODIES = 2;
/**
 * How long a body waits for one of those permits, and an object for a thread; and how many objects of one address wait
 * for a thread.
 */
export const MAX_VERIFY_WAIT_MS = 30_000;
export const MAX_VERIFY_WAITING = 64;
/** How fast a body to verify must come, after its first seconds: a slow one would keep others from its permit. */
export const MIN_VERIFY_BYTES_PER_SECOND = 128 * KIB;
export const BODY_GRACE_MS = 5_000;
/** Values in an object, with commas and brackets in strings counted; evidence of 64 MiB has about 1,600,000. */
export const MAX_VERIFY_VALUES = 2_000_000;
/** Bytes of fork evidence that is handed in: two checkpoints of 1,024 windows have about 300 KiB. */
export const MAX_FORK_BODY_BYTES = 512 * KIB;
/** Pieces of fork evidence that are kept for one stream, or for the service's own log, and their bytes together. */
export const MAX_FORKS_KEPT = 64;
export const MAX_FORK_BYTES_KEPT = 4 * MIB;
export const MAX_METADATA_PAIRS = 32;
export const MAX_METADATA_NAME_CHARACTERS = 64;
export const MAX_METADATA_VALUE_CHARACTERS = 512;
export const MAX_USE_CASE_CHARACTERS = 200;
/** Characters of the reason of an erasure. */
export const MAX_REASON_CHARACTERS = 500;
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
/**
 * Bytes of a body of events that is read at any time; a system sends only so many larger bodies, or bodies of unknown
 * size, at a time. Larger ones are parsed in turns, and have half of the time while others send smaller ones.
 */
export const MAX_SMALL_EVENT_BODY_BYTES = 256 * KIB;
export const MAX_LARGE_EVENT_BODIES = 8;
/** Requests of one system or address that wait at a time for evidence to be read. */
export const MAX_READS_WAITING = 64;
/** Packs of one system that are fetched at a time. */
export const MAX_PACKS_AT_ONCE = 4;
/** How long other requests wait for them. */
export const MAX_PERMIT_WAIT_MS = 30_000;
/** Bytes of the payloads in one audit pack. */
export const MAX_PACK_PAYLOAD_BYTES = 128 * MIB;
/** Events in one audit pack, after its range was extended to whole windows and checkpoints. */
export const MAX_PACK_EVENTS = 100_000;
/** How long a pack waits for the seal that it requested. */
export const MAX_SEAL_WAIT_MS = 5_000;
/** Events in one export. */
export const MAX_EXPORT_EVENTS = 1_000_000;
export const MAX_EXPORT_STREAMS = 100;
/** Bytes of a package: the most in an archive without ZIP64. */
export const MAX_EXPORT_BYTES = 2 ** 32 - 2;
/** Exports of a tenant that wait, are being built or have their package on the disk. */
export const MAX_EXPORTS_KEPT = 20;
/** Such exports of one system, if the tenant has another system. */
export const MAX_SYSTEM_EXPORTS_KEPT = 10;
/** How long a package stays on the disk. */
export const MAX_EXPORT_DAYS = 7;
/** How long an export waits for the evidence of its events. */
export const MAX_EXPORT_WAIT_SECONDS = 600;
/** How long a ticket can begin a download. */
export const MAX_TICKET_SECONDS = 300;
/** How often an interrupted download may resume with its ticket. */
export const MAX_DOWNLOAD_RESUMPTIONS = 32;
/** Characters of a verifier's name, and of its version, in a report. */
export const MAX_VERIFIER_CHARACTERS = 64;
/** Verifiers whose reports on one access are recorded. */
export const MAX_VERIFIERS_PER_ACCESS = 8;
/** Items in one page of a list: by default, and at most. */
export const DEFAULT_PAGE_ITEMS = 50;
export const MAX_PAGE_ITEMS = 500;
/**
 * Rows that a list examines for one page: if filters skip more rows, the page is short and the next page continues. It
 * looks at as many entries in the index of each filter, to see how far that leads.
 */
export const MAX_EXAMINED_ROWS = 5_000;
