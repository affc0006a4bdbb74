/**
 * `--mutants`: sends seeded mutants of cases to two programs, most of them of verify cases, compares whole outcomes,
 * and writes each new sort of difference as a small case. The other program's answer is in it as the right one,
 * which a person has to confirm.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../call.ts";
import type { Case } from "../cases/case.ts";
import { escapeText } from "../escape.ts";
import { EXIT, type ExitCode, Refusal } from "../exit.ts";
import { type Difference, fault, sortOf } from "../judge/difference.ts";
import { differencesOf } from "../judge/differences.ts";
import { comparable } from "../judge/judge.ts";
import { Conversation } from "../program/conversation.ts";
import { askOf, type Reply } from "../program/reply.ts";
import { checkWritable, writeReport } from "../reports/files.ts";
import { caseAnswerOf } from "./case-answer.ts";
import { changedMembers } from "./changed-members.ts";
import { bytesOf, mutate, type Request } from "./mutate.ts";
import { type Random, randomOfMutant } from "./random.ts";
import { shrink } from "./shrink.ts";

/** So many mutants are on their way at once. */
const PART = 32;
/** So many sorts of difference are made small and written; more of them are counted. */
const MAX_WRITTEN = 20;
/** A case is made smaller in so many steps. */
const MAX_STEPS = 20_000;
/** One of so many mutants is not of a verify case. */
const ONE_OF = 8;
/** An operation with fewer cases is the fault that its case is about. */
const MIN_CASES = 10;

/** Searches, and resolves to the exit code. Throws Refusal if there is nothing to change or nobody to ask. */
export async function searchDifferences(
  cases: readonly Case[],
  call: Pick<Call, "command" | "seconds" | "words">,
  { count, seed, against, write }: NonNullable<Call["mutants"]>,
  lastWords: (text: string) => void,
): Promise<ExitCode> {
  const evidence = cases.filter(({ request }) => request.op === "verify" && bytesOf(request).length > 0);
  if (evidence.length === 0) throw new Refusal(EXIT.usage, "none of the chosen cases is one of `verify`");
  makeFolder(write);
  const pair = new Pair(call, against, lastWords);
  const both = await pair.greet();
  const others = [...Map.groupBy(cases, ({ request }) => `${request.op}`)].flatMap(([op, own]) =>
    op !== "verify" && both.includes(op) && own.length >= MIN_CASES ? [own] : [],
  );
  const sorts = new Map<string, number>();
  let differing = 0;
  for (let start = 0; start < count; start += PART) {
    const mutants = Array.from({ length: Math.min(PART, count - start) }, (_, offset) => {
      const random = randomOfMutant(seed, start + offset);
      const isOther = others.length > 0 && random.below(ONE_OF) === 0;
      const base = random.pick(isOther ? random.pick(others) : evidence);
      const changes = 1 + random.below(3);
      let request = base.request;
      for (let change = 0; change < changes; change++)
        request = isOther ? changedOther(request, others, random) : mutate(request, random);
      return { base, request, number: start + offset };
    });
    const replies = await pair.ask(mutants.map(({ request }) => request));
    for (const [index, { base, request, number }] of mutants.entries()) {
      const differences = pair.differences(replies[index]);
      if (differences.length === 0) continue;
      differing++;
      const sort = sortOf(differences);
      sorts.set(sort, (sorts.get(sort) ?? 0) + 1);
      if (sorts.get(sort) !== 1 || sorts.size > MAX_WRITTEN) continue;
      let steps = 0;
      const small = await shrink(request, async (one) => {
        if (++steps > MAX_STEPS) return false;
        const [reply] = await pair.ask([one]);
        return sortOf(pair.differences(reply)) === sort;
      });
      const [reply] = await pair.ask([small]);
      const name = `${base.level}/mutants/s${seed}-${number}`;
      report(name, base, small, pair.differences(reply));
      writeCase(write, { name, level: base.level, request: small }, reply?.against);
    }
  }
  await pair.close();
  console.log(`seed ${seed}: ${count} mutants, ${differing} differ, in ${sorts.size} ways`);
  return differing === 0 ? EXIT.passed : EXIT.failed;
}

/** Returns a changed copy of a request of another operation than `verify`. */
function changedOther(request: Request, others: readonly (readonly Case[])[], random: Random): Request {
  const changed = (bytes: string) => `${mutate({ op: "verify", bytes }, random).bytes}`;
  return changedMembers(request, random.pick(random.pick(others)).request, random, changed);
}

interface Replies {
  readonly own: Reply;
  readonly against: Reply;
}

/** Two programs that are asked the same. */
class Pair {
  readonly #own: Conversation;
  readonly #against: Conversation;
  readonly #words: boolean;
  #id = 0;

  constructor(call: Pick<Call, "command" | "seconds" | "words">, against: string, lastWords: (text: string) => void) {
    const { seconds } = call;
    this.#own = new Conversation({ command: call.command, seconds, lastWords });
    this.#against = new Conversation({ command: against, seconds, lastWords });
    this.#words = call.words;
  }

  /**
   * Resolves to the operations that both have; none if one of them does not tell. Throws Refusal if one of them does
   * not answer at all.
   */
  async greet(): Promise<readonly string[]> {
    const [hello] = await this.ask([{ op: "hello" }]);
    for (const [option, reply] of [
      ["--command", hello?.own],
      ["--against", hello?.against],
    ] as const)
      if (reply === undefined || "fault" in reply)
        throw new Refusal(EXIT.usage, `the program of ${option} ${reply?.fault}`);
    const [own, other] = [hello?.own, hello?.against].map((reply) => opsOf(reply));
    return (own ?? []).filter((op) => other?.includes(op));
  }

  async ask(requests: readonly Request[]): Promise<Replies[]> {
    const start = this.#id + 1;
    this.#id += requests.length;
    const [own, against] = await Promise.all([
      repliesOf(this.#own, requests, start),
      repliesOf(this.#against, requests, start),
    ]);
    return requests.map((_, index) => ({ own: own[index] ?? SILENT, against: against[index] ?? SILENT }));
  }

  /** Returns the differences of both replies. Two programs that fail in the same way do not differ. */
  differences(replies: Replies | undefined): Difference[] {
    const { own, against } = replies ?? { own: SILENT, against: SILENT };
    if ("fault" in own || "fault" in against) {
      const [given, wanted] = [own, against].map((one) => ("fault" in one ? one.fault : "an answer"));
      return given === wanted ? [] : [{ ...fault(`${given}`), wanted: escapeText(`${wanted}`) }];
    }
    return comparable(() => differencesOf(against.answer, own.answer, this.#words));
  }

  async close(): Promise<void> {
    await Promise.all([this.#own.close(), this.#against.close()]);
  }
}

function opsOf(reply: Reply | undefined): string[] {
  const ops = reply !== undefined && "answer" in reply ? reply.answer.ops : null;
  return Array.isArray(ops) ? ops.filter((op) => typeof op === "string") : [];
}

const SILENT: Reply = { fault: "gave no answer", hung: false };

async function repliesOf(conversation: Conversation, requests: readonly Request[], start: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  // Nobody knows the right answer's length: that of the request stands for it.
  await conversation.ask(
    requests.map((request, index) =>
      askOf(
        start + index,
        request,
        () => JSON.stringify(request).length,
        (reply) => {
          replies[index] = reply;
        },
      ),
    ),
  );
  return replies;
}

function report(name: string, base: Case, request: Request, differences: readonly Difference[]): void {
  console.log(`${name}, from ${base.name}, ${JSON.stringify(request).length} characters`);
  for (const { member, wanted, given } of differences.slice(0, 5))
    console.log(`  ${member || "the answer"}\n    --against: ${wanted}\n    --command: ${given}`);
}

function writeCase(folder: string, one: Omit<Case, "answer">, reply: Reply | undefined): void {
  const slug = one.name.split("/").at(-1);
  if (reply === undefined || "fault" in reply) {
    const file = join(folder, `${slug}.request.json`);
    writeReport(file, `${JSON.stringify(one.request)}\n`);
    console.log(`  ${file}: the request alone, since the program of --against has no answer`);
    return;
  }
  const file = join(folder, `${slug}.jsonl`);
  writeReport(file, `${JSON.stringify({ ...one, answer: caseAnswerOf(reply.answer) })}\n`);
  console.log(`  ${file}: with the answer of --against as the right one; look who is right before you keep it`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Refusal(EXIT.output, `${folder}: it cannot be made: ${(error as Error).message}`);
  }
  checkWritable(join(folder, ".written"));
}
