/** The origins of evidence streams: that of their service, a slash and the id of the stream (SVC-PROOFSTREAM-001). */

const STREAM_ORIGIN = /^(.+)\/str_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the origin of the service whose stream an origin names; null for one that names no stream. */
export function serviceOf(origin: string): string | null {
  return STREAM_ORIGIN.exec(origin)?.[1] ?? null;
}
