/** The limits of a witness: how much a caller can send, and how much it keeps of an origin. */

/** The longest body of a request, in bytes: 16 signatures of 5 kB each must fit (c2sp.org/signed-note). */
export const MAX_BODY_BYTES = 131_072;
/** The most lines of a consistency proof (c2sp.org/tlog-witness). */
export const MAX_PROOF_LINES = 63;
/** The most notes of an origin that are kept after newer ones were cosigned: a later contradiction needs both sides. */
export const MAX_SIGNED_NOTES = 1024;
/**
 * The most notes of an origin that are kept although they were refused: above the size that was cosigned last so many
 * that came first, and so many of the least sizes; and so many up to it.
 */
export const MAX_REFUSED_NOTES = 256;
/** The most fork evidence that is kept of an origin: one piece is enough to convince. */
export const MAX_FORKS_OF_ORIGIN = 100;
/** The most rows in the answer of a list. */
export const MAX_LISTED = 1000;
/** The most connections at a time. */
export const MAX_CONNECTIONS = 2048;
