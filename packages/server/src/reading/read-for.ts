/**
 * The reading thread of a program: its own connections to the database, no private key, one step at a time in the order
 * of arrival. Texts in pieces stay open between their steps. Each program has a file that calls this.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { PieceRead, Read } from "@svc/host/reads";
import { openReaders } from "@svc/host/store";
import { fromThrown, toThrown, yieldToOthers } from "@svc/host/threads";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import type { ReadContext } from "../context.ts";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import { remoteSigningKey } from "../signing/remote-signing-key.ts";
import type { FromReader, Step, ToReader, Value } from "./messages.ts";
import type { ReadingPlaces } from "./reading-thread.ts";

/** The least size of a piece, unless it is the last. */
const PIECE_BYTES = 64 * 1024;

/** Answers the messages of the thread that has started this one. Throws Error where no thread has started it. */
export function readFor({ name, reads }: Pick<Program, "name" | "reads">): void {
  const port = parentPort;
  if (port === null) throw new Error(`this file is a thread of ${name}, and nothing by itself`);
  yieldToOthers();
  const send = (message: FromReader) => port.postMessage(message);
  let signed: { resolve: (signature: Uint8Array) => void; reject: (error: Error) => void } | null = null;
  // One message is signed at a time, because this thread waits for each answer. The other one has the private key.
  const signElsewhere = (message: Uint8Array, kid: string) =>
    new Promise<Uint8Array>((resolve, reject) => {
      signed = { resolve, reject };
      send({ sign: message, kid });
    });
  const { databaseLocation, archivePath } = workerData as ReadingPlaces;
  const steps = new Steps(reads, {
    kernel,
    database: openReaders(databaseLocation),
    archived: new ArchivedPayloads(archivePath),
    signingKey: remoteSigningKey(kernel, signElsewhere),
  });
  port.on("message", async (message: ToReader) => {
    if ("signature" in message) signed?.resolve(message.signature);
    else if ("refused" in message) signed?.reject(fromThrown(message.refused));
    else {
      const startedAt = performance.now();
      try {
        const value = await steps.take(message.step);
        send({ value, ms: performance.now() - startedAt });
      } catch (error) {
        send({ thrown: toThrown(error), ms: performance.now() - startedAt });
      }
    }
  });
}

/** The steps of a program's reads. */
class Steps {
  readonly #reads: Map<string, Program["reads"][number]>;
  readonly #context: ReadContext;
  readonly #open = new Map<number, AsyncIterator<Uint8Array>>();

  constructor(reads: Program["reads"], context: ReadContext) {
    this.#reads = new Map(reads.map((read) => [read.name, read]));
    this.#context = context;
  }

  /** Takes a step; resolves to its result. */
  async take(step: Step): Promise<Value> {
    if ("read" in step) return this.#named<Read<ReadContext, unknown, Value>>(step.read).run(this.#context, step.args);
    if ("open" in step) {
      const { pieces } = this.#named<PieceRead<ReadContext, unknown>>(step.pieces);
      this.#open.set(step.open, pieces(this.#context, step.args)[Symbol.asyncIterator]());
      return null;
    }
    if ("next" in step) return this.#next(step.next);
    const ended = this.#open.get(step.end);
    this.#open.delete(step.end);
    await ended?.return?.();
    return null;
  }

  /** Returns a read. Who asks for it has the same value, so that its kind and arguments are known. */
  #named<Kind>(name: string): Kind {
    const read = this.#reads.get(name);
    if (read === undefined) throw new TypeError(`there is no read ${name}`);
    return read as Kind;
  }

  async #next(id: number): Promise<Uint8Array | null> {
    const iterator = this.#open.get(id);
    if (iterator === undefined) throw new Error("the pieces have ended");
    const parts: Uint8Array[] = [];
    for (let bytes = 0; bytes < PIECE_BYTES; ) {
      const next = await iterator.next();
      if (next.done === true) break;
      parts.push(next.value);
      bytes += next.value.length;
    }
    if (parts.length === 0) this.#open.delete(id);
    return parts.length === 0 ? null : Buffer.concat(parts);
  }
}
