/**
 * One round of questions to one process: requests go out within a window, answers must come back in the order of the
 * requests, and the first thing that goes wrong ends the round. Who is to blame for it, conversation.ts finds out.
 */
import { escapeText, shortened } from "../escape.ts";
import type { JsonObject } from "../json.ts";
import type { Line } from "./lines.ts";
import { MAX_ANSWER_BYTES, type Program } from "./program.ts";
import { type Ask, LEAST_BOUND_BYTES, parseAnswer, type Reply } from "./reply.ts";

/** So many requests may wait for their answers, */
const MAX_IN_FLIGHT = 32;
/** and so many of their characters, but for one alone. */
const MAX_WAITING_CHARACTERS = 1024 ** 2;
/** A program that repeats more answers than this says nothing else. */
const MAX_REPEATED = 1000;

/** The reply to a request that is answered again. */
export const REPEATED: Reply = { fault: "answered twice", hung: false };

/** The end of a round. */
export interface RoundEnd {
  /** How many requests were answered, from the first on. */
  readonly answered: number;
  /** How many were sent. */
  readonly sent: number;
  /** The fault that ended it; null if all are answered. */
  readonly fault: RoundFault | null;
}

/** A fault: the predicate of a sentence about the program. */
export interface RoundFault {
  readonly text: string;
  /** It waited for an answer to the end. */
  readonly hung: boolean;
  /** It is known already which request is to blame, and the report names it. */
  readonly isNamed: boolean;
}

/**
 * Asks, and resolves to the end. `done`: the requests that this process has answered, by id; this round adds its own.
 * `seconds`: how long an answer may take. The program still runs after a fault, unless it ended by itself.
 */
export function round(
  program: Program,
  asks: readonly Ask[],
  done: Map<number, Ask>,
  seconds: number,
): Promise<RoundEnd> {
  return new Promise((resolve) => {
    let [answered, sent, waiting, repeated] = [0, 0, 0, 0];
    let isOver = false;
    const finish = (text: string | null, hung = false, isNamed = false) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(patience);
      resolve({ answered, sent, fault: text === null ? null : { text, hung, isNamed } });
    };
    const giveUp = () => finish(`gave no answer for ${seconds} seconds${program.half}`, true);
    let patience = setTimeout(giveUp, seconds * 1000);
    /** The characters of the requests that were sent. */
    const lengths: number[] = [];
    let next: string | undefined;
    const sendMore = () => {
      for (let ask = asks[sent]; ask !== undefined; ask = asks[sent]) {
        const inFlight = sent - answered;
        if (inFlight >= MAX_IN_FLIGHT) return;
        next ??= `${ask.line()}\n`;
        if (inFlight > 0 && waiting + next.length > MAX_WAITING_CHARACTERS) return;
        sent++;
        lengths.push(next.length);
        waiting += next.length;
        program.send(next);
        next = undefined;
      }
    };
    const take = (ask: Ask, answer: JsonObject) => {
      waiting -= lengths[answered] ?? 0;
      answered++;
      done.set(ask.id, ask);
      program.answered();
      clearTimeout(patience);
      patience = setTimeout(giveUp, seconds * 1000);
      ask.settle({ answer });
      if (answered === asks.length) finish(null);
      else sendMore();
    };
    const line = ({ bytes, length }: Line) => {
      if (isOver) return;
      const ask = asks[answered] as Ask;
      if (bytes === null || (length > LEAST_BOUND_BYTES && length > ask.mostBytes))
        return finish(tooLong(length, ask.mostBytes));
      const answer = parseAnswer(bytes);
      if (typeof answer === "string") return finish(answer);
      if (answer.id === ask.id) return take(ask, answer);
      const before = typeof answer.id === "number" ? done.get(answer.id) : undefined;
      if (before !== undefined) {
        before.settle(REPEATED);
        if (++repeated > MAX_REPEATED) finish(`repeated more than ${MAX_REPEATED} answers`, false, true);
        return;
      }
      finish(wrongId(answer, asks.slice(answered + 1, sent)));
    };
    program.listen({ line, gone: (reason) => finish(reason) });
    sendMore();
  });
}

function tooLong(length: number, most: number): string {
  if (length > MAX_ANSWER_BYTES) return "wrote a line of more than 64 MiB";
  return `wrote a line of ${length} bytes, where ${most} are more than the right answer can need`;
}

function wrongId({ id }: JsonObject, others: readonly Ask[]): string {
  if (others.some((other) => other.id === id)) return "answered a later request first: answers come in order";
  if (id === undefined) return "wrote an answer without an id";
  const shown = typeof id === "object" ? "an object or array" : escapeText(shortened(JSON.stringify(id), 80));
  return `wrote an answer with an id that no request has: ${id === null ? null : shown}`;
}
