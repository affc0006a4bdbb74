package cmdline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Parse reads the words behind the name of the program. The error is an [*Error] or a [*NoCommand].
func (c *Command) Parse(words []string) (*Call, error) {
	call := &Call{Path: []*Command{c}, values: map[string][]string{}}
	for {
		p := &parser{call: call, command: call.Command()}
		next, err := p.read(words)
		if err != nil || next == nil {
			return call, err
		}
		// Options before a command are those of the commands above it; none of them is one of the command's own.
		call.values = map[string][]string{}
		call.Path = append(call.Path, next)
		words = p.left
		if next.IsElsewhere {
			call.Rest = words
			return call, nil
		}
	}
}

// A parser reads the words of one command.
type parser struct {
	call     *Call
	command  *Command
	operands []string
	// unknown are the words from the first one on that looks like an option and is not one of this command.
	unknown []string
	// left are the words of the command behind.
	left []string
}

// negativeNumber matches words that begin with a dash and are no options.
var negativeNumber = regexp.MustCompile(`^-(\d+|\d*\.\d+)(e[+-]?\d+)?$`)

func (p *parser) fail(format string, values ...any) error {
	return &Error{slices.Clone(p.call.Path), fmt.Sprintf(format, values...)}
}

// read returns the command behind this one; nil where this one runs.
func (p *parser) read(words []string) (*Command, error) {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if word == "--" {
			p.put(words...)
			break
		}
		isOption := len(word) > 1 && word[0] == '-'
		if isOption {
			isRead, err := p.readOption(word, &words)
			if err != nil {
				return nil, err
			}
			if isRead {
				continue
			}
		}
		if len(p.operands)+len(p.unknown) == 0 {
			if next := p.command.Find(word); next != nil {
				p.left = words
				return next, nil
			}
		}
		if isOption && !(len(p.command.Commands) == 0 && negativeNumber.MatchString(word)) {
			p.unknown = append(p.unknown, word)
		} else {
			p.put(word)
		}
	}
	return nil, p.finish()
}

// put adds words to the unknown ones once there are any: their command may be another one.
func (p *parser) put(words ...string) {
	if len(p.unknown) > 0 {
		p.unknown = append(p.unknown, words...)
	} else {
		p.operands = append(p.operands, words...)
	}
}

// readOption reads an option of the command with its value, and says whether the word is one.
func (p *parser) readOption(word string, words *[]string) (bool, error) {
	if found := p.command.option(word); found != nil {
		if found.Value == "" {
			p.call.values[found.Name] = []string{""}
			return true, nil
		}
		if len(*words) == 0 {
			return true, p.fail("option '%s' argument missing", found.term())
		}
		value := (*words)[0]
		*words = (*words)[1:]
		return true, p.set(found, value)
	}
	name, value, hasValue := strings.Cut(word, "=")
	if found := p.command.option(name); hasValue && found != nil && found.Value != "" {
		return true, p.set(found, value)
	}
	return false, nil
}

func (p *parser) set(o *Option, value string) error {
	if o.Refuse != nil {
		if err := o.Refuse(value); err != nil {
			return err
		}
	}
	reason := ""
	switch {
	case o.Refuse == nil && o.Choices != nil && !slices.Contains(o.Choices, value):
		reason = "Allowed choices are " + strings.Join(o.Choices, ", ") + "."
	case o.Check != nil && o.Check(value) != nil:
		reason = o.Check(value).Error()
	case p.call.Has(o.Name) && !o.IsRepeatable && !o.IsLastTaken && o.Choices == nil:
		reason = "It is given twice."
	}
	if reason != "" {
		return p.fail("option '%s' argument '%s' is invalid. %s", o.term(), value, reason)
	}
	if !o.IsRepeatable {
		p.call.values[o.Name] = nil
	}
	p.call.values[o.Name] = append(p.call.values[o.Name], value)
	return nil
}

// finish says whether the words that were read make a call.
func (p *parser) finish() error {
	c := p.command
	isGroup := c.Run == nil
	if isGroup && len(p.operands)+len(p.unknown) == 0 {
		return &NoCommand{slices.Clone(p.call.Path)}
	}
	if slices.Contains(p.unknown, "--help") {
		p.call.WantsHelp = true
		return nil
	}
	for _, one := range c.Options {
		if one.IsRequired && !p.call.Has(one.Name) {
			return p.fail("required option '%s' not specified", one.term())
		}
	}
	if err := p.conflicts(); err != nil {
		return err
	}
	if isGroup && len(p.operands) > 0 {
		return p.fail("unknown command '%s'%s", p.operands[0], similar(p.operands[0], c.names()))
	}
	if len(p.unknown) > 0 {
		return p.fail("unknown option '%s'%s", p.unknown[0], similarOption(p.unknown[0], c.words()))
	}
	return p.takeOperands()
}

func (p *parser) conflicts() error {
	for _, one := range p.command.Options {
		for _, other := range one.Conflicts {
			if p.call.Has(one.Name) && p.call.Has(other) {
				return p.fail("option '%s' cannot be used with option '%s'", one.term(), p.command.option("--"+other).term())
			}
		}
	}
	return nil
}

func (p *parser) takeOperands() error {
	c := p.command
	most, isVariadic := len(c.Operands), false
	for i, one := range c.Operands {
		if one.IsRequired && i >= len(p.operands) {
			return p.fail("missing required argument '%s'", one.Name)
		}
		isVariadic = isVariadic || one.IsVariadic
	}
	if have := len(p.operands); have > most && !isVariadic {
		plural := "s"
		if most == 1 {
			plural = ""
		}
		return p.fail("too many arguments for '%s'. Expected %d argument%s but got %d.", c.Name, most, plural, have)
	}
	for i, one := range c.Operands {
		if i < len(p.operands) && one.Choices != nil && !slices.Contains(one.Choices, p.operands[i]) {
			return p.fail("command-argument value '%s' is invalid for argument '%s'. Allowed choices are %s.",
				p.operands[i], one.Name, strings.Join(one.Choices, ", "))
		}
	}
	p.call.Operands = p.operands
	return nil
}
