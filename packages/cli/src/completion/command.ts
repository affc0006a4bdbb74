/** `svc completion`: a script that lets a shell complete the commands, options, choices and file names of `svc`. */
import { Argument, Command } from "commander";
import { printLines } from "../output.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { type TypedCommand, typedCommands } from "./tree.ts";
import { zshCompletion } from "./zsh.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Returns the command. It makes the script from the tree of commands that it belongs to. */
export function completionCommand(): Command {
  return new Command("completion")
    .description("Print a script that completes svc's commands in your shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", "\nExamples:\n  source <(svc completion bash)\n  svc completion fish > svc.fish")
    .action((shell: keyof typeof SCRIPTS, _options: unknown, command: Command) => {
      const script: (commands: readonly TypedCommand[]) => string = SCRIPTS[shell];
      printLines([script(typedCommands(command.parent ?? command)).trimEnd()]);
    });
}
