package main

import (
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
)

// verifyCommand verifies named files of any kind: one file gives a report, many give a table. Options behind file and
// truth-package belong to these subcommands.
func (s *system) verifyCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:  "verify",
		About: "Verify files of any kind on this machine alone; no connection is opened.",
		Operands: []cmdline.Operand{{
			Name: "anything", IsRequired: true, IsVariadic: true,
			About: "files, folders (all *.json, *.zip, *.tlog-proof in them), patterns; - for standard input",
		}},
		Options: verifyOptions(),
		Commands: []*cmdline.Command{
			s.fileCommand(fileCheck{
				name: "file", kind: "portable-receipt",
				about:   "Verify a portable receipt on this machine alone; no connection is opened.",
				example: "svc verify file loan-1005.portable.json --trust acme.trust.json",
			}),
			s.verifyPackageCommand(),
			only("page"),
		},
		After: []string{
			"\nOne file gives its report; anything else a table with a line for each file.",
			"What else is in a folder is named in the last line.",
			"With several files, --json and --report hold a line for each file.",
			"\nExample:\n  svc verify *.bundle.json --trust acme.trust.json",
			"\nExit codes: 0 verified, 1 rejected, 2 untrusted, 64 wrong call, 66 a file that",
			"cannot be read or is no evidence at all, or a --report that cannot be written,",
			"70 an error of svc itself. Of many files: 1 before 66 before 2.",
			"A fork under your trust ends with 1 too: two files that show it, or one that",
			"is evidence of it. (svc forks verify says whether such evidence holds: 0.)",
			verifyingTrustHelp,
		},
		Run: func(call *cmdline.Call) error {
			if len(call.Operands) == 1 && isOneFile(call.Operands[0]) {
				return s.verifyFile(call, fileCheck{}, call.Operands[0])
			}
			return s.verifyMany(call)
		},
	}
}

// fileAsPath returns the words of a call of svc verify. A file with the name of one of its subcommands is written as a
// path if it is the only one; beside others a pattern of the shell may have put it there, and no file may be left out
// in silence.
func fileAsPath(verify *cmdline.Command, words []string) ([]string, error) {
	places := operandsOf(verify, words)
	if len(places) == 0 {
		return words, nil
	}
	name := words[places[0]]
	hasFile := slices.ContainsFunc(words, func(word string) bool { return word == "--file" || strings.HasPrefix(word, "--file=") })
	if verify.Find(name) == nil || hasFile || !exists(name) {
		return words, nil
	}
	if len(places) > 1 {
		return nil, refuse(exitUsage,
			`"`+name+`" is a command of svc verify, and a file in this folder is called so too.`,
			"Write ./"+name+" for the file; for the command, give its file with --file.")
	}
	meant := slices.Clone(words)
	meant[places[0]] = "./" + name
	return meant, nil
}

// operandsOf returns the indexes of the words that are neither options nor their values.
func operandsOf(command *cmdline.Command, words []string) (places []int) {
	end := slices.Index(words, "--")
	for at := 0; at < len(words); at++ {
		word := words[at]
		if at == end {
			continue
		}
		if (end < 0 || at < end) && len(word) > 1 && word[0] == '-' {
			if slices.ContainsFunc(command.Options, func(o cmdline.Option) bool { return "--"+o.Name == word && o.Value != "" }) {
				at++
			}
		} else {
			places = append(places, at)
		}
	}
	return places
}
