/** Reads a source of bytes to its end, up to a limit. It knows no protocol object. */

/**
 * Evidence in memory, a File or Blob, a stream such as `response.body` or `blob.stream()`, or one of Node's readable
 * streams.
 */
export type EvidenceSource = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Resolves to all bytes. Rejects with RangeError above the limit, TypeError for a source of anything but bytes, and the
 * signal's reason.
 */
export async function readAll(
  source: EvidenceSource,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  signal?.throwIfAborted();
  if (source instanceof Uint8Array) {
    requireFewEnough(source.length, maxBytes);
    return source;
  }
  if (source instanceof Blob) {
    requireFewEnough(source.size, maxBytes);
    return readAll(source.stream(), maxBytes, signal);
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of "getReader" in source ? piecesOf(source, signal) : source) {
    signal?.throwIfAborted();
    if (!(piece instanceof Uint8Array)) throw new TypeError("evidence is bytes, and the source gives something else");
    length += piece.length;
    requireFewEnough(length, maxBytes);
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Not every browser can iterate over a stream. A stream that is not read to its end is cancelled. */
async function* piecesOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal | undefined) {
  const reader = stream.getReader();
  // A source that sends nothing more would keep the reader waiting for ever.
  const end = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", end, { once: true });
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", end);
    await reader.cancel().catch(() => undefined);
  }
}

function requireFewEnough(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new RangeError(`the evidence has more than ${maxBytes} bytes`);
}
