package completion

import (
	"fmt"
	"strings"
)

// bash is for bash 3.2 and later.
func bash(commands []command) string {
	var steps, values, words strings.Builder
	for _, one := range withChildren(commands) {
		for _, child := range one.children {
			fmt.Fprintf(&steps, "      \"%[1]s %[2]s\") path=\"%[1]s %[2]s\" ;;\n", one.path, child.name)
		}
	}
	for _, one := range commands {
		for _, option := range one.options {
			if option.value.kind != none {
				fmt.Fprintf(&values, "    \"%s %s\") %s return ;;\n", one.path, option.name, bashProposal(option.value))
			}
		}
		files := ""
		if one.operand.kind == file {
			files = ` [[ "$current" == -* ]] || { ` + bashProposal(one.operand) + " };"
		}
		fmt.Fprintf(&words, "    \"%s\") words=$'%s';%s ;;\n", one.path, strings.Join(bashWords(one), `\n`), files)
	}
	return `# bash completion of svc. To use it: source <(svc completion bash)
_svc() {
  local IFS=$'\n' current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" path=svc at words=""
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$path ${COMP_WORDS[at]}" in
` + steps.String() + `    esac
  done
  case "$path $previous" in
` + values.String() + `  esac
  case "$path" in
` + words.String() + `  esac
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}
complete -F _svc svc
`
}

func bashWords(c command) []string {
	var words []string
	words = append(words, c.operand.words...)
	for _, one := range c.children {
		words = append(words, one.name)
	}
	for _, one := range c.options {
		words = append(words, one.name)
	}
	return words
}

// bashProposal returns the code that proposes a value. It quotes a file's name as needed.
func bashProposal(v value) string {
	switch v.kind {
	case file:
		return `compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -f -- "$current"));`
	case choice:
		return `COMPREPLY=($(compgen -W $'` + strings.Join(v.words, `\n`) + `' -- "$current"));`
	default:
		return "COMPREPLY=();"
	}
}
