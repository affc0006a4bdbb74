package completion

import (
	"fmt"
	"strings"
)

// zsh is to be sourced, or put into a folder of $fpath as _svc.
func zsh(commands []command) string {
	var steps, values, words strings.Builder
	for _, one := range withChildren(commands) {
		for _, child := range one.children {
			fmt.Fprintf(&steps, "      \"%[1]s %[2]s\") svc_path=\"%[1]s %[2]s\" ;;\n", one.path, child.name)
		}
	}
	for _, one := range commands {
		for _, option := range one.options {
			if option.value.kind != none {
				fmt.Fprintf(&values, "    \"%s %s\") %sreturn ;;\n", one.path, option.name, zshProposal(option.value))
			}
		}
		var described []string
		for _, child := range one.children {
			described = append(described, zshDescribed(child))
		}
		for _, option := range one.options {
			described = append(described, zshDescribed(option.word))
		}
		fmt.Fprintf(&words, "    \"%s\") %sdescribed=(%s) ;;\n", one.path, zshProposal(one.operand), strings.Join(described, " "))
	}
	return `#compdef svc
# zsh completion of svc. To use it: source <(svc completion zsh)
_svc() {
  local svc_path=svc previous="${words[CURRENT-1]}" word
  local -a described
  for word in "${(@)words[2,CURRENT-1]}"; do
    case "$svc_path $word" in
` + steps.String() + `    esac
  done
  case "$svc_path $previous" in
` + values.String() + `  esac
  case "$svc_path" in
` + words.String() + `  esac
  _describe 'svc' described
}
if [[ "$funcstack[1]" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`
}

func zshProposal(v value) string {
	switch v.kind {
	case file:
		return "_files; "
	case choice:
		quoted := make([]string, len(v.words))
		for i, one := range v.words {
			quoted[i] = zshQuoted(one)
		}
		return "compadd -- " + strings.Join(quoted, " ") + "; "
	default:
		return ""
	}
}

// zshDescribed returns a word with its meaning, which zsh separates by a colon.
func zshDescribed(w word) string {
	return zshQuoted(w.name + ":" + strings.ReplaceAll(w.about, ":", `\:`))
}

func zshQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
