package main

import (
	"fmt"
	"reflect"
	"strings"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/render"
	"svc.example/go/report"
)

// A crossCheck compares the runs of two kernels over the same bytes (protocol section 16).
type crossCheck struct {
	Agree bool `json:"agree"`
	// FirstDifference is nil where the kernels agree, and where one failed.
	FirstDifference *difference  `json:"first_difference"`
	Runs            [2]kernelRun `json:"runs"`
}

// A kernelRun is the answer of one kernel: a report, or the error with which it failed.
type kernelRun struct {
	Kernel       string         `json:"kernel"`
	KernelSHA256 *string        `json:"kernel_sha256"`
	Report       *report.Report `json:"report"`
	Error        *string        `json:"error"`
}

const (
	// longestError is how much of an error's text is kept, and longestQuote how much of any text a message quotes.
	longestError = 1000
	longestQuote = 60
)

// checkCrosswise verifies bytes with both kernels. The report is that of the first one where the two differ in nothing
// but the verifier. Where they differ, or one failed, it is rejected with the one problem kernels_disagree, and shows
// nothing. The error is that of the first kernel where both fail.
func (w settings) checkCrosswise(text []byte) (checked, error) {
	cross := &crossCheck{}
	var failed error
	var shown []*histories.History
	for i, k := range w.kernels {
		r, err := w.run(text, k, func(found []*histories.History) { shown = found })
		cross.Runs[i] = runOf(k, r, err)
		if failed == nil {
			failed = err
		}
	}
	left, right := cross.Runs[0].Report, cross.Runs[1].Report
	if left == nil && right == nil {
		return checked{}, failed
	}
	if left != nil && right != nil {
		if cross.FirstDifference = differenceOf(left, right); cross.FirstDifference == nil {
			cross.Agree = true
			return checked{left, cross, shown}, nil
		}
	}
	return checked{report: disagreement(cross), crossCheck: cross}, nil
}

func runOf(k kernel.Kernel, r *report.Report, err error) kernelRun {
	run := kernelRun{Kernel: kernelName(k), Report: r}
	if sum := k.SHA256(); sum != "" {
		run.KernelSHA256 = &sum
	}
	if err != nil {
		text := cut(err.Error(), longestError)
		run.Error = &text
	}
	return run
}

func disagreement(cross *crossCheck) *report.Report {
	known := cross.Runs[0].Report
	if known == nil {
		known = cross.Runs[1].Report
	}
	r := examine.Disagreement(known)
	r.Verifier.KernelSHA256 = cross.Runs[0].KernelSHA256
	if left, right := cross.Runs[0].Report, cross.Runs[1].Report; left != nil && right != nil && reflect.DeepEqual(left.Subject, right.Subject) {
		r.Subject = left.Subject
	}
	message := "The kernels do not agree: " + cross.Runs[0].said() + "; " + cross.Runs[1].said() + "."
	if d := cross.FirstDifference; d != nil {
		message += fmt.Sprintf(" Their reports first differ at %s: %s, and %s.", d.Path, d.quote(0), d.quote(1))
	}
	r.Problems[0].Message = message
	return r
}

func (run kernelRun) said() string {
	if run.Report == nil {
		return run.Kernel + " failed (" + cut(*run.Error, longestQuote) + ")"
	}
	said := run.Kernel + " says " + string(run.Report.Verdict)
	if len(run.Report.Problems) > 0 {
		said += " (" + string(run.Report.Problems[0].Code) + ")"
	}
	return said
}

func cut(text string, most int) string {
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most]) + "…"
	}
	return text
}

// lines returns the part of a page about a cross-check, below the report.
func (c *crossCheck) lines() []string {
	names := c.Runs[0].name() + " and " + c.Runs[1].name()
	if c.Agree {
		return render.Wrap("cross-checked: both kernels agree ("+names+")", "  ", "  ")
	}
	lines := append([]string{""}, render.Wrap("cross-checked: the kernels do NOT agree ("+names+")", "  ", "  ")...)
	lines = append(lines, "")
	for _, run := range c.Runs {
		lines = append(lines, run.labelled(run.verdict())...)
	}
	if d := c.FirstDifference; d != nil {
		lines = append(append(lines, ""), render.Wrap("The reports first differ at "+render.Escape(d.Path)+":", "  ", "  ")...)
		for i, run := range c.Runs {
			text := "(nothing)"
			if d.Values[i] != nil {
				text = render.Shorten(render.Escape(*d.Values[i]))
			}
			lines = append(lines, run.labelled(text)...)
		}
	}
	return append(append(lines, ""), "  --json prints both reports whole.")
}

func (run kernelRun) name() string {
	if run.KernelSHA256 == nil {
		return run.Kernel
	}
	return run.Kernel + " " + (*run.KernelSHA256)[:16] + "…"
}

func (run kernelRun) labelled(text string) []string {
	label := fmt.Sprintf("    %-9s  ", run.Kernel)
	return render.Wrap(text, label, strings.Repeat(" ", len(label)))
}

func (run kernelRun) verdict() string {
	if run.Report == nil {
		return "failed: " + render.Shorten(render.Escape(*run.Error))
	}
	word := ""
	for _, one := range tables.Verdicts {
		if one.Verdict == string(run.Report.Verdict) {
			word = one.Word
		}
	}
	if problems := run.Report.Problems; len(problems) > 0 {
		word += ", " + render.Counted(int64(len(problems)), "problem", "problems") + ", the first is " + string(problems[0].Code)
	}
	return word
}
