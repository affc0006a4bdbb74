package main

import (
	"context"
	"errors"
	"os"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/conformance"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
	"svc.example/go/wasmkernel"
)

func (s *system) conformanceCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:    "conformance",
		About:   "Answer conformance cases: one JSON object a line on standard input, one answer a line.",
		Options: []cmdline.Option{kernelOption()},
		After: []string{
			"\nExample:\n  echo '{\"id\":1,\"op\":\"merkle.root\",\"leaves\":[\"00\"]}' | svc conformance\n",
			"Exit codes: 0 end of input, 64 wrong call, 66 input that cannot be read,\n70 an error of svc itself. A bad case is an answer, never an exit.",
		},
		Run: s.conformance,
	}
}

// conformance answers the requests of docs/conformance.md on standard input.
func (s *system) conformance(call *cmdline.Call) error {
	chosen, err := kernelCalled(call.Value("kernel"))
	if err != nil {
		return err
	}
	server := conformance.Server{Implementation: "svc.example/go", Version: report.Version, Kernel: chosen}
	err = server.Serve(s.in, os.Stdout)
	if errors.Is(err, conformance.ErrInput) {
		return refuse(exitInput, err.Error(), "Give one JSON object a line on standard input.")
	}
	return err
}

// The kernels by the names of the npm svc: compiled code, and the one in the language of the program.
const (
	compiledKernel = "wasm"
	ownKernel      = "reference"
)

func kernelOption() cmdline.Option {
	return cmdline.Option{
		Name: "kernel", Value: "<name>", About: "what computes: compiled code, or plain Go, as without this option",
		Choices: []string{compiledKernel, ownKernel},
	}
}

func kernelName(k kernel.Kernel) string {
	if k == kernel.Native {
		return ownKernel
	}
	return k.Name()
}

// kernelCalled returns the kernel of a name; Go's own without one.
func kernelCalled(name string) (kernel.Kernel, error) {
	if name != compiledKernel {
		return kernel.Native, nil
	}
	k, err := wasmkernel.New(context.Background())
	if err != nil {
		return nil, refuse(exitInternal, "The compiled kernel cannot be had here: "+err.Error(), "Leave --kernel out, or give --kernel reference.")
	}
	return k, nil
}
