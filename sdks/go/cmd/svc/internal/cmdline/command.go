// Package cmdline reads the words of a call, and writes the help about it, with the rules and the words of the npm svc:
// options stand anywhere behind their command, a value is behind its option or behind an equals sign, and words
// behind -- are never options.
package cmdline

import "strings"

// A Command is one word of a call, with the options or the commands behind it.
type Command struct {
	Name  string
	About string
	// Operands are the words behind it that are no options.
	Operands []Operand
	Options  []Option
	// Commands are those behind it. One that has a Run takes operands as well.
	Commands []*Command
	// After holds the paragraphs of its help behind the options.
	After []string
	// IsElsewhere says that only the npm svc has the command: its words are not read, and Run refuses the call.
	IsElsewhere bool
	Run         func(*Call) error
}

// An Operand is a word of a call that is no option.
type Operand struct {
	Name, About string
	IsRequired  bool
	// IsVariadic says that the operand takes all words that are left.
	IsVariadic bool
	// Choices are all values; nil where there is no such list.
	Choices []string
	// Known are words that shells propose. Others are not refused, and the help does not list them: they are too many.
	Known []string
}

// An Option is a word that begins with two dashes.
type Option struct {
	// Name is the option without its dashes.
	Name string
	// Value stands for the value in the help, as <path>; empty for an option without one.
	Value string
	About string
	// Choices are all values; nil where there is no such list.
	Choices []string
	// Default is said in the help; the command applies it.
	Default string
	// IsRepeatable says that the option may be given several times.
	IsRepeatable bool
	// Conflicts are the options beside which this one cannot stand.
	Conflicts []string
	// Check returns what is wrong with a value, as a sentence; nil where any value will do.
	Check func(value string) error
	// Refuse returns the error of a value that ends the call as it stands; then Choices are only said and proposed.
	Refuse func(value string) error
	// IsLastTaken says that of several values the last one counts.
	IsLastTaken bool
	// IsRequired says that no call goes without the option.
	IsRequired bool
}

// term returns the option with its value, as the help shows it.
func (o *Option) term() string {
	if o.Value == "" {
		return "--" + o.Name
	}
	return "--" + o.Name + " " + o.Value
}

// help is an option of each command.
var help = Option{Name: "help", About: "print this help"}

// Find returns the command of a name behind this one, or nil.
func (c *Command) Find(name string) *Command {
	for _, one := range c.Commands {
		if one.Name == name {
			return one
		}
	}
	return nil
}

// option returns the option that a word names; nil if it names none.
func (c *Command) option(word string) *Option {
	name, isOption := strings.CutPrefix(word, "--")
	if !isOption {
		return nil
	}
	for i := range c.Options {
		if c.Options[i].Name == name {
			return &c.Options[i]
		}
	}
	return nil
}

// AllOptions returns the options of a command, and last the one of each command.
func (c *Command) AllOptions() []Option {
	return append(c.Options[:len(c.Options):len(c.Options)], help)
}

// A Fault says what is wrong with a value, as a sentence: [Option.Check] returns it.
type Fault string

func (f Fault) Error() string { return string(f) }

// HasOption says whether the command has an option of a name.
func (c *Command) HasOption(name string) bool { return c.option("--"+name) != nil }
