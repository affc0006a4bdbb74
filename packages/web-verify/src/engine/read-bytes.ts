/** The bytes of a file, up to the limit of this toolkit. */

/** The largest input, in bytes: 1 GiB, as in `svc`. */
const MAX_INPUT_BYTES = 1024 ** 3;

/** Reads a file. Rejects with RangeError if it is too large, with DOMException if the browser cannot read it. */
export async function readBytes(blob: Blob): Promise<Uint8Array> {
  if (blob.size > MAX_INPUT_BYTES)
    throw new RangeError(`It is larger than ${MAX_INPUT_BYTES} bytes, the most that is read.`);
  return new Uint8Array(await blob.arrayBuffer());
}

/** Returns why a file cannot be read, in plain words where a browser has its own. */
export function whyUnread(error: Error): string {
  const isGone = error.name === "NotReadableError" || error.name === "NotFoundError";
  return isGone ? "It has changed, or is gone, since you chose it. Choose it again." : error.message;
}
