/**
 * `svc explain NAME`, answered without commander and the commands: to load those takes longer than to answer. Any call
 * that it does not know goes to the whole program, which says what is wrong with it.
 */
import type { Answer } from "../formats/formatter.ts";
import { JSON_LINES } from "../formats/json.ts";
import { TEXT } from "../formats/text.ts";
import { printLines } from "../output.ts";
import { isPlanted } from "../planted-options.ts";
import { explanationOf, listOfCodes } from "./answer.ts";

/** Prints the answer and returns true if the words are `explain`, a known name or none, and perhaps `--json` last. */
export function answersExplain(args: readonly string[]): boolean {
  const [command, ...words] = args;
  const isJson = words.at(-1) === "--json";
  const names = isJson ? words.slice(0, -1) : words;
  if (command !== "explain" || names.length > 1 || (isJson && isPlanted("--json"))) return false;
  const answer: Answer | null = names[0] === undefined ? listOfCodes() : explanationOf(names[0]);
  if (answer === null) return false;
  printLines((isJson ? JSON_LINES : TEXT).answer(answer));
  return true;
}
