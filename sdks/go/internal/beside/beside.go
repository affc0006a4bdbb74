// Package beside does several works at once, none of which is left behind: a panic of a goroutine would end the
// program, and one that goes on would read what its caller may have changed.
package beside

import "sync"

// All does some works, and returns when all have ended: the last one in the caller's goroutine, the others in their own
// where there are several workers, otherwise one after the other. It panics with what the first of them panicked with.
func All(workers int, works ...func()) {
	if workers <= 1 {
		for _, work := range works {
			work()
		}
		return
	}
	failures := make([]any, len(works))
	do := func(i int) {
		defer func() { failures[i] = recover() }()
		works[i]()
	}
	var running sync.WaitGroup
	last := len(works) - 1
	for i := range last {
		running.Go(func() { do(i) })
	}
	do(last)
	running.Wait()
	for _, failure := range failures {
		if failure != nil {
			panic(failure)
		}
	}
}
