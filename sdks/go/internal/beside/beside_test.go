package beside

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// All works are done, and none is left.
func TestAll(t *testing.T) {
	for workers := range 4 {
		var done atomic.Int32
		work := func() { done.Add(1) }
		All(workers, work, work, work)
		if done.Load() != 3 {
			t.Errorf("%d workers: %d works are done", workers, done.Load())
		}
	}
}

// Works wait for each other where there are several workers: they are done at once.
func TestAtOnce(t *testing.T) {
	said, heard := make(chan bool), make(chan bool)
	All(2, func() { said <- true; <-heard }, func() { <-said; heard <- true })
}

// A panic of any work is the caller's, and comes when the others have ended.
func TestPanic(t *testing.T) {
	for failing := range 3 {
		for workers := range 3 {
			var done atomic.Int32
			works := make([]func(), 3)
			for i := range works {
				works[i] = func() {
					if i == failing {
						panic(fmt.Sprint("work ", i))
					}
					done.Add(1)
				}
			}
			failure := func() (failure any) {
				defer func() { failure = recover() }()
				All(workers, works...)
				return nil
			}()
			if failure != fmt.Sprint("work ", failing) {
				t.Errorf("%d workers, work %d: %v", workers, failing, failure)
			}
			if workers > 1 && done.Load() != 2 {
				t.Errorf("%d workers, work %d: %d others are done", workers, failing, done.Load())
			}
		}
	}
}
