/** Asks a person at a terminal for a yes. */
import process from "node:process";

/** Writes a question to stderr and reads one line. Only y or yes is a yes; the end of input is a no. */
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
