// The command svc verifies evidence without a network. It has the options, the words and the exit codes of the npm svc.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
)

func main() { os.Exit(run(os.Args[1:])) }

// run makes one call and returns its exit code. `words` are those behind the name of the program.
func run(words []string) int {
	keepOnBrokenPipe()
	out := newOutput(os.Stdout, os.Stderr)
	s := &system{in: os.Stdin, out: out}
	return out.end(s.guarded(words))
}

// guarded makes a call. A panic, which would end the program with the exit code of an untrusted file, is an error of
// svc itself.
func (s *system) guarded(words []string) (code int) {
	defer func() {
		if failure := recover(); failure != nil {
			code = s.refuse(fmt.Errorf("%v", failure), nil, words)
		}
	}()
	return s.call(words)
}

// A system is what a command reads and writes beside its files.
type system struct {
	in     *os.File
	out    *output
	memory collector
}

// call makes a call, says on standard error why there is no verdict, and returns the exit code.
func (s *system) call(words []string) int {
	if err := refusePlantedOptions(words); err != nil {
		return s.refuse(err, nil, words)
	}
	root := s.program()
	if len(words) > 0 && words[0] == "--version" {
		return s.refuse(s.printVersion(nil), nil, words)
	}
	if err := refuseFileAsCommand(root, words); err != nil {
		return s.refuse(err, nil, words)
	}
	meant := words
	if len(words) > 0 && words[0] == "verify" {
		rest, err := fileAsPath(root.Find("verify"), words[1:])
		if err != nil {
			return s.refuse(err, root.Find("verify"), words)
		}
		meant = append([]string{"verify"}, rest...)
	}
	call, err := root.Parse(meant)
	var none *cmdline.NoCommand
	switch {
	case errors.As(err, &none):
		s.out.errText(cmdline.Help(none.Path))
		return exitUsage
	case err != nil:
		return s.refuse(err, call.Command(), words)
	case call.WantsHelp:
		s.out.text(cmdline.Help(call.Path))
		return exitVerified
	case call.Command().IsElsewhere:
		return s.refuse(elsewhere(call), nil, words)
	}
	useOwnTrust(call)
	return s.refuse(call.Command().Run(call), call.Command(), words)
}

// elsewhere returns the refusal of a command that only the npm svc has.
func elsewhere(call *cmdline.Call) error {
	name := strings.TrimPrefix(call.Name(), "svc ")
	return refuse(exitUsage, "This svc, a single file, has no command "+name+"; the npm svc has it.",
		"Call it there: svc "+name+" of the npm package @svc/cli, which needs Node 20 or newer.")
}
