// Package completion writes scripts by which a shell completes the commands, options, choices and file names of svc.
// They hold the present commands, and start no svc while a person types.
package completion

import (
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
)

// Shells are the shells by name, in the order of the help.
var Shells = []struct {
	Name   string
	script func([]command) string
}{{"bash", bash}, {"zsh", zsh}, {"fish", fish}}

// Script returns the script of a shell; ok is false for one that is not known.
func Script(shell string, root *cmdline.Command) (script string, ok bool) {
	for _, one := range Shells {
		if one.Name == shell {
			return one.script(commandsOf(root, "")), true
		}
	}
	return "", false
}

// A command with everything that can follow it.
type command struct {
	// path is the words that lead to it, as svc trust add.
	path     string
	children []word
	options  []option
	operand  value
}

// A word has its meaning beside it.
type word struct{ name, about string }

type option struct {
	word
	value value
}

// A value is what follows an option, or stands as operand.
type value struct {
	kind valueKind
	// words are those of a choice.
	words []string
}

type valueKind int

const (
	none valueKind = iota
	file
	text
	choice
)

// commandsOf returns a command and every one below it.
func commandsOf(c *cmdline.Command, before string) []command {
	own := command{path: strings.TrimSpace(before + " " + c.Name)}
	for _, one := range c.AllOptions() {
		own.options = append(own.options, option{word{"--" + one.Name, summary(one.About)}, valueOf(one.Value, one.Choices)})
	}
	if len(c.Operands) > 0 {
		own.operand = valueOf(c.Operands[0].Name, slices.Concat(c.Operands[0].Choices, c.Operands[0].Known))
	}
	var below []command
	for _, one := range c.Commands {
		if one.IsElsewhere {
			continue
		}
		own.children = append(own.children, word{one.Name, summary(one.About)})
		below = append(below, commandsOf(one, own.path)...)
	}
	return append([]command{own}, below...)
}

func valueOf(name string, words []string) value {
	switch name = strings.Trim(name, "<>[]."); {
	case words != nil:
		return value{choice, words}
	case name == "":
		return value{}
	case name == "path" || name == "file" || name == "folder":
		return value{kind: file}
	default:
		return value{kind: text}
	}
}

// summary returns the first clause of a description: one short line.
func summary(about string) string {
	if at := strings.IndexAny(about, ":;(\n"); at >= 0 {
		about = about[:at]
	}
	return strings.TrimSuffix(strings.TrimSpace(about), ".")
}

// withChildren returns those of the commands that others are behind.
func withChildren(commands []command) (found []command) {
	for _, one := range commands {
		if len(one.children) > 0 {
			found = append(found, one)
		}
	}
	return found
}
