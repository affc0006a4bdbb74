package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/kernel"
	"svc.example/go/render"
	"svc.example/go/report"
)

// settings are how a call verifies.
type settings struct {
	// kernels is one kernel, or two that must agree.
	kernels []kernel.Kernel
	kind    report.Kind
	// policy is never nil.
	policy  *examine.Policy
	links   [][]byte
	workers int
}

// checked is a report, and the runs of both kernels if both were asked.
type checked struct {
	report     *report.Report
	crossCheck *crossCheck
	// histories are what the object shows of streams; only a call with many files asks.
	histories []*histories.History
}

// MarshalJSON writes the report alone, or with the comparison of two kernels beside it.
func (c checked) MarshalJSON() ([]byte, error) {
	if c.crossCheck == nil {
		return marshal(c.report)
	}
	return marshal(struct {
		Report     *report.Report `json:"report"`
		CrossCheck *crossCheck    `json:"cross_check"`
	}{c.report, c.crossCheck})
}

// marshal returns JSON in which <, > and & stand as they are.
func marshal(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// jsonLine returns JSON on one line in which nothing can act on a terminal.
func jsonLine(value any) (string, error) {
	text, err := marshal(value)
	return render.EscapeJSON(string(text)), err
}

// check verifies bytes with one kernel, or with both.
func (w settings) check(text []byte) (checked, error) {
	if len(w.kernels) == 1 {
		var shown []*histories.History
		r, err := w.run(text, w.kernels[0], func(found []*histories.History) { shown = found })
		return checked{report: r, histories: shown}, err
	}
	return w.checkCrosswise(text)
}

// run verifies bytes with one kernel. A panic is an error: no verdict comes of it.
func (w settings) run(text []byte, k kernel.Kernel, shown func([]*histories.History)) (r *report.Report, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			r, err = nil, fmt.Errorf("%v", failure)
		}
	}()
	return examine.Verify(examine.Input{
		Bytes: text, Kind: w.kind, Policy: w.policy, Links: w.links, Kernel: k, Workers: w.workers, Context: context.Background(),
		Shown: shown,
	})
}

// jobsOf returns how many threads may check: the number of the call, else one for each core, at most four.
func jobsOf(call *cmdline.Call) int {
	if jobs, ok := parseOrdinal(call.Value("jobs")); ok {
		return int(jobs)
	}
	return min(runtime.GOMAXPROCS(0), usualJobs)
}
