package svc

import (
	"context"
	"errors"
	"iter"
	"sync"

	"svc.example/go/internal/together"
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

// waiting is how many groups per worker may be verified before their results are taken.
const waiting = 2

// VerifyAll verifies the files of these names, each as [VerifyFile], and yields their results in the order of the
// names: those of a folder are what [path/filepath.Glob] gives. Options.Workers goroutines verify at once, which
// changes no result. It ends its work when the loop over it ends. Once ctx ends, its error is that of each file left.
func VerifyAll(ctx context.Context, names []string, options Options) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		if ctx == nil {
			yield(Result{Err: errors.New("svc: VerifyAll needs a context")})
			return
		}
		workers := max(min(options.Workers, len(names)), 1)
		options.Workers = 1
		q := &groupQueue{work: make(chan group), pending: make(chan chan []Result, workers*waiting), quit: make(chan struct{})}
		var running sync.WaitGroup
		defer running.Wait()
		defer close(q.quit)
		running.Go(func() { q.hand(names) })
		for range workers {
			running.Go(func() {
				for one := range q.work {
					one.done <- verifyGroup(ctx, one.names, options)
				}
			})
		}
		for done := range q.pending {
			for _, result := range <-done {
				if !yield(result) {
					return
				}
			}
		}
	}
}

// A groupQueue hands groups of files to workers, and keeps the order of their results.
type groupQueue struct {
	work    chan group
	pending chan chan []Result
	quit    chan struct{}
}

// A group is files that are verified together.
type group struct {
	names []string
	// done has room for the results.
	done chan []Result
}

// hand hands out files until there are no more, or nobody takes results any longer.
func (q *groupQueue) hand(names []string) {
	defer close(q.work)
	defer close(q.pending)
	sizeOf := func(i int) int64 { return together.SizeOf(names[i]) }
	for first, end := range together.Groups(len(names), sizeOf) {
		one := group{names[first:end], make(chan []Result, 1)}
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
