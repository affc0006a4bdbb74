/**
 * The limits of the server's inside: how it divides memory, threads and time among all callers, and what the operator
 * may declare. The limits that a caller can meet stand in packages/api/src/limits.ts. All are checked before anything
 * is allocated for what they bound.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of an object that shares a lasting thread with others; a larger one has a thread for itself, one at a time. */
export const MAX_SMALL_VERIFY_BYTES = 1 * MIB;
/**
 * Bytes of all bodies to verify that are in memory at a time. With the heaps of the threads below that is about 1.5 GiB
 * at most.
 */
export const MAX_VERIFY_MEMORY_BYTES = 192 * MIB;
/** Threads for small objects, on however many processors. */
export const MAX_VERIFY_THREADS = 4;
/** What an object may take of a thread that it shares, and of one that it has for itself. */
export const MAX_VERIFY_HEAP_MIB = 256;
export const MAX_VERIFY_MS = 10_000;
export const MAX_LARGE_VERIFY_HEAP_MIB = 1024;
export const MAX_LARGE_VERIFY_MS = 60_000;
/** How often the building of a package is begun. */
export const MAX_EXPORT_BUILDS = 5;
/** How long a policy may let a window stay open. */
export const MAX_WINDOW_SECONDS = 86_400;
