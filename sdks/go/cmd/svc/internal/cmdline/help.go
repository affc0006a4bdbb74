package cmdline

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// helpColumns is the width of the help.
	helpColumns = 80
	// leastColumns is the width below which a text is not wrapped.
	leastColumns = 40
)

// Help returns the help of the last command of a path.
func Help(path []*Command) string {
	c := path[len(path)-1]
	var out strings.Builder
	out.WriteString("Usage: " + nameOf(path) + " [options]" + c.usage() + "\n\n")
	out.WriteString(wrap(c.About, helpColumns) + "\n")
	lists := c.lists()
	width := 0
	for _, one := range lists {
		for _, line := range one.lines {
			width = max(width, utf8.RuneCountInString(line[0]))
		}
	}
	for _, one := range lists {
		if len(one.lines) == 0 {
			continue
		}
		out.WriteString("\n" + one.title + "\n")
		for _, line := range one.lines {
			text := strings.ReplaceAll(wrap(line[1], helpColumns-width-4), "\n", "\n"+strings.Repeat(" ", width+4))
			out.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s  %s", width, line[0], text), " ") + "\n")
		}
	}
	for _, text := range c.After {
		out.WriteString(text + "\n")
	}
	return out.String()
}

// A list is a part of the help: terms with their texts.
type list struct {
	title string
	lines [][2]string
}

func (c *Command) lists() []list {
	arguments, options, commands := list{title: "Arguments:"}, list{title: "Options:"}, list{title: "Commands:"}
	for _, one := range c.Operands {
		arguments.lines = append(arguments.lines, [2]string{one.Name, about(one.About, one.Choices, "")})
	}
	for _, one := range c.AllOptions() {
		options.lines = append(options.lines, [2]string{one.term(), about(one.About, one.Choices, one.Default)})
	}
	for _, one := range c.Commands {
		if one.IsElsewhere {
			continue
		}
		term := one.Name
		if len(one.Options) > 0 {
			term += " [options]"
		}
		commands.lines = append(commands.lines, [2]string{term + one.operands(), strings.TrimPrefix(one.About, one.Name+": ")})
	}
	return []list{arguments, options, commands}
}

func (c *Command) usage() string {
	if len(c.Commands) > 0 {
		return " [command]" + c.operands()
	}
	return c.operands()
}

// operands returns what stands for the operands in the help, each behind a blank.
func (c *Command) operands() (text string) {
	for _, one := range c.Operands {
		name := one.Name
		if one.IsVariadic {
			name += "..."
		}
		if one.IsRequired {
			text += " <" + name + ">"
		} else {
			text += " [" + name + "]"
		}
	}
	return text
}

// about returns what the help says of an option or operand.
func about(text string, choices []string, preset string) string {
	var more []string
	if choices != nil {
		more = append(more, `choices: "`+strings.Join(choices, `", "`)+`"`)
	}
	if preset != "" {
		more = append(more, `default: "`+preset+`"`)
	}
	if len(more) == 0 {
		return text
	}
	return text + " (" + strings.Join(more, ", ") + ")"
}

// wrap breaks a text at blanks into lines of so many characters.
func wrap(text string, columns int) string {
	if columns < leastColumns {
		return text
	}
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) <= columns {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return strings.Join(lines, "\n")
}
