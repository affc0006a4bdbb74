/** Compares bytes that come in pieces with the expected lines, without holding either whole. */
import { encodeInto } from "../../encoding/utf8.ts";

/** A comparison that goes on piece by piece. */
export interface LineComparison {
  /** Takes the next bytes. */
  readonly take: (piece: Uint8Array) => void;
  /** Returns the number of the first line that differs or is missing, from 1; null without one. Call it last. */
  readonly difference: () => number | null;
}

/** Begins a comparison with lines, each of which ends as it does in the bytes. */
export function compareLines(lines: Iterable<string>): LineComparison {
  const expected = lines[Symbol.iterator]();
  let line: Uint8Array = new Uint8Array();
  let at = 0;
  let number = 0;
  let differs = false;
  /** Behind the last line stands an empty one, which no byte matches. */
  const next = () => {
    line = encodeInto(expected.next().value ?? "", line);
    at = 0;
    number++;
  };
  return {
    take(piece) {
      for (let from = 0; from < piece.length && !differs; ) {
        if (at === line.length) next();
        // On local names: a table is as long as all payloads. Behind the piece nothing is equal.
        const own = line;
        let to = at;
        for (; to < own.length && own[to] === piece[from]; from++) to++;
        at = to;
        differs = to === 0 || (to < own.length && from < piece.length);
      }
    },
    difference() {
      if (!differs && at === line.length) {
        next();
        if (line.length === 0) return null;
      }
      return number;
    },
  };
}
