//go:build unix

package queue

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lockFile takes the lock of an open file, or returns errLocked.
func lockFile(file *os.File) error {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: lockStart, Len: lockLength}
	err := syscall.FcntlFlock(file.Fd(), syscall.F_SETLK, &lock)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return errLocked
	}
	return err
}

// syncFolder returns when the names in a folder are on the disk.
func syncFolder(folder string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer opened.Close()
	return opened.Sync()
}

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
