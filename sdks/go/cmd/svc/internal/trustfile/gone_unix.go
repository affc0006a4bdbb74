//go:build unix

package trustfile

import (
	"errors"
	"os"
	"syscall"
)

// isGone says whether no process of this machine has an id. One that belongs to somebody else is there.
func isGone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// syncFolder returns when the names in a folder are on the disk.
func syncFolder(folder string) error {
	opened, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}
