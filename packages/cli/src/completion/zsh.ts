/** Completion for zsh. */
import type { TypedCommand, Value } from "./tree.ts";

/** Returns the script, to be sourced, or put into a folder of $fpath as `_svc`. */
export function zshCompletion(commands: readonly TypedCommand[]): string {
  const withChildren = commands.filter(({ children }) => children.length > 0);
  return `#compdef svc
# zsh completion of svc. To use it: source <(svc completion zsh)
_svc() {
  local svc_path=svc previous="\${words[CURRENT-1]}" word
  local -a described
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$svc_path $word" in
${withChildren.flatMap(({ path, children }) => children.map(({ name }) => `      "${path} ${name}") svc_path="${path} ${name}" ;;`)).join("\n")}
    esac
  done
  case "$svc_path $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$svc_path" in
${commands.map(wordsCase).join("\n")}
  esac
  _describe 'svc' described
}
if [[ "$funcstack[1]" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}

function valueCases({ path, options }: TypedCommand): string[] {
  return options
    .filter(({ value }) => value !== "none")
    .map(({ flags, value }) => {
      const patterns = flags.map((flag) => `"${path} ${flag}"`).join(" | ");
      return `    ${patterns}) ${proposal(value)}return ;;`;
    });
}

function proposal(value: Value): string {
  if (value === "file") return "_files; ";
  return typeof value === "string" ? "" : `compadd -- ${value.map(quoted).join(" ")}; `;
}

function wordsCase({ path, children, options, argument }: TypedCommand): string {
  const words = [
    ...children.map(({ name, description }) => described(name, description)),
    ...options.flatMap(({ flags, description }) => flags.map((flag) => described(flag, description))),
  ];
  return `    "${path}") ${proposal(argument)}described=(${words.join(" ")}) ;;`;
}

/** zsh separates a word from its meaning by a colon. */
function described(word: string, description: string): string {
  return quoted(`${word}:${description.replaceAll(":", "\\:")}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
