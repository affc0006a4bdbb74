/** Requests to a program, and how each ended: with an answer, or with the fault for which it has none. */
import { isObject, type JsonObject } from "../json.ts";
import { excerpt } from "./program.ts";

/** A request to a program. */
export interface Ask {
  /** The id that its answer must give back. */
  readonly id: number;
  /** Returns the request as JSON, without its newline. It is not kept: all requests together are many. */
  readonly line: () => string;
  /** An answer of more bytes is not read; never less than `LEAST_BOUND_BYTES`. */
  readonly mostBytes: number;
  /** Hears how it ended. It may hear a second time that an answer came with a fault, and no answer after a fault. */
  readonly settle: (reply: Reply) => void;
  /** Says whether it is to be left out by now. */
  readonly isOver: () => boolean;
}

/** The end of a request. `fault`: the predicate of a sentence about the program; `hung`: it waited to the end. */
export type Reply = { readonly answer: JsonObject } | { readonly fault: string; readonly hung: boolean };

/** An answer may be so much longer than the right one: wording, and characters that are escaped. */
export const LEAST_BOUND_BYTES = 8 * 1024 ** 2;
const TIMES_LONGER = 8;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns what to ask for a request without an id. `answerLength`: the characters of the right answer, or as many. */
export function askOf(
  id: number,
  request: JsonObject,
  answerLength: () => number,
  settle: Ask["settle"],
  isOver: Ask["isOver"] = () => false,
): Ask {
  let isFaulty = false;
  return {
    id,
    line: () => JSON.stringify({ id, ...request }),
    get mostBytes() {
      return LEAST_BOUND_BYTES + TIMES_LONGER * answerLength();
    },
    settle: (reply) => {
      if (isFaulty) return;
      isFaulty = "fault" in reply;
      settle(reply);
    },
    isOver,
  };
}

/** Returns the object of an answer's line, or the reason why it is invalid, as a predicate. */
export function parseAnswer(line: Uint8Array): JsonObject | string {
  let text: string;
  try {
    text = UTF8.decode(line);
  } catch {
    return `wrote a line that is not UTF-8: ${excerpt(line)}`;
  }
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : `wrote a line that is no JSON object: ${excerpt(line)}`;
  } catch {
    return `wrote a line that is not JSON: ${excerpt(line)}`;
  }
}
