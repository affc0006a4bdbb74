/**
 * Reads that may take longer than a few milliseconds, as the routes request them, and their implementation for a
 * database in memory.
 */
import {
  PIECE_READS,
  type PieceReads,
  READS,
  type ReadArguments,
  type ReadContext,
  type ReadResults,
} from "./reads.ts";

/** Called with the milliseconds that a thread has worked for a read, also if the read failed. */
export type Used = (milliseconds: number) => void;

/** A way to read evidence. */
export interface Readings {
  /**
   * Resolves to one value. `asker`: the owner of the read, which takes turns with other owners. Rejects with
   * ServiceError.
   */
  read<Name extends keyof ReadArguments>(
    asker: string,
    name: Name,
    args: ReadArguments[Name],
    used?: Used,
  ): Promise<ReadResults[Name]>;
  /** Yields a text in pieces, as fast as they are taken. Throws ServiceError. */
  pieces<Name extends keyof PieceReads>(asker: string, name: Name, args: PieceReads[Name]): AsyncIterable<Uint8Array>;
  /** Ends the reads. */
  close(): Promise<void>;
}

/** Reads on the calling thread: a database in memory is open nowhere else. */
export class ReadingsHere implements Readings {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async read<Name extends keyof ReadArguments>(
    _asker: string,
    name: Name,
    args: ReadArguments[Name],
    used?: Used,
  ): Promise<ReadResults[Name]> {
    const startedAt = performance.now();
    try {
      return await READS[name](this.#context, args);
    } finally {
      used?.(performance.now() - startedAt);
    }
  }

  pieces<Name extends keyof PieceReads>(_asker: string, name: Name, args: PieceReads[Name]): AsyncIterable<Uint8Array> {
    return PIECE_READS[name](this.#context, args);
  }

  async close(): Promise<void> {}
}
