/** Reads that may take longer than a few milliseconds, as the routes ask for them, and the way to have them where the database is in memory. */
import { PIECE_READS, type PieceReads, type ReadGround, TEXT_READS, type TextReads } from "./reads.ts";

/** Told how many milliseconds a thread has worked for a read, also where that came to nothing. */
export type Used = (milliseconds: number) => void;

export interface Readings {
  /** Makes a text. `asker`: whose reads take turns with those of others. Throws ServiceError. */
  text<Name extends keyof TextReads>(asker: string, name: Name, args: TextReads[Name], used?: Used): Promise<string>;
  /** Makes text in pieces, as fast as they are taken. Throws ServiceError. */
  pieces<Name extends keyof PieceReads>(asker: string, name: Name, args: PieceReads[Name]): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Reads on the thread that asks: a database in memory is open nowhere else. */
export class ReadingsHere implements Readings {
  readonly #ground: ReadGround;

  constructor(ground: ReadGround) {
    this.#ground = ground;
  }

  async text<Name extends keyof TextReads>(
    _asker: string,
    name: Name,
    args: TextReads[Name],
    used?: Used,
  ): Promise<string> {
    const startedAt = performance.now();
    try {
      return await TEXT_READS[name](this.#ground, args);
    } finally {
      used?.(performance.now() - startedAt);
    }
  }

  pieces<Name extends keyof PieceReads>(_asker: string, name: Name, args: PieceReads[Name]): AsyncIterable<Uint8Array> {
    return PIECE_READS[name](this.#ground, args);
  }

  async close(): Promise<void> {}
}
