//go:build !unix && !windows

package queue

import (
	"errors"
	"os"
	"runtime"
)

// lockFile refuses: no system call is here that locks a file until its process ends.
func lockFile(*os.File) error {
	return errors.New("a file cannot be locked on " + runtime.GOOS + "; give the queue a MemorySpool")
}

// syncFolder does nothing: no folder is used without its lock.
func syncFolder(string) error { return nil }

func isFull(error) bool { return false }
