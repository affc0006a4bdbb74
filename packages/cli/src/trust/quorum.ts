/**
 * The value of `--quorum`, and the file of a tlog-policy (protocol section 16, `quorum`). Core decides whether a text
 * is one.
 */
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";

/** The longest tlog-policy, in bytes: its caps on definitions leave room for less. */
const MAX_QUORUM_BYTES = 8 * 1024 ** 2;

/**
 * Resolves to a count of witnesses, 1 to 999,999,999, or the text of the named file. Digits are a count; a file with
 * such a name is given as ./3.
 */
export async function readQuorum(given: string): Promise<number | string> {
  if (!/^[0-9]+$/.test(given)) return readTlogPolicy(given);
  if (/^[1-9][0-9]{0,8}$/.test(given)) return Number(given);
  throw new Refusal(
    EXIT.usage,
    `--quorum: "${given}" is no number of witnesses.`,
    "Give a whole number from 1 on, or the path of a tlog-policy.",
  );
}

/** Resolves to the text of a file. Refuses a file that cannot be read (66). */
export async function readTlogPolicy(path: string): Promise<string> {
  // A byte-order mark belongs to the first line, which is malformed then.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readInput(path, MAX_QUORUM_BYTES));
}
