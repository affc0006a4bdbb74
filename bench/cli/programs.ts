/** The processes that `bench cli` compares, each timed from outside: from before its start until its end. */
import { spawn } from "node:child_process";
import { type Contender, WrongAnswer } from "../measure.ts";

/** Returns a call of Node that does `amount` units of work. It must exit with 0, and its output must match `answer`. */
export function processOf(args: readonly string[], amount = 1, answer = /^/): Contender {
  return {
    amount,
    async lap() {
      const start = performance.now();
      const { stdout, code } = await run(args);
      const ms = performance.now() - start;
      if (code !== 0 || !answer.test(stdout))
        throw new WrongAnswer(`${args.join(" ")}: ${code}, ${stdout.slice(-500)}`);
      return ms;
    },
  };
}

function run(args: readonly string[]): Promise<{ stdout: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.on("error", reject).on("close", (code) => resolve({ stdout, code }));
  });
}
