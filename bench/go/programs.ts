/** The programs that `bench go` compares, compiled here. It measures whole processes, or takes what one says itself. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { goProgram, missingGo } from "@svc/testkit/go";
import { type Contender, WrongAnswer } from "../measure.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = fileURLToPath(new URL(".", import.meta.url));
const PLAIN = join(ROOT, "bench/yardsticks/plain-verify-go");
const COMMAND = join(ROOT, "sdks/go/cmd/svc");

/** The programs, as paths. */
export interface Programs {
  /** The program in this folder. */
  readonly bench: string;
  /** A program that prints a line. */
  readonly hello: string;
  /** The yardstick. */
  readonly plain: string;
  /** The command `svc`, built as it is released. */
  readonly svc: string;
}

/** The time of a work, in milliseconds: of the processor, by all threads, or of the clock. */
export type Clock = "processor_ms" | "ms";

/** Compiles all, or throws TypeError with the reason why that cannot be done here. */
export async function buildPrograms(folder: string): Promise<Programs> {
  for (const sources of [SOURCES, PLAIN, COMMAND]) {
    const missing = await missingGo(sources);
    if (missing !== null) throw new TypeError(`bench go cannot run: ${missing}`);
  }
  return {
    bench: await goProgram(SOURCES, "bench"),
    hello: await goProgram(SOURCES, "hello"),
    plain: await built(PLAIN, join(folder, "plain")),
    svc: await built(COMMAND, join(folder, "svc")),
  };
}

async function built(sources: string, program: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: "-buildvcs=false", GOWORK: "off", CGO_ENABLED: "0" };
  const words = ["build", "-trimpath", "-ldflags", "-s -w", "-o", program, "."];
  await promisify(execFile)("go", words, { cwd: sources, env });
  return program;
}

/** A contender that is a process, and its greatest peak of memory so far. */
export interface Process extends Contender {
  readonly peakMib: () => number;
}

/** Returns a whole process as a contender; what it prints must match. */
export function processOf(
  { bench }: Programs,
  words: readonly string[],
  { amount = 1, answer = /^/, clock = "processor_ms" as Clock },
): Process {
  let peak = 0;
  return {
    amount,
    peakMib: () => peak,
    async lap() {
      const took = await said<Record<Clock, number> & { peak_mib: number; out: string }>(bench, ["run", ...words]);
      if (!answer.test(took.out)) throw new WrongAnswer(`${words.join(" ")}: ${took.out.slice(-500)}`);
      peak = Math.max(peak, took.peak_mib);
      return took[clock];
    },
  };
}

/** Returns a work that the program measures itself as a contender: `amount` is the member that counts its units. */
export async function workOf({ bench }: Programs, words: readonly string[], count: string): Promise<Contender> {
  const lap = () => said<Record<string, number>>(bench, words);
  const { [count]: amount = Number.NaN } = await lap();
  return { amount, lap: async () => (await lap()).processor_ms ?? Number.NaN };
}

/** Resolves to the JSON that a program prints. Throws WrongAnswer unless it ends well. */
export async function said<Answer>(program: string, words: readonly string[]): Promise<Answer> {
  try {
    const { stdout } = await promisify(execFile)(program, words);
    return JSON.parse(stdout) as Answer;
  } catch (error) {
    throw new WrongAnswer(`${words.join(" ")}: ${(error as { stderr?: string }).stderr ?? error}`);
  }
}
