package main

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/foreign"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/together"
	"svc.example/go/render"
	"svc.example/go/report"
)

// A fileResult is what came of one of many files: a report, or the reason why it has none.
type fileResult struct {
	file    string
	refused *refusal
	found   checked
	// problem is the first problem of a rejected file in sentences; empty for any other file.
	problem string
	// line is the result as JSON on one line, if it was asked for.
	line string
}

// outcome returns the verdict, or the reason why it is missing.
func (r *fileResult) outcome() string {
	switch {
	case r.refused == nil:
		return string(r.found.report.Verdict)
	case r.refused.outcome == "":
		return unreadable
	default:
		return r.refused.outcome
	}
}

// waiting is how many groups for each worker may be verified before their results are printed.
const waiting = 2

// verifyMany verifies files, and prints a table with a line for each of them.
func (s *system) verifyMany(call *cmdline.Call) error {
	started := time.Now()
	reportFile, trustFile := call.Value("report"), call.Value("trust")
	standardInput := ""
	if at := slices.IndexFunc(call.Operands, isStandardInput); at >= 0 {
		standardInput = call.Operands[at]
	}
	own := append([][2]string{{"--trust", trustFile}, {"--quorum", call.Value("quorum")}}, linkPaths(call)...)
	if err := requireOneStandardInput(append([][2]string{{"-", standardInput}}, own...)); err != nil {
		return err
	}
	how, _, err := s.settingsOf(call, "")
	if err != nil {
		return err
	}
	names, err := s.readNames(trustFile)
	if err != nil {
		return err
	}
	named, notLookedAt := namedBy(call.Operands, trustFile)
	for _, one := range named {
		own = append(own, [2]string{"", one.file})
	}
	if err := requireOtherFile(reportFile, own); err != nil {
		return err
	}
	wantsLines := call.Has("json") || reportFile != ""
	var all []fileResult
	var lines []string
	end := s.waiting(call, "checking "+render.Counted(int64(len(named)), "file", "files"))
	err = s.checkAll(named, how, wantsLines, func(one fileResult) {
		if call.Has("json") {
			s.out.lines(one.line)
		}
		if reportFile != "" {
			lines = append(lines, one.line)
		}
		one.line, one.found.crossCheck = "", nil
		all = append(all, one)
	})
	end()
	if err != nil {
		return err
	}
	forks := s.forksAmong(all, how.policy)
	for i := range forks {
		line, err := forks[i].line()
		if err != nil {
			return err
		}
		lines = append(lines, line)
		if call.Has("json") {
			s.out.lines(line)
		}
	}
	for _, file := range notLookedAt {
		line, err := jsonLine(struct {
			File        string `json:"file"`
			NotLookedAt bool   `json:"not_looked_at"`
		}{file, true})
		if err != nil {
			return err
		}
		lines = append(lines, line)
		if call.Has("json") {
			s.out.lines(line)
		}
	}
	if !call.Has("json") && !call.Has("quiet") {
		page := manyPage{all: all, forks: forks, seconds: time.Since(started).Seconds(), kernels: how.kernels, isColored: s.wantsColor(call), names: names}
		s.out.lines(page.lines()...)
		s.out.lines(notLookedAtLines(notLookedAt)...)
	}
	if reportFile != "" {
		if err := writeReportLines(reportFile, lines); err != nil {
			return err
		}
	}
	return exitOfAll(all, forks)
}

// checkAll verifies files, several at once, and hands out the results in the order of the names. The error is a fault
// of svc itself, and none of a file.
func (s *system) checkAll(named []namedFile, how settings, wantsLines bool, take func(fileResult)) error {
	workers := min(how.workers, len(named))
	if len(how.kernels) == 1 && workers > 1 {
		how.workers = 1
	}
	work, pending := make(chan group), make(chan group, workers*waiting)
	var isOver atomic.Bool
	var running sync.WaitGroup
	running.Go(func() {
		defer close(work)
		defer close(pending)
		for first, end := range together.Groups(len(named), func(i int) int64 { return sizeOf(named[i]) }) {
			one := group{named[first:end], make(chan groupOutcome, 1)}
			pending <- one
			if isOver.Load() {
				return
			}
			work <- one
		}
	})
	for range workers {
		running.Go(func() {
			for one := range work {
				one.done <- s.checkGroup(one.files, how, wantsLines)
			}
		})
	}
	defer running.Wait()
	for one := range pending {
		outcome := <-one.done
		if outcome.err != nil {
			isOver.Store(true)
			// The hand that gives out work may wait for room.
			go func() {
				for range pending {
				}
			}()
			return outcome.err
		}
		for _, result := range outcome.results {
			take(result)
		}
	}
	return nil
}

// A group is files that are verified together.
type group struct {
	files []namedFile
	// done has room for the outcome.
	done chan groupOutcome
}

type groupOutcome struct {
	results []fileResult
	err     error
}

// sizeOf returns the size of a file for a group. One that is not read again is alone.
func sizeOf(one namedFile) int64 {
	if isStandardInput(one.file) {
		return together.Alone
	}
	return together.SizeOf(one.file)
}

// checkGroup verifies files, and checks the signatures of all of them together where one kernel is asked.
func (s *system) checkGroup(files []namedFile, how settings, wantsLines bool) groupOutcome {
	results, errs := make([]fileResult, len(files)), make([]error, len(files))
	works := make([]func(kernel.Kernel), len(files))
	for i, one := range files {
		works[i] = func(k kernel.Kernel) {
			own := how
			if len(how.kernels) == 1 {
				own.kernels = []kernel.Kernel{k}
			}
			results[i], errs[i] = s.checkOne(one, own, wantsLines)
		}
	}
	if len(works) == 1 || len(how.kernels) > 1 {
		for _, work := range works {
			work(how.kernels[0])
		}
	} else {
		together.Run(how.kernels[0], works)
	}
	return groupOutcome{results, cmp.Or(errs...)}
}

// checkOne verifies one of many files.
func (s *system) checkOne(one namedFile, how settings, wantsLine bool) (result fileResult, err error) {
	result.file, result.refused = one.file, one.refused
	if one.refused == nil {
		err = s.checkContent(&result, how)
	}
	if err == nil && wantsLine {
		result.line, err = jsonLine(result.answer())
	}
	return result, err
}

func (s *system) checkContent(result *fileResult, how settings) error {
	text, err := s.readInput(result.file, maxInput)
	s.memory.expect(int64(len(text)), runtime.GOMAXPROCS(0))
	if err == nil {
		err = refuseOther(named(result.file), text, true)
	}
	if err != nil {
		return result.take(err)
	}
	if result.found, err = how.check(text); err != nil {
		return err
	}
	r := result.found.report
	if r.Verdict != report.Rejected {
		return nil
	}
	if err := refuseForeign(named(result.file), r, foreign.Read(text)); err != nil {
		return result.take(err)
	}
	if first := render.FirstProblem(r); first != nil {
		result.problem = strings.Join(render.Sentences(first, text), " ")
	}
	return nil
}

// take keeps a refusal that is about the file alone: it must not keep the others from being verified.
func (r *fileResult) take(err error) error {
	refused := refusalOf(err)
	if refused.code != exitInput {
		return err
	}
	r.refused = refused
	return nil
}

// answer returns the result as it is in JSON.
func (r *fileResult) answer() any {
	if r.refused != nil {
		type fault struct {
			Outcome string `json:"outcome"`
			Message string `json:"message"`
			Action  string `json:"action"`
		}
		return struct {
			File  string `json:"file"`
			Error fault  `json:"error"`
		}{r.file, fault{strings.ReplaceAll(r.outcome(), " ", "_"), r.refused.message, r.refused.action}}
	}
	return struct {
		File       string         `json:"file"`
		Report     *report.Report `json:"report"`
		CrossCheck *crossCheck    `json:"cross_check,omitempty"`
	}{r.file, r.found.report, r.found.crossCheck}
}
