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
	// emptySettled is that of an empty one. Its process writes its id as the next thing after making it.
	emptySettled = 30 * time.Second
)

// held are the locks that this process holds.
var held sync.Map

// withLock runs work while this process alone holds the lock of a file: a lock file beside it, made anew, that holds
// the writer's process id. A lock whose process is gone is broken. It guards against other processes of this machine
// only: a process id says nothing of a process of another machine. Each container that shares a folder has its own
// ids, so a lock is also given time: a writer is done long before. An empty lock is of a process that died before it
// wrote its id, once it is old. The npm svc takes the same lock.
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
	made, statErr := file.Stat()
	if err = errors.Join(err, statErr, file.Close()); err != nil {
		// A lock that names nobody is not broken for a while.
		release(lock)
		return false, err
	}
	// A process that stood still since it made the file may find that another has broken it as an empty one.
	if named, err := os.Stat(lock); err != nil || !os.SameFile(made, named) {
		held.Delete(lock)
		return false, nil
	}
	return true, nil
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
	text, err := contentOf(lock)
	if err != nil {
		return false, err
	}
	if text != nil && len(text) == 0 {
		return isSettled(lock, emptySettled), nil
	}
	pid := ownerIn(text)
	if pid == 0 || !isSettled(lock, settled) {
		return false, nil
	}
	if pid == os.Getpid() {
		_, isOurs := held.Load(lock)
		return !isOurs, nil
	}
	return isGone(pid), nil
}

// isSettled says whether a lock has been there for a while, by whichever way the clock has been moved since.
func isSettled(lock string, settled time.Duration) bool {
	info, err := os.Stat(lock)
	return err == nil && time.Since(info.ModTime()).Abs() >= settled
}

var owner = regexp.MustCompile(`^([1-9][0-9]{0,9})\n$`)

// contentOf returns the content of a lock; nil without a lock.
func contentOf(lock string) ([]byte, error) {
	text, err := os.ReadFile(lock)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// ownerIn returns the process that the content of a lock names; 0 for none.
func ownerIn(text []byte) int {
	found := owner.FindSubmatch(text)
	if found == nil {
		return 0
	}
	pid, err := strconv.ParseInt(string(found[1]), 10, 32)
	if err != nil {
		// No process has such an id, so it names none.
		return 0
	}
	return int(pid)
}

func busy(lock string) error {
	who := ""
	if text, err := contentOf(lock); err == nil && ownerIn(text) > 0 {
		who = fmt.Sprintf(" (process %d)", ownerIn(text))
	}
	return &Refusal{IsBusy: true, Message: fmt.Sprintf(`Another process%s keeps "%s", so nothing was changed.`, who, lock),
		Action: fmt.Sprintf(`Try again when it is done. If no svc is running, delete that file, and "%s.break" if it is there.`, lock)}
}
