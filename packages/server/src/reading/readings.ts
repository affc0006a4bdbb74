/** Reads that may take longer than a few milliseconds, as the routes ask for them, and the way to have them where the database is in memory. */
import { PIECE_READS, type PieceReads, type ReadGround, TEXT_READS, type TextReads } from "./reads.ts";

/** A text, and how many milliseconds it took a thread to make it. */
export interface ReadText {
  readonly text: string;
  readonly ms: number;
}

export interface Readings {
  /** Makes a text. `asker`: whose reads take turns with those of others. Throws ServiceError. */
  text<Name extends keyof TextReads>(asker: string, name: Name, args: TextReads[Name]): Promise<ReadText>;
  /** Makes text in pieces, as fast as they are taken. Throws ServiceError. */
  pieces<Name extends keyof PieceReads>(asker: string, name: Name, args: PieceReads[Name]): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The answer of a route that is read beside the thread that answers; its asker is charged for the time that it took. */
export async function readBeside(reading: Promise<ReadText>, used: (milliseconds: number) => void) {
  const { text, ms } = await reading;
  used(ms);
  return { text };
}

/** Reads on the thread that asks: a database in memory is open nowhere else. */
export class ReadingsHere implements Readings {
  readonly #ground: ReadGround;

  constructor(ground: ReadGround) {
    this.#ground = ground;
  }

  async text<Name extends keyof TextReads>(_asker: string, name: Name, args: TextReads[Name]): Promise<ReadText> {
    const startedAt = performance.now();
    const text = await TEXT_READS[name](this.#ground, args);
    return { text, ms: performance.now() - startedAt };
  }

  pieces<Name extends keyof PieceReads>(_asker: string, name: Name, args: PieceReads[Name]): AsyncIterable<Uint8Array> {
    return PIECE_READS[name](this.#ground, args);
  }

  async close(): Promise<void> {}
}
