package main

import (
	"errors"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/report"
)

// The exit codes of protocol section 16: the three verdicts, then the reasons why there is no verdict.
const (
	exitVerified  = 0
	exitRejected  = 1
	exitUntrusted = 2
	exitUsage     = 64
	exitInput     = 66
	exitInternal  = 70
)

var exitOf = map[report.Verdict]int{
	report.Verified: exitVerified, report.Rejected: exitRejected, report.Untrusted: exitUntrusted,
}

// A refusal ends a command without a verdict: one sentence says what was wrong and where, the other the next step. Both
// are escaped when they are printed, so they may hold text from files and arguments.
type refusal struct {
	code            int
	message, action string
	// outcome is what a file is in place of evidence; empty for any other refusal, and for a file that cannot be read.
	outcome string
	// isAboutReport says that the file of --report itself is what cannot be written.
	isAboutReport bool
}

// The outcomes of a file without a verdict.
const (
	unreadable = "unreadable"
	noEvidence = "no evidence"
	notChecked = "not checked"
)

func (r *refusal) Error() string { return r.message }

func refuse(code int, message, action string) *refusal {
	return &refusal{code: code, message: message, action: action}
}

// An exit ends a command with a code and without words.
type exit int

func (exit) Error() string { return "exit" }

// refusalOf returns what is said of an error.
func refusalOf(err error) *refusal {
	var refused *refusal
	var wrongCall *cmdline.Error
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &wrongCall):
		return refuse(exitUsage, wrongCall.Message, wrongCall.Hint())
	default:
		return refuse(exitInternal, "Internal error: "+err.Error(), "There is no verdict. Please report this, with the file if you may share it.")
	}
}

// refuse says on standard error why there is no verdict, and in the file of --report if the call names one. It returns
// the exit code. A nil error is a call that did what it should.
func (s *system) refuse(err error, command *cmdline.Command, words []string) int {
	var code exit
	if err == nil {
		return exitVerified
	} else if errors.As(err, &code) {
		return int(code)
	}
	refused := refusalOf(err)
	message := refused.message
	if refused.outcome != "" {
		message = strings.ToUpper(refused.outcome) + ": " + message
	}
	s.out.fault(message, refused.action)
	if command == nil || refused.isAboutReport {
		return refused.code
	}
	if err := writeRefusedReport(refused, command, words); err != nil {
		return s.refuse(err, command, words)
	}
	return refused.code
}
