/** The body of a request: raw bytes within a limit, of any media type, since clients of tlog-witness name none. */
import type { IncomingMessage } from "node:http";
import { statedBytes } from "@svc/host/http/body";
import { MAX_BODY_BYTES } from "../limits.ts";

/** Resolves to the bytes; null for more than the limit. Rejects if the connection ends first. */
export function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  if ((statedBytes(request) ?? 0) > MAX_BODY_BYTES) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) resolve(null);
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the connection was closed before the body was whole")));
  });
}
