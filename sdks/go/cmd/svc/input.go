package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// maxInput is the largest input, in bytes: 1 GiB.
	maxInput = 1 << 30
	// maxPackage is the largest truth package, in bytes: 4 GiB, the most that its format holds.
	maxPackage = 4 << 30
	// unheld is how long a pipe may give nothing while nobody holds its other end, and silent while somebody does.
	unheld = 3 * time.Second
	silent = 60 * time.Second
)

// readInput reads a file, or standard input for -. It refuses a file that cannot be read, and one of more bytes than
// that.
func (s *system) readInput(path string, most int64) ([]byte, error) {
	if err := requireExactName(path); err != nil {
		return nil, err
	}
	file := s.in
	if !isStandardInput(path) {
		var err error
		if file, err = openInput(path); err != nil {
			return nil, cannotRead(path, err)
		}
		defer file.Close()
	}
	stat, err := file.Stat()
	if err != nil {
		return nil, cannotRead(path, err)
	}
	if stat.IsDir() {
		return nil, cannotRead(path, errIsFolder)
	}
	if stat.Mode().IsRegular() && stat.Size() > most {
		return nil, tooLarge(path, most)
	}
	var reader io.Reader = file
	if stat.Mode()&fs.ModeNamedPipe != 0 && file != s.in {
		reader = &patientPipe{file: file}
	}
	bytes, err := readUpTo(reader, stat.Size(), most)
	if errors.Is(err, errTooLarge) {
		return nil, tooLarge(path, most)
	}
	if err != nil {
		return nil, cannotRead(path, err)
	}
	return bytes, nil
}

var (
	errTooLarge = errors.New("larger than allowed")
	errIsFolder = errors.New("a folder")
)

// readUpTo reads all, with room for `size` bytes from the start; size is only what is expected.
func readUpTo(r io.Reader, size, most int64) ([]byte, error) {
	bytes := make([]byte, 0, min(max(size, 0), most)+512)
	for {
		n, err := r.Read(bytes[len(bytes):cap(bytes)])
		bytes = bytes[:len(bytes)+n]
		if int64(len(bytes)) > most {
			return nil, errTooLarge
		}
		if err == io.EOF {
			return bytes, nil
		}
		if err != nil {
			return nil, err
		}
		if len(bytes) == cap(bytes) {
			bytes = slices.Grow(bytes, 512)
		}
	}
}

// A patientPipe reads a named pipe until its last writer has gone, and gives up where nothing comes.
type patientPipe struct {
	file    *os.File
	hasRead bool
}

func (p *patientPipe) Read(into []byte) (int, error) {
	for started := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if err := p.file.SetReadDeadline(time.Now().Add(silent)); err != nil {
			return 0, err
		}
		n, err := p.file.Read(into)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return 0, silentPipe{silent}
		}
		// Nobody holds the other end: the end of the input, or nobody has come yet.
		if n > 0 || err != io.EOF || p.hasRead {
			p.hasRead = true
			return n, err
		}
		if time.Since(started) > unheld {
			return 0, silentPipe{unheld}
		}
	}
}

// A silentPipe is a pipe that gave nothing for so long.
type silentPipe struct{ limit time.Duration }

func (silentPipe) Error() string { return "a silent pipe" }

// isStandardInput says whether a path means standard input. Its names in the file system cannot be opened where it is a
// socket.
func isStandardInput(path string) bool {
	return slices.Contains([]string{"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}, path)
}

const (
	inexactName = "its name has bytes that are not UTF-8, or U+FFFD, which stands for such bytes."
	rename      = "Give it another name: another file could be meant by this one."
)

// isExactName says whether a name can be said byte for byte in a report.
func isExactName(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsRune(path, utf8.RuneError)
}

func requireExactName(path string) error {
	if isExactName(path) {
		return nil
	}
	return refuse(exitInput, fmt.Sprintf(`Cannot read "%s": %s`, path, inexactName), rename)
}

// named returns a path at the beginning of a sentence.
func named(path string) string {
	if path == "-" {
		return "Standard input"
	}
	return `"` + path + `"`
}

func inSentence(path string) string {
	if path == "-" {
		return "standard input"
	}
	return `"` + path + `"`
}

func tooLarge(path string, most int64) error {
	action := "Check that it is the file you meant; ask for an export of a shorter range if it is."
	if most < maxPackage {
		action = "Check that it is the file you meant; a truth package of up to 4 GiB is read by svc verify truth-package."
	}
	return refuse(exitInput, fmt.Sprintf("Cannot read %s: it is larger than %d bytes, the most that svc reads.", inSentence(path), most), action)
}
