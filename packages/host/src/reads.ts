/**
 * Reads: what takes longer to read than a few milliseconds, so that a thread beside the one that answers requests does
 * it. A read has a name and plain arguments, and its result is plain too. The caller must have checked the permission.
 */

/** A read with one result. */
export interface Read<Context, Arguments, Result> {
  /** Its name among all reads of a program. */
  readonly name: string;
  /** Resolves to text or plain values. Rejects with ServiceError. */
  readonly run: (context: Context, args: Arguments) => Promise<Result>;
}

/** A read that yields a text in pieces. */
export interface PieceRead<Context, Arguments> {
  readonly name: string;
  /** Yields the pieces, as fast as they are taken. Throws ServiceError. */
  readonly pieces: (context: Context, args: Arguments) => AsyncIterable<Uint8Array>;
}

/** Any read, as a list of reads has it: who calls one knows its arguments. */
export type AnyRead<Context> = Read<Context, never, unknown> | PieceRead<Context, never>;

/** Called with the milliseconds that a thread has worked for a read, also if the read failed. */
export type Used = (milliseconds: number) => void;

/** The way to reads, as the routes use it. */
export interface Readings<Context> {
  /**
   * Resolves to one result. `asker`: the owner of the read, which takes turns with other owners. Rejects with
   * ServiceError.
   */
  read<Arguments, Result>(
    asker: string,
    read: Read<Context, Arguments, Result>,
    args: Arguments,
    used?: Used,
  ): Promise<Result>;
  /** Yields a text in pieces, as fast as they are taken. Throws ServiceError. */
  pieces<Arguments>(asker: string, read: PieceRead<Context, Arguments>, args: Arguments): AsyncIterable<Uint8Array>;
  /** Ends the reads. */
  close(): Promise<void>;
}

/** Reads on the calling thread: for a database that is open nowhere else. */
export class ReadingsHere<Context> implements Readings<Context> {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async read<Arguments, Result>(
    _asker: string,
    { run }: Read<Context, Arguments, Result>,
    args: Arguments,
    used?: Used,
  ): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await run(this.#context, args);
    } finally {
      used?.(performance.now() - startedAt);
    }
  }

  pieces<Arguments>(
    _asker: string,
    { pieces }: PieceRead<Context, Arguments>,
    args: Arguments,
  ): AsyncIterable<Uint8Array> {
    return pieces(this.#context, args);
  }

  async close(): Promise<void> {}
}
