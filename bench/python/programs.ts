/** The processes that `bench python` compares, each timed by the system: its processor time and its peak memory. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { environment, FOLDER, pythons, saysMissing } from "@svc/testkit/python";
import { type Contender, WrongAnswer } from "../measure.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PLAIN = join(HERE, "../yardsticks/plain-verify.py");

/** A contender, and what its laps took. */
export interface Program extends Contender {
  readonly laps: Timed[];
}

/** The end of a process. */
export interface Timed {
  readonly code: number;
  readonly out: string;
  readonly processor_ms: number;
  readonly wall_ms: number;
  readonly peak_mib: number;
}

/** Resolves to the newest Python, in an environment with what the yardstick needs. */
export async function benchPythonCommand(): Promise<string> {
  const [command] = await pythons();
  if (command === undefined) throw new TypeError(saysMissing());
  return environment(command, join(HERE, "requirements.lock"));
}

/** Returns the words of the yardstick over a file. */
export function plainCall(file: string, keyHex: string): string[] {
  return [PLAIN, file, keyHex];
}

/** Returns the words of a program of this folder. */
export function ownCall(name: string, ...words: string[]): string[] {
  return [join(HERE, name), ...words];
}

/** Returns a call of Python as contender. It must exit with `code`, and its output must match `answer`. */
export function processOf(python: string, words: readonly string[], amount: number, answer = /^/, code = 0): Program {
  const laps: Timed[] = [];
  return {
    amount,
    laps,
    async lap() {
      const timed = await run(python, words);
      if (timed.code !== code || !answer.test(timed.out))
        throw new WrongAnswer(`${words.join(" ")}: ${timed.code}, ${timed.out.slice(-500)}`);
      laps.push(timed);
      return timed.processor_ms;
    },
  };
}

async function run(python: string, words: readonly string[]): Promise<Timed> {
  // As an installed package, the SDK has its bytecode beside it: the first lap writes it, and the others find it.
  const { PYTHONDONTWRITEBYTECODE: _, ...others } = process.env;
  const env = { ...others, PYTHONPATH: join(FOLDER, "src"), PYTHONPYCACHEPREFIX: join(FOLDER, ".venv/bytecode") };
  const call = [join(HERE, "timed.py"), python, ...words];
  const { stdout } = await promisify(execFile)(python, call, { env, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout) as Timed;
}
