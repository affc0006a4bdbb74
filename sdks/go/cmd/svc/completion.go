package main

import (
	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/completion"
)

func (s *system) completion() *cmdline.Command {
	var shells []string
	for _, one := range completion.Shells {
		shells = append(shells, one.Name)
	}
	return &cmdline.Command{
		Name: "completion", About: "Print a script that completes svc's commands in your shell.",
		Operands: []cmdline.Operand{{Name: "shell", About: "the shell", IsRequired: true, Choices: shells}},
		After:    []string{"\nExamples:\n  source <(svc completion bash)\n  svc completion fish > svc.fish"},
		Run: func(call *cmdline.Call) error {
			script, _ := completion.Script(call.Operands[0], call.Path[0])
			s.out.text(script)
			return nil
		},
	}
}

func (s *system) version() *cmdline.Command {
	return &cmdline.Command{Name: "version", About: "Print the version.", Run: s.printVersion}
}
