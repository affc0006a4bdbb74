/** `svc explain`: what a code or a check means, and what to do, from the tables in this program. */
import { shorten } from "@svc/report";
import { Command } from "commander";
import { KnownWord } from "../completion/known-word.ts";
import { EXIT, Refusal } from "../exit.ts";
import { FORMATTERS, type FormatFlags, formatOf, withFormats } from "../formats/list.ts";
import { printLines } from "../output.ts";
import { explanationOf, listOfCodes, NAMES } from "./answer.ts";
import { nearest } from "./nearest.ts";

/** So many names are proposed in place of a misspelt one. */
const PROPOSED = 3;

/** Returns the command. */
export function explainCommand(): Command {
  const command = new Command("explain")
    .description(
      "Explain a code of a report or of the service, a check, a verdict or a step of one; without one, list all.",
    )
    .addArgument(new KnownWord("[code]", "a code, or the name of a check, step or verdict", NAMES));
  return withFormats(command, "explanation")
    .addHelpText("after", "\nExamples:\n  svc explain range_incomplete\n  svc explain witnessed\n  svc explain")
    .action((name: string | undefined, flags: FormatFlags) => {
      const answer = name === undefined ? listOfCodes() : explanationOf(name);
      if (answer === null) throw unknown(name ?? "");
      printLines(FORMATTERS[formatOf(flags)].answer(answer));
    });
}

/** Returns the refusal of a name that is not explained. */
function unknown(name: string): Refusal {
  const [first, ...others] = nearest(name, NAMES, PROPOSED);
  return new Refusal(
    EXIT.usage,
    `"${shorten(name)}" is no code, no check, no step and no verdict.`,
    `Nearest are ${[first, ...others.slice(0, -1)].join(", ")} and ${others.at(-1)}. svc explain lists all.`,
  );
}
