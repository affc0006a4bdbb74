/** Asking a person at a terminal for a yes. */
import process from "node:process";

/** Puts a question on stderr and reads one line; anything but y or yes is a no, the end of input too. */
export async function confirm(question: string): Promise<boolean> {
  process.stderr.write(`${question} [y/N] `);
  const answer = await new Promise<string>((resolve) => {
    process.stdin.setEncoding("utf8");
    process.stdin.once("data", (text) => resolve(`${text}`));
    process.stdin.once("end", () => resolve(""));
  });
  process.stdin.pause();
  return /^y(es)?$/i.test(answer.trim());
}
