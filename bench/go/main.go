// Command bench does what `bench go` measures, one work a process:
//
//	bench verify FILE PUBLIC_KEY_HEX WORKERS     one file
//	bench folder FOLDER PUBLIC_KEY_HEX WORKERS   all files of a folder
//	bench signatures batches|loop|alone|one      by this SDK in batches, by crypto/ed25519, by this SDK one by one
//	bench parse ours|plain FILE                  strictly, with canonical bytes; by encoding/json into any
//	bench queue TASK                             events through an append queue
//	bench run PROGRAM ARGUMENT...                another program, and what it took
//
// It prints one JSON object.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"svc.example/go"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("no work")
	}
	work, words := words[0], append(words[1:], "", "", "")
	switch work {
	case "verify", "folder":
		workers, err := strconv.Atoi(words[2])
		if err != nil {
			return err
		}
		trust, err := svc.PinKeys(words[1])
		if err != nil {
			return err
		}
		options := svc.Options{Trust: trust, Workers: workers}
		if work == "folder" {
			return folder(words[0], options)
		}
		return verify(words[0], options)
	case "signatures":
		return signatures(words[0])
	case "parse":
		return parse(words[0], words[1])
	case "queue":
		return queueing(words[0])
	case "run":
		return program(words[:len(words)-3])
	}
	return fmt.Errorf("no work is called %q", work)
}

func say(what any) error { return json.NewEncoder(os.Stdout).Encode(what) }
