/** The processes that `bench cli` compares, each timed from outside: from before it is started until it has ended. */
import { spawn } from "node:child_process";
import { type Contender, WrongAnswer } from "../measure.ts";

/** A call of Node, which does `amount` units of work. It must end with 0, and print what fits `answer`. */
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
