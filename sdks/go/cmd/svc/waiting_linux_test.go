package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal returns both ends of a new terminal: what is written to the second is read from the first.
func terminal(t *testing.T) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	var number, unlocked int32
	control := func(request uintptr, value *int32) {
		if _, _, fault := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(value))); fault != 0 {
			t.Fatal(fault)
		}
	}
	control(syscall.TIOCSPTLCK, &unlocked)
	control(syscall.TIOCGPTN, &number)
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return screen, tty
}

// shown returns what is on a screen up to a mark, in the order in which it was written.
func shown(t *testing.T, screen io.Reader, mark string) string {
	t.Helper()
	var text strings.Builder
	piece := make([]byte, 64)
	for !strings.HasSuffix(text.String(), mark) {
		n, err := screen.Read(piece)
		if err != nil {
			t.Fatalf("%v after %q", err, text.String())
		}
		text.Write(piece[:n])
	}
	return strings.TrimSuffix(text.String(), mark)
}

// The line comes after a moment, and goes before anything else is printed; work that ends before shows none.
func TestWaiting(t *testing.T) {
	screen, tty := terminal(t)
	past := make(chan time.Time)
	close(past)
	end := showWaiting(tty, "checking 9 files", past)
	if line := shown(t, screen, " ..."); line != "\r\x1b[Kchecking 9 files" {
		t.Errorf("%q", line)
	}
	end()
	end()
	fmt.Fprint(tty, "VERIFIED")
	if line := shown(t, screen, "VERIFIED"); line != "\r\x1b[K" {
		t.Errorf("%q", line)
	}
	showWaiting(tty, "checking 9 files", nil)()
	fmt.Fprint(tty, "VERIFIED")
	if line := shown(t, screen, "VERIFIED"); line != "" {
		t.Errorf("%q", line)
	}
}

// A file or a pipe gets no line.
func TestWaitingElsewhere(t *testing.T) {
	past := make(chan time.Time)
	close(past)
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var text strings.Builder
	for _, w := range []io.Writer{file, &text} {
		showWaiting(w, "checking", past)()
	}
	if info, err := file.Stat(); err != nil || info.Size() != 0 || text.Len() != 0 {
		t.Errorf("%v, %q", err, text.String())
	}
}
