package main

import (
	"io"
	"os"
	"sync"
	"time"

	"svc.example/go/cmd/svc/internal/cmdline"
)

const (
	// quietTime is how long nothing is shown.
	quietTime = 500 * time.Millisecond
	eraseLine = "\r\x1b[K"
)

// waiting shows a line to a person who waits, if the work takes longer than a moment. It goes to a terminal on standard
// error, and never to a file or a pipe. end erases it, and must be called before anything else is printed.
func (s *system) waiting(call *cmdline.Call, text string) (end func()) {
	if call.Has("quiet") || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	return showWaiting(s.out.stderr, text, time.After(quietTime))
}

func showWaiting(w io.Writer, text string, moment <-chan time.Time) (end func()) {
	if file, ok := w.(*os.File); !ok || !isTerminal(file) {
		return func() {}
	}
	isOver, isErased := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(isErased)
		select {
		case <-isOver:
			return
		case <-moment:
		}
		// Nobody misses what cannot be written here.
		_, _ = io.WriteString(w, eraseLine+text+" ...")
		<-isOver
		_, _ = io.WriteString(w, eraseLine)
	}()
	return sync.OnceFunc(func() {
		close(isOver)
		<-isErased
	})
}
