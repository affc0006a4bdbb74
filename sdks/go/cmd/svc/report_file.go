package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/trustfile"
)

// writeReport writes a value as one line of JSON in the place of a file that may be there: whole or not at all.
func writeReport(path string, value any) error {
	line, err := jsonLine(value)
	if err != nil {
		return err
	}
	return writeReportLines(path, []string{line})
}

// writeReportLines writes lines of JSON in the same way.
func writeReportLines(path string, lines []string) error {
	var text strings.Builder
	for _, one := range lines {
		text.WriteString(one + "\n")
	}
	err := replaceFile(path, []byte(text.String()))
	if err == nil {
		return nil
	}
	refused := cannotWrite(path, err)
	return &refusal{code: exitInput, message: "--report: " + refused.message, action: refused.action, isAboutReport: true}
}

// requireOtherFile refuses a report that would be written over a file that the call reads: evidence is never
// overwritten.
func requireOtherFile(reportFile string, inputs [][2]string) error {
	if reportFile == "" {
		return nil
	}
	if reportFile == "-" {
		return refuse(exitUsage, "--report goes to a file, not to standard output.", "Use --json.")
	}
	for _, one := range inputs {
		if one[1] != "" && isSameFile(reportFile, one[1]) {
			return &refusal{
				code: exitUsage, message: "--report names a file that this call reads, and would write over it.",
				action: "Give it another name.", isAboutReport: true,
			}
		}
	}
	return nil
}

// isSameFile says whether two paths lead to one file: by links, symbolic and hard, and other ways to write a path. For
// files that are not there, the paths count.
func isSameFile(a, b string) bool {
	left, leftErr := os.Stat(a)
	right, rightErr := os.Stat(b)
	if leftErr == nil && rightErr == nil {
		return os.SameFile(left, right)
	}
	if leftErr == nil || rightErr == nil {
		return false
	}
	leftPath, leftErr := filepath.Abs(a)
	rightPath, rightErr := filepath.Abs(b)
	return leftErr == nil && rightErr == nil && leftPath == rightPath
}

// A refusedRun is the content of the file of --report where there is no verdict.
type refusedRun struct {
	Error    string `json:"error"`
	ExitCode int    `json:"exit_code"`
	Action   string `json:"action"`
}

// writeRefusedReport writes into the file of --report why there is no verdict, if the call names one. The words of the
// call may not have been read to their end.
func writeRefusedReport(refused *refusal, command *cmdline.Command, words []string) error {
	path, others := reportOfWords(command, words)
	if path == "" || path == "-" {
		return nil
	}
	// Any word may name a file that the call reads, or a folder or a pattern of them. If nothing is at the path, nothing
	// is written over.
	if exists(path) {
		others = append(others, filesMeant(others)...)
	}
	var inputs [][2]string
	for _, one := range others {
		inputs = append(inputs, [2]string{"", one})
	}
	if place, ok := trustfile.PlaceOf("", false, os.Getenv); ok {
		inputs = append(inputs, [2]string{"", place.Path})
	}
	if err := requireOtherFile(path, inputs); err != nil {
		return err
	}
	return writeReport(path, refusedRun{refused.message, refused.code, refused.action})
}

// reportOfWords returns the path of --report, and all other words that may be paths.
func reportOfWords(command *cmdline.Command, words []string) (path string, others []string) {
	if !command.HasOption("report") {
		return "", nil
	}
	var reports []string
	for at := 0; at < len(words); at++ {
		word := words[at]
		// Behind it every word is a name.
		if word == "--" {
			others = append(others, words[at+1:]...)
			break
		}
		name, value, isJoined := strings.Cut(word, "=")
		isOption := strings.HasPrefix(word, "--")
		if !isOption || !isJoined {
			name, value = word, word
			takesValue := isOption && slices.ContainsFunc(command.Options, func(o cmdline.Option) bool { return "--"+o.Name == word && o.Value != "" })
			if takesValue {
				if at++; at == len(words) {
					break
				}
				value = words[at]
			}
		}
		if name == "--report" {
			reports = append(reports, value)
		} else {
			others = append(others, value)
		}
	}
	if len(reports) == 0 {
		return "", nil
	}
	return reports[0], others
}
