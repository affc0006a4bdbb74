/**
 * The program of the reading thread: its own connections to the database, no private key, one step at a time in the
 * order of arrival. Texts in pieces stay open between their steps.
 */
import { parentPort, workerData } from "node:worker_threads";
import { openReaders } from "@svc/host/store";
import { fromThrown, toThrown, yieldToOthers } from "@svc/host/threads";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import { kernel } from "../kernel.ts";
import { remoteSigningKey } from "../keys/remote-signer.ts";
import type { FromReader, Step, ToReader, Value } from "./messages.ts";
import type { ReadingPlaces } from "./reading-thread.ts";
import { PIECE_READS, READS, type ReadContext } from "./reads.ts";

/** The least size of a piece, unless it is the last. */
const PIECE_BYTES = 64 * 1024;

const port = parentPort;
if (port === null) throw new Error("this program is a thread of svc-server, and nothing by itself");
yieldToOthers();
const open = new Map<number, AsyncIterator<Uint8Array>>();
let signed: { resolve: (signature: Uint8Array) => void; reject: (error: Error) => void } | null = null;

const { databaseLocation, archivePath } = workerData as ReadingPlaces;
const context: ReadContext = {
  kernel,
  database: openReaders(databaseLocation),
  archived: new ArchivedPayloads(archivePath),
  signingKey: remoteSigningKey(kernel, signElsewhere),
};

/** Resolves to a signature, which the other thread makes: it has the private key. */
function signElsewhere(message: Uint8Array, kid: string): Promise<Uint8Array> {
  // One message is signed at a time, because this thread waits for each answer.
  return new Promise((resolve, reject) => {
    signed = { resolve, reject };
    send({ sign: message, kid });
  });
}

function send(message: FromReader): void {
  port?.postMessage(message);
}

port.on("message", async (message: ToReader) => {
  if ("signature" in message) signed?.resolve(message.signature);
  else if ("refused" in message) signed?.reject(fromThrown(message.refused));
  else {
    const startedAt = performance.now();
    try {
      const value = await done(message.step);
      send({ value, ms: performance.now() - startedAt });
    } catch (error) {
      send({ thrown: toThrown(error), ms: performance.now() - startedAt });
    }
  }
});

async function done(step: Step): Promise<Value> {
  if ("read" in step) return READS[step.read as keyof typeof READS](context, step.args as never);
  if ("open" in step) {
    const pieces = PIECE_READS[step.pieces as keyof typeof PIECE_READS](context, step.args as never);
    open.set(step.open, pieces[Symbol.asyncIterator]());
    return null;
  }
  if ("next" in step) return nextPiece(step.next);
  const ended = open.get(step.end);
  open.delete(step.end);
  await ended?.return?.();
  return null;
}

async function nextPiece(id: number): Promise<Uint8Array | null> {
  const iterator = open.get(id);
  if (iterator === undefined) throw new Error("the pieces have ended");
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < PIECE_BYTES; ) {
    const next = await iterator.next();
    if (next.done === true) break;
    parts.push(next.value);
    bytes += next.value.length;
  }
  if (parts.length === 0) open.delete(id);
  return parts.length === 0 ? null : Buffer.concat(parts);
}
