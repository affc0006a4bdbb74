package trustfile

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// gone returns the id of a process that has ended.
func gone(t *testing.T) int {
	t.Helper()
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	return ended.Process.Pid
}

// Each writer reads the file and writes it again, so two at a time would lose an addition.
func TestOneWriterAtATime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trust.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	add := func() error {
		before, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, append(before, '.'), 0o600)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := withLock(file, patience, add); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if text, err := os.ReadFile(file); string(text) != "........" || err != nil {
		t.Errorf("8 wrote %q", text)
	}
	if left, err := filepath.Glob(file + ".*"); len(left) > 0 || err != nil {
		t.Errorf("they left %v", left)
	}
}

// leave leaves a lock, as a process that died a minute ago.
func leave(t *testing.T, lock string, content string) {
	t.Helper()
	if err := os.WriteFile(lock, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-time.Minute)
	if err := os.Chtimes(lock, then, then); err != nil {
		t.Fatal(err)
	}
}

// A lock with the id of this process, which does not hold it, is of one that died under the same id.
func TestLocksOfProcessesThatAreGoneAreBroken(t *testing.T) {
	for _, pid := range []int{gone(t), os.Getpid()} {
		for _, ends := range [][]string{{""}, {"", ".break"}, {"", ".break", ".break.break"}} {
			file := filepath.Join(t.TempDir(), "trust.json")
			for _, end := range ends {
				leave(t, file+".lock"+end, fmt.Sprintf("%d\n", pid))
			}
			isDone := false
			if err := withLock(file, patience, func() error {
				isDone = true
				return nil
			}); err != nil || !isDone {
				t.Error(err)
			}
			if left, err := filepath.Glob(file + ".*"); len(left) > 0 || err != nil {
				t.Errorf("they left %v", left)
			}
		}
	}
}

// An empty lock is of a process that died before it wrote its id, once it is old.
func TestAnOldEmptyLockIsBroken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trust.json")
	for _, end := range []string{"", ".break"} {
		leave(t, file+".lock"+end, "")
	}
	isDone := false
	if err := withLock(file, patience, func() error {
		isDone = true
		return nil
	}); err != nil || !isDone {
		t.Error(err)
	}
	if left, err := filepath.Glob(file + ".*"); len(left) > 0 || err != nil {
		t.Errorf("they left %v", left)
	}
	if err := os.WriteFile(file+".lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := withLock(file, 0, func() error { return nil }); !errors.As(err, new(*Refusal)) {
		t.Error(err)
	}
}

// A process of another container may have taken a lock just now.
func TestAFreshLockStays(t *testing.T) {
	for _, pid := range []int{gone(t), os.Getpid()} {
		file := filepath.Join(t.TempDir(), "trust.json")
		content := fmt.Sprintf("%d\n", pid)
		if err := os.WriteFile(file+".lock", []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := withLock(file, 0, func() error { return nil }); !errors.As(err, new(*Refusal)) {
			t.Error(err)
		}
		if left, err := os.ReadFile(file + ".lock"); err != nil || string(left) != content {
			t.Errorf("%q became %q", content, left)
		}
	}
}

// This process holds a lock for long, and asks for it again.
func TestALockOfThisProcessStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trust.json")
	err := withLock(file, patience, func() error {
		then := time.Now().Add(-time.Minute)
		if err := os.Chtimes(file+".lock", then, then); err != nil {
			return err
		}
		return withLock(file, 0, func() error { return nil })
	})
	if !errors.As(err, new(*Refusal)) {
		t.Error(err)
	}
}

// A lock whose process lives, and one that names no process, are never broken.
func TestOtherLocksStay(t *testing.T) {
	for _, content := range []string{fmt.Sprintf("%d\n", os.Getppid()), "0\n", "-1\n", "12", "9999999999\n"} {
		file := filepath.Join(t.TempDir(), "trust.json")
		leave(t, file+".lock", content)
		err := withLock(file, 0, func() error {
			t.Errorf("%q was broken", content)
			return nil
		})
		var refused *Refusal
		if !errors.As(err, &refused) || !refused.IsBusy || !strings.Contains(refused.Message, "keeps") {
			t.Errorf("%q: %v", content, err)
		}
		if left, err := os.ReadFile(file + ".lock"); err != nil || string(left) != content {
			t.Errorf("%q became %q", content, left)
		}
	}
}

func TestWorkThatFailsGivesTheLockBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trust.json")
	failure := errors.New("no")
	if err := withLock(file, patience, func() error { return failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	if err := withLock(file, 0, func() error { return nil }); err != nil {
		t.Error(err)
	}
}
