package trustfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	// patience is how long a writer waits for another.
	patience = 10 * time.Second
	pause    = 20 * time.Millisecond
	// settled is how old a lock is at least that is broken. A writer reads and writes two small files.
	settled = 2 * time.Second
)

// held are the locks that this process holds.
var held sync.Map

// withLock runs work while this process alone holds the lock of a file: a lock file beside it, made anew, that holds
// the writer's process id. A lock whose process is gone is broken. It guards against other processes of this machine
// only: a process id says nothing of a process of another machine. Each container that shares a folder has its own
// ids, so a lock is also given time: a writer is done long before. The npm svc takes the same lock.
func withLock(file string, patience time.Duration, work func() error) (err error) {
	lock := file + ".lock"
	end := time.Now().Add(patience)
	for {
		isOurs, err := take(lock)
		if err != nil {
			return err
		}
		if isOurs {
			break
		}
		if err := breakStale(lock); err != nil {
			return err
		}
		if time.Now().After(end) {
			return busy(lock)
		}
		time.Sleep(pause)
	}
	defer release(lock)
	return work()
}

func release(lock string) {
	os.Remove(lock)
	held.Delete(lock)
}

// take takes a lock, and says whether it is ours now.
func take(lock string) (bool, error) {
	file, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	held.Store(lock, true)
	_, err = fmt.Fprintf(file, "%d\n", os.Getpid())
	if err = errors.Join(err, file.Close()); err != nil {
		// A lock that names nobody is never broken.
		release(lock)
	}
	return err == nil, err
}

// breakStale removes a lock whose process is gone. Only the owner of the second lock may do that: otherwise two could
// see the same dead owner, and the slower one would remove the lock that the quicker one has taken since. A second lock
// whose owner died is broken in the same way.
func breakStale(lock string) error {
	if isStale, err := isStale(lock); err != nil || !isStale {
		return err
	}
	breaking := lock + ".break"
	isOurs, err := take(breaking)
	if err != nil {
		return err
	}
	if !isOurs {
		return breakStale(breaking)
	}
	defer release(breaking)
	isStale, err := isStale(lock)
	if err == nil && isStale {
		err = os.Remove(lock)
	}
	return err
}

func isStale(lock string) (bool, error) {
	pid, err := ownerOf(lock)
	if err != nil || pid == 0 || !isSettled(lock) {
		return false, err
	}
	if pid == os.Getpid() {
		_, isOurs := held.Load(lock)
		return !isOurs, nil
	}
	return isGone(pid), nil
}

// isSettled says whether a lock has been there for a while, by whichever way the clock has been moved since.
func isSettled(lock string) bool {
	info, err := os.Stat(lock)
	return err == nil && time.Since(info.ModTime()).Abs() >= settled
}

var owner = regexp.MustCompile(`^([1-9][0-9]{0,9})\n$`)

// ownerOf returns the process that a lock names; 0 without a lock, or if the id is not written yet.
func ownerOf(lock string) (int, error) {
	text, err := os.ReadFile(lock)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	found := owner.FindSubmatch(text)
	if found == nil {
		return 0, nil
	}
	pid, err := strconv.ParseInt(string(found[1]), 10, 32)
	if err != nil {
		// No process has such an id, so it names none.
		return 0, nil
	}
	return int(pid), nil
}

func busy(lock string) error {
	who := ""
	if pid, err := ownerOf(lock); err == nil && pid > 0 {
		who = fmt.Sprintf(" (process %d)", pid)
	}
	return &Refusal{IsBusy: true, Message: fmt.Sprintf(`Another process%s keeps "%s", so nothing was changed.`, who, lock),
		Action: fmt.Sprintf(`Try again when it is done. If no svc is running, delete that file, and "%s.break" if it is there.`, lock)}
}
