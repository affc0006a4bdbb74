package cmdline

import "strings"

// A Call is what the words of one call say.
type Call struct {
	// Path leads from the program to the command that runs, both included.
	Path []*Command
	// Operands are the words that are no options, in order.
	Operands []string
	// WantsHelp says that the call asks for help and for nothing else.
	WantsHelp bool
	// Rest are the words behind a command that only the npm svc has.
	Rest   []string
	values map[string][]string
}

// Command returns the command that runs.
func (c *Call) Command() *Command { return c.Path[len(c.Path)-1] }

// Name returns the command as it is called, as svc bundles show.
func (c *Call) Name() string { return nameOf(c.Path) }

func nameOf(path []*Command) string {
	names := make([]string, len(path))
	for i, one := range path {
		names[i] = one.Name
	}
	return strings.Join(names, " ")
}

// Has says whether an option is given.
func (c *Call) Has(option string) bool { return len(c.values[option]) > 0 }

// Value returns the value of an option; empty if it is not given.
func (c *Call) Value(option string) string {
	if !c.Has(option) {
		return ""
	}
	return c.values[option][0]
}

// Values returns all values of a repeatable option.
func (c *Call) Values(option string) []string { return c.values[option] }

// Set gives an option the value that it has elsewhere, as from the environment.
func (c *Call) Set(option, value string) { c.values[option] = []string{value} }

// An Error says what is wrong with the words of a call.
type Error struct {
	// Path leads to the command whose help tells more.
	Path    []*Command
	Message string
}

func (e *Error) Error() string { return e.Message }

// Hint says where help is.
func (e *Error) Hint() string { return `"` + nameOf(e.Path) + ` --help" shows how it is called.` }

// A NoCommand asks for the help of a command that does nothing by itself: a wrong call.
type NoCommand struct{ Path []*Command }

func (e *NoCommand) Error() string { return "no command" }
