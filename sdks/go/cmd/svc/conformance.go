package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"svc.example/go/internal/conformance"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
	"svc.example/go/wasmkernel"
)

// conformanceCommand answers the requests of docs/conformance.md on standard input.
func conformanceCommand(words []string) int {
	flags := flag.NewFlagSet("svc conformance", flag.ContinueOnError)
	name := flags.String("kernel", "go", "`go` or wasm")
	if flags.Parse(words) != nil || flags.NArg() > 0 {
		return exitUsage
	}
	chosen, err := kernelCalled(*name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "svc:", err)
		if errors.Is(err, errNoKernel) {
			return exitUsage
		}
		return exitSoftware
	}
	server := conformance.Server{Implementation: "svc.example/go", Version: report.Version, Kernel: chosen}
	switch err := server.Serve(os.Stdin, os.Stdout); {
	case err == nil:
		return 0
	case errors.Is(err, conformance.ErrInput):
		fmt.Fprintln(os.Stderr, "svc:", err)
		return exitNoInput
	default:
		fmt.Fprintln(os.Stderr, "svc:", err)
		return exitSoftware
	}
}

var errNoKernel = errors.New("--kernel is go or wasm")

func kernelCalled(name string) (kernel.Kernel, error) {
	switch name {
	case "go":
		return kernel.Native, nil
	case "wasm":
		return wasmkernel.New(context.Background())
	default:
		return nil, errNoKernel
	}
}
