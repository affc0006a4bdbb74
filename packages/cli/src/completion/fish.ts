/** Completion for fish. */
import type { TypedCommand, TypedOption, Value } from "./tree.ts";

/** Returns the script, to be sourced, or put into ~/.config/fish/completions as `svc.fish`. */
export function fishCompletion(commands: readonly TypedCommand[]): string {
  const paths = commands.filter(({ path }) => path.includes(" ")).map(({ path }) => quoted(path));
  return `# fish completion of svc. To use it: svc completion fish | source
function __svc_at
    set -l at svc
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" ${paths.join(" ")}
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c svc -f
${commands.flatMap(commandLines).join("\n")}
`;
}

function commandLines({ path, children, options, argument }: TypedCommand): string[] {
  const line = (rest: string) => `complete -c svc -n ${quoted(`__svc_at '${path}'`)} ${rest}`;
  return [
    ...children.map(({ name, description }) => line(`-a ${name} -d ${quoted(description)}`)),
    ...(argument === "none" || argument === "text" ? [] : [line(proposal(argument))]),
    ...options.map((option) => line(optionWords(option))),
  ];
}

function optionWords({ flags, description, value }: TypedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  // Without -x fish proposes files beside the choices.
  const takes =
    value === "none" ? "" : ` ${value === "text" ? "-x" : `${value === "file" ? "-r" : "-x"} ${proposal(value)}`}`;
  return `${names.join(" ")}${takes} -d ${quoted(description)}`;
}

function proposal(value: Value): string {
  return typeof value === "string" ? "-F" : `-a ${quoted(value.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
