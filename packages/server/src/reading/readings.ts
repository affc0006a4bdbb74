/** Reads that may take longer than a few milliseconds, as the routes ask for them, and the way to have them where the database is in memory. */
import {
  PIECE_READS,
  type PieceReads,
  READS,
  type ReadArguments,
  type ReadContext,
  type ReadResults,
} from "./reads.ts";

/** Told how many milliseconds a thread has worked for a read, also where that came to nothing. */
export type Used = (milliseconds: number) => void;

export interface Readings {
  /** Reads one value. `asker`: whose reads take turns with those of others. Throws ServiceError. */
  read<Name extends keyof ReadArguments>(
    asker: string,
    name: Name,
    args: ReadArguments[Name],
    used?: Used,
  ): Promise<ReadResults[Name]>;
  /** Makes text in pieces, as fast as they are taken. Throws ServiceError. */
  pieces<Name extends keyof PieceReads>(asker: string, name: Name, args: PieceReads[Name]): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Reads on the thread that asks: a database in memory is open nowhere else. */
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
