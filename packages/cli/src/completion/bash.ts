/** Completion for bash, 3.2 and later. */
import type { TypedCommand, Value } from "./tree.ts";

/** Returns the script. It holds the present commands, and starts no `svc` while a person types. */
export function bashCompletion(commands: readonly TypedCommand[]): string {
  const withChildren = commands.filter(({ children }) => children.length > 0);
  return `# bash completion of svc. To use it: source <(svc completion bash)
_svc() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path=svc at words=""
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$path \${COMP_WORDS[at]}" in
${withChildren.flatMap(({ path, children }) => children.map(({ name }) => `      "${path} ${name}") path="${path} ${name}" ;;`)).join("\n")}
    esac
  done
  case "$path $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$path" in
${commands.map(wordsCase).join("\n")}
  esac
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}
complete -F _svc svc
`;
}

function valueCases({ path, options }: TypedCommand): string[] {
  return options
    .filter(({ value }) => value !== "none")
    .map(({ flags, value }) => {
      const patterns = flags.map((flag) => `"${path} ${flag}"`).join(" | ");
      return `    ${patterns}) ${proposal(value)} return ;;`;
    });
}

/** Returns the bash code that proposes a value. It quotes a file's name as needed. */
function proposal(value: Value): string {
  if (value === "file") return 'compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -f -- "$current"));';
  if (typeof value === "string") return "COMPREPLY=();";
  return `COMPREPLY=($(compgen -W $'${value.join("\\n")}' -- "$current"));`;
}

function wordsCase({ path, children, options, argument }: TypedCommand): string {
  const words = [...children.map(({ name }) => name), ...options.flatMap(({ flags }) => flags)];
  const choices = typeof argument === "string" ? [] : argument;
  const files = argument === "file" ? ` [[ "$current" == -* ]] || { ${proposal("file")} };` : "";
  return `    "${path}") words=$'${[...choices, ...words].join("\\n")}';${files} ;;`;
}
