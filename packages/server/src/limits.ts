/**
 * The internal limits of the server: how it divides memory, threads and time among all callers, and the range of an
 * operator's declarations. The limits that a caller can meet are in packages/api/src/limits.ts. Each is checked before
 * anything is allocated for the input that it bounds.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The most bytes of an object that shares a lasting thread with others. A larger object has a thread for itself, and
 * such objects are verified one at a time.
 */
export const MAX_SMALL_VERIFY_BYTES = 1 * MIB;
/**
 * The most bytes of bodies to verify that are in memory at a time. With the heaps of the threads below that is about
 * 1.5 GiB at most.
 */
export const MAX_VERIFY_MEMORY_BYTES = 192 * MIB;
/** Threads for small objects, on any number of processors. */
export const MAX_VERIFY_THREADS = 4;
/** The most memory of a thread that verifies small objects, in MiB. */
export const MAX_VERIFY_HEAP_MIB = 256;
/** The most processor time for a small object, in ms. */
export const MAX_VERIFY_MS = 10_000;
/** The most memory of a thread that verifies one large object, in MiB. */
export const MAX_LARGE_VERIFY_HEAP_MIB = 1024;
/** The most processor time for a large object, in ms. */
export const MAX_LARGE_VERIFY_MS = 60_000;
/** How often the server starts to build one package. */
export const MAX_EXPORT_BUILDS = 5;
/** The longest time for which a policy may keep a window open. */
export const MAX_WINDOW_SECONDS = 86_400;
