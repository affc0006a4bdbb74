package completion

import "strings"

// fish is to be sourced, or put into ~/.config/fish/completions as svc.fish.
func fish(commands []command) string {
	var paths, lines []string
	for _, one := range commands {
		if strings.Contains(one.path, " ") {
			paths = append(paths, fishQuoted(one.path))
		}
		lines = append(lines, fishLines(one)...)
	}
	return `# fish completion of svc. To use it: svc completion fish | source
function __svc_at
    set -l at svc
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" ` + strings.Join(paths, " ") + `
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c svc -f
` + strings.Join(lines, "\n") + "\n"
}

func fishLines(c command) (lines []string) {
	add := func(rest string) {
		lines = append(lines, "complete -c svc -n "+fishQuoted("__svc_at '"+c.path+"'")+" "+rest)
	}
	for _, child := range c.children {
		add("-a " + child.name + " -d " + fishQuoted(child.about))
	}
	if kind := c.operand.kind; kind == file || kind == choice {
		add(fishProposal(c.operand))
	}
	for _, one := range c.options {
		add("-l " + strings.TrimPrefix(one.name, "--") + fishValue(one.value) + " -d " + fishQuoted(one.about))
	}
	return lines
}

// fishValue says what an option takes. Without -x fish proposes files beside choices.
func fishValue(v value) string {
	switch v.kind {
	case none:
		return ""
	case file:
		return " -r " + fishProposal(v)
	case choice:
		return " -x " + fishProposal(v)
	default:
		return " -x"
	}
}

func fishProposal(v value) string {
	if v.kind == file {
		return "-F"
	}
	return "-a " + fishQuoted(strings.Join(v.words, " "))
}

func fishQuoted(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", `\'`) + "'"
}
