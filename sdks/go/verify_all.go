package svc

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// A Result is the outcome of one of many files.
type Result struct {
	// Name is that of the file, as it was given.
	Name string
	// Report is nil where there is no verdict.
	Report *Report
	// Err is as [VerifyFile] returns it: nil only for the verdict verified.
	Err error
}

// waiting is how many files per worker may be verified before their results are taken.
const waiting = 16

// VerifyAll verifies the files of these names, each as [VerifyFile], and yields their results in the order of the
// names: those of a folder are what [path/filepath.Glob] gives. Options.Workers files are verified at once, which
// changes no result. It ends its work when the loop over it ends. Once ctx ends, its error is that of each file left.
func VerifyAll(ctx context.Context, names []string, options Options) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		if ctx == nil {
			yield(Result{Err: errors.New("svc: VerifyAll needs a context")})
			return
		}
		workers := max(options.Workers, 1)
		options.Workers = 1
		q := &fileQueue{work: make(chan fileWork), pending: make(chan chan Result, workers*waiting), quit: make(chan struct{})}
		var running sync.WaitGroup
		defer running.Wait()
		defer close(q.quit)
		running.Go(func() { q.hand(names) })
		for range workers {
			running.Go(func() {
				for one := range q.work {
					r, err := VerifyFile(ctx, one.name, options)
					one.done <- Result{one.name, r, err}
				}
			})
		}
		for done := range q.pending {
			if !yield(<-done) {
				return
			}
		}
	}
}

// A fileQueue hands files to workers, and keeps the order of their results.
type fileQueue struct {
	work    chan fileWork
	pending chan chan Result
	quit    chan struct{}
}

type fileWork struct {
	name string
	// done has room for the result.
	done chan Result
}

// hand hands out files until there are no more, or nobody takes results any longer.
func (q *fileQueue) hand(names []string) {
	defer close(q.work)
	defer close(q.pending)
	for _, name := range names {
		one := fileWork{name, make(chan Result, 1)}
		select {
		case q.pending <- one.done:
		case <-q.quit:
			return
		}
		select {
		case q.work <- one:
		case <-q.quit:
			return
		}
	}
}
