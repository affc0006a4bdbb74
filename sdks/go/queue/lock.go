package queue

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A spool is locked by the bytes that SQLite locks in an exclusive transaction of an empty database, since others take
// that: its pending, reserved and shared bytes.
const (
	lockStart  = 1 << 30
	lockLength = 512
)

// errLocked says that another process has the lock.
var errLocked = errors.New("locked")

// held are the lock files that this process has open. A POSIX lock ends with the first close of its file by the
// process, whichever descriptor that is of: so a file that is held is not opened again.
var held struct {
	sync.Mutex
	files []*os.File
}

// lockSpool takes the folder's lock, and returns a function that releases it. The operating system releases it with the
// process, however that ends. The error is spool_in_use if another queue has it.
func lockSpool(folder string) (unlock func() error, err error) {
	held.Lock()
	defer held.Unlock()
	file, err := openLock(filepath.Join(folder, "spool.lock"))
	if err == nil {
		if err = lockFile(file); err != nil {
			file.Close()
		}
	}
	if errors.Is(err, errLocked) {
		return nil, newError(CodeSpoolInUse, nil, "Another queue has the spool %s. Close it first, or use another folder.", folder)
	}
	if err != nil {
		return nil, err
	}
	held.files = append(held.files, file)
	return func() error {
		held.Lock()
		defer held.Unlock()
		held.files = slices.DeleteFunc(held.files, func(one *os.File) bool { return one == file })
		return file.Close()
	}, nil
}

// openLock opens a lock file that this process does not hold, and makes it if it is missing.
func openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if !errors.Is(err, fs.ErrExist) {
		return file, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	for _, one := range held.files {
		if other, err := one.Stat(); err == nil && os.SameFile(info, other) {
			return nil, errLocked
		}
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR, 0)
}
