/**
 * A reader of archives that follows the central directory, as libraries do: it takes from there where an entry stands
 * and what it is called, and looks at nothing else. It hands the entries on as a well-formed archive.
 */
import { inflateRawSync } from "node:zlib";
import { encodeBase64, type JsonObject, parseBase64, storedEntry, writeArchive } from "@svc/core";
import { honest, isOf, type Lie } from "./lie.ts";

const END = Buffer.from("504b0506", "hex");
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const DEFLATED = 8;

export const CENTRAL_DIRECTORY: Lie = {
  name: "follows-the-central-directory",
  does: "reads archives by their central directory alone",
  concerns: (one) =>
    isOf(one, "archive.check") || (isOf(one, "verify") && one.request.kind === "truth-package" && !one.answer.ok),
  tell(kernel) {
    const told = honest(kernel);
    return async (request) => told(await rewritten(request as JsonObject));
  },
};

/** Resolves to the request about the archive that the directory lists; the same request for anything else. */
async function rewritten(request: JsonObject): Promise<JsonObject> {
  const bytes = parseBase64(String(request?.bytes));
  if (bytes === null || bytes[0] !== 0x50 || bytes[1] !== 0x4b) return request;
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of writeArchive(listed(Buffer.from(bytes)))) pieces.push(piece);
    return { ...request, bytes: encodeBase64(new Uint8Array(Buffer.concat(pieces))) };
  } catch {
    // It cannot be read so, or could not be written: this reader has no better answer than the honest one.
    return request;
  }
}

/** Returns the entries that the directory lists, by their names. */
function listed(archive: Buffer) {
  const end = archive.lastIndexOf(END);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const entries = Array.from({ length: count }, () => {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const [method, packedBytes] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const local = archive.readUInt32LE(at + 42);
    const nameAt = at + CENTRAL_BYTES;
    const name = archive.toString("latin1", nameAt, nameAt + Number(nameBytes));
    at = nameAt + Number(nameBytes) + Number(extraBytes) + Number(commentBytes);
    const from = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(from, from + packedBytes);
    return storedEntry(name, method === DEFLATED ? inflateRawSync(packed) : packed);
  });
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}
