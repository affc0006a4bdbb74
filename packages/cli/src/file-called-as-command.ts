/**
 * Files with the name of a command. `svc page` gets a hint what to type. `svc verify page` means the file if it is the
 * only one; beside others a pattern of the shell may have put it there, and no file may be left out in silence.
 */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { shellWord } from "./evidence-file/shell-word.ts";
import { EXIT, Refusal } from "./exit.ts";

/** Refuses a call whose first word is a file and none of the commands (64). */
export function refuseFileAsCommand(first: string, commands: () => readonly string[]): void {
  if (first.startsWith("-") || !existsSync(first) || commands().includes(first)) return;
  throw new Refusal(EXIT.usage, `"${first}" is a file, not a command.`, `To check it: svc verify ${shellWord(first)}`);
}

/** Returns the words behind `svc verify`. A file with the name of one of its subcommands is written as a path. */
export function fileAsPath(verify: Command, words: readonly string[]): string[] {
  const places = operandsOf(verify, words);
  const place = places[0] ?? -1;
  const name = words[place] ?? "";
  const isCommand = verify.commands.some((command) => command.name() === name);
  const hasFile = words.some((word) => /^--file(=|$)/.test(word));
  if (!isCommand || hasFile || !existsSync(name)) return [...words];
  if (places.length > 1)
    throw new Refusal(
      EXIT.usage,
      `"${name}" is a command of svc verify, and a file in this folder is called so too.`,
      `Write ./${name} for the file; for the command, give its file with --file.`,
    );
  return words.map((word, at) => (at === place ? `./${name}` : word));
}

/** Returns the indexes of the words that are neither options nor their values. */
function operandsOf({ options }: Command, words: readonly string[]): number[] {
  const places: number[] = [];
  const end = words.indexOf("--");
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (at === end) continue;
    if ((end < 0 || at < end) && /^-./s.test(word)) {
      if (options.some(({ long, required }) => long === word && required)) at++;
    } else places.push(at);
  }
  return places;
}
