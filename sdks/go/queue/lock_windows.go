package queue

import (
	"errors"
	"os"
	"syscall"
)

// LockFile is LockFileEx with an exclusive lock that does not wait, without a structure to point to.
var procLockFile = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFile")

const (
	errorLockViolation = syscall.Errno(33)
	errorHandleFull    = syscall.Errno(39)
	errorDiskFull      = syscall.Errno(112)
)

// lockFile takes the lock of an open file, or returns errLocked.
func lockFile(file *os.File) error {
	ok, _, err := procLockFile.Call(file.Fd(), lockStart, 0, lockLength, 0)
	if ok != 0 {
		return nil
	}
	if errors.Is(err, errorLockViolation) {
		return errLocked
	}
	return err
}

// syncFolder does nothing: Windows keeps the names of files by itself.
func syncFolder(string) error { return nil }

func isFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleFull)
}
