/**
 * The conversation with one program at a time. It starts the program again whenever something went wrong, and finds the
 * one request that is to blame: requests that were in flight together are asked again one at a time.
 */
import type { Line } from "./lines.ts";
import { Program } from "./program.ts";
import { type Ask, parseAnswer } from "./reply.ts";
import { REPEATED, type RoundEnd, type RoundFault, round } from "./round.ts";

/** The program to talk to. */
export interface Talk {
  /** For the shell. */
  readonly command: string;
  /** An answer may take so long. */
  readonly seconds: number;
  /** Hears what a program that ended with a fault wrote last to its standard error. */
  readonly lastWords: (text: string) => void;
}

type Fault = RoundFault;
/** A request together with the fault that it is to blame for. */
interface Blame {
  readonly ask: Ask;
  readonly fault: Fault;
}

export class Conversation {
  readonly #talk: Talk;
  #program: Program | null = null;
  /** The requests that the running process has answered, by id. */
  #done = new Map<number, Ask>();
  /** The last of them. */
  #previous: Ask | null = null;

  constructor(talk: Talk) {
    this.#talk = talk;
  }

  /** Asks all, and resolves when each is settled or over. Ids are unique over the life of the conversation. */
  async ask(asks: readonly Ask[]): Promise<void> {
    for (let rest = wanted(asks); rest.length > 0; rest = wanted(rest)) {
      const { answered, sent, fault } = await this.#round(rest);
      const inFlight = rest.slice(answered, sent);
      rest = rest.slice(answered);
      if (fault === null) continue;
      const previous = this.#previous;
      await this.#restart();
      if (fault.isNamed) continue;
      const settled = await this.#findBlame(inFlight, previous, fault);
      rest = rest.filter((ask) => !settled.has(ask));
    }
  }

  /**
   * Ends the program's input, and waits until it ends. Resolves to a predicate that says what was wrong with its end;
   * null if nothing was.
   */
  async close(): Promise<string | null> {
    const program = this.#program;
    if (program === null) return null;
    this.#program = null;
    const reason = await this.#endOf(program);
    if (!program.isGone) await program.end("");
    if (reason === "ended with exit code 0") return null;
    this.#talk.lastWords(program.lastWords);
    return reason;
  }

  #endOf(program: Program): Promise<string> {
    const { seconds } = this.#talk;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => resolve(`did not end within ${seconds} seconds after its input`), seconds * 1000);
      const finish = (reason: string) => {
        clearTimeout(giveUp);
        resolve(reason);
      };
      const line = ({ bytes }: Line) => {
        const answer = bytes === null ? "" : parseAnswer(bytes);
        const before = typeof answer === "string" ? undefined : this.#done.get(answer.id as number);
        if (before === undefined) finish("wrote a line for which nobody asked, after its last answer");
        else before.settle(REPEATED);
      };
      program.listen({ line, gone: finish });
      program.endInput();
    });
  }

  /** Resolves to the requests that it settled, among which is the one to blame. */
  async #findBlame(inFlight: readonly Ask[], previous: Ask | null, fault: Fault): Promise<ReadonlySet<Ask>> {
    const settled = new Set<Ask>();
    const [first] = inFlight;
    const isAlone = inFlight.length === 1 && (previous === null || fault.hung);
    let blame: Blame | null = isAlone && first !== undefined ? { ask: first, fault } : null;
    if (blame === null) blame = await this.#blameAmong(inFlight, settled);
    if (blame === null && previous !== null && first !== undefined) blame = await this.#blameBefore(previous, first);
    const again = { ...fault, text: `${fault.text}; asked again alone, it answered` };
    blame ??= first === undefined ? null : { ask: first, fault: again };
    if (blame !== null) {
      settled.add(blame.ask);
      blame.ask.settle({ fault: blame.fault.text, hung: blame.fault.hung });
    }
    return settled;
  }

  /** Asks one at a time, settles those with an answer, and resolves to the first that has none even so. */
  async #blameAmong(asks: readonly Ask[], settled: Set<Ask>): Promise<Blame | null> {
    for (const ask of asks) {
      const previous = this.#previous;
      let { fault } = await this.#round([ask]);
      if (fault !== null && previous !== null && !fault.hung) {
        await this.#restart();
        const first = fault;
        ({ fault } = await this.#round([ask]));
        // It answers as the first of a process: the one before it left the process in disorder.
        if (fault === null) return { ask: previous, fault: behind(first) };
      }
      if (fault !== null) {
        await this.#restart();
        return { ask, fault };
      }
      settled.add(ask);
    }
    return null;
  }

  /** Finds out whether the answer before is what made a process fail at the next request. */
  async #blameBefore(previous: Ask, next: Ask): Promise<Blame | null> {
    await this.#restart();
    const { fault } = await this.#round([previous, next]);
    if (fault === null) return null;
    await this.#restart();
    return { ask: previous, fault: behind(fault) };
  }

  async #round(asks: readonly Ask[]): Promise<RoundEnd> {
    this.#program ??= new Program(this.#talk.command);
    const end = await round(this.#program, asks, this.#done, this.#talk.seconds);
    this.#previous = asks[end.answered - 1] ?? this.#previous;
    return end;
  }

  /** Ends the process that did something wrong; the next request starts another one. */
  async #restart(): Promise<void> {
    const program = this.#program;
    this.#program = null;
    this.#previous = null;
    this.#done = new Map();
    if (program === null) return;
    await program.end("was ended");
    this.#talk.lastWords(program.lastWords);
  }
}

function wanted(asks: readonly Ask[]): readonly Ask[] {
  return asks.filter((ask) => !ask.isOver());
}

function behind(fault: Fault): Fault {
  return { ...fault, text: `${fault.text}, right behind its answer` };
}
