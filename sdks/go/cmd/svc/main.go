// The command svc verifies evidence without a network.
package main

import (
	"fmt"
	"os"
)

// Exit codes, those of sysexits.h.
const (
	exitUsage    = 64
	exitNoInput  = 66
	exitSoftware = 70
)

// commands by name. Each gets the words behind its name, and returns an exit code.
var commands = map[string]func(words []string) int{
	"conformance": conformanceCommand,
}

func main() {
	if len(os.Args) > 1 {
		if command, known := commands[os.Args[1]]; known {
			os.Exit(command(os.Args[2:]))
		}
	}
	fmt.Fprintln(os.Stderr, "usage: svc conformance [--kernel go|wasm]")
	os.Exit(exitUsage)
}
