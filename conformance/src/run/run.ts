/**
 * Holds a program to cases: several processes at once take the cases in small parts of a fixed size, so that the result
 * does not depend on how many there are.
 */
import type { Case } from "../cases/case.ts";
import { EXIT, Refusal } from "../exit.ts";
import { type Judgement, judge } from "../judge/judge.ts";
import { Conversation, type Talk } from "../program/conversation.ts";
import { type Ask, askOf, type Reply } from "../program/reply.ts";
import { type Handshake, handshakeOf } from "./hello.ts";
import { Patience } from "./patience.ts";

/** A POSIX shell's words for a program that it does not find, or cannot run. */
const NOT_STARTED = /^ended with exit code 12[67]$/;
/** So many cases a process takes at a time. */
const PART = 32;

export interface HowToRun extends Talk {
  /** So many processes at once. */
  readonly jobs: number;
  /** Compare what core's tables word as well. */
  readonly words: boolean;
}

export interface Judgements {
  readonly handshake: Handshake;
  /** In the order of the cases. */
  readonly judgements: readonly Judgement[];
  /** The fault of a process's end, as a predicate, or null. */
  readonly end: string | null;
}

/** Asks `hello`, then all cases, and judges each when it is answered. `greeted` hears of the handshake before that. */
export async function run(
  cases: readonly Case[],
  how: HowToRun,
  greeted: (handshake: Handshake) => void,
): Promise<Judgements> {
  let hello: Reply = { fault: "was not asked", hung: false };
  const first = new Conversation(how);
  await first.ask([
    askOf(
      0,
      { op: "hello" },
      () => 0,
      (reply) => {
        hello = reply;
      },
    ),
  ]);
  if ("fault" in hello && NOT_STARTED.test(hello.fault))
    throw new Refusal(EXIT.usage, `the shell cannot start ${how.command}: it ${hello.fault}`);
  const handshake = handshakeOf(hello);
  greeted(handshake);

  const found: (Judgement | undefined)[] = [];
  const ops = new Set(handshake.implementation?.ops);
  const patience = new PatienceInOrder(cases, found);
  const asks = cases.map((one, index) =>
    askOf(
      index + 1,
      one.request,
      () => JSON.stringify(one.answer).length,
      (reply) => {
        found[index] = judge(one, reply, how.words, ops);
      },
      () => patience.isOver(one.request.op),
    ),
  );
  const parts = inParts(asks);
  const talkOn = async (conversation: Conversation) => {
    for (const part of parts) await conversation.ask(part);
    return conversation.close();
  };
  const others = Array.from({ length: how.jobs - 1 }, () => new Conversation(how));
  const ends = await Promise.all([first, ...others].map(talkOn));

  const inTheEnd = new Patience();
  return {
    handshake: handshakeOf(hello),
    judgements: cases.map(({ request }, index) => inTheEnd.take(request.op, found[index])),
    end: ends.find((end) => end !== null) ?? null,
  };
}

function* inParts(asks: readonly Ask[]): Generator<readonly Ask[]> {
  for (let start = 0; start < asks.length; start += PART) yield asks.slice(start, start + PART);
}

/** The patience so far: of the cases from the first on, up to one that is not settled yet. */
class PatienceInOrder {
  readonly #patience = new Patience();
  readonly #cases: readonly Case[];
  readonly #found: readonly (Judgement | undefined)[];
  #next = 0;

  constructor(cases: readonly Case[], found: readonly (Judgement | undefined)[]) {
    this.#cases = cases;
    this.#found = found;
  }

  isOver(op: string): boolean {
    for (; this.#next < this.#cases.length; this.#next++) {
      const { op: own } = this.#cases[this.#next]?.request ?? { op: "" };
      const judgement = this.#found[this.#next];
      if (judgement === undefined && !this.#patience.isOver(own)) break;
      this.#patience.take(own, judgement);
    }
    return this.#patience.isOver(op);
  }
}
