//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// keepOnBrokenPipe lets a write to a pipe whose reader has gone fail, in place of ending the program without its exit
// code.
func keepOnBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }
