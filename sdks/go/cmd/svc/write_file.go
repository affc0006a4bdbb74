package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"svc.example/go/cmd/svc/internal/cmdline"
)

var outOption = cmdline.Option{Name: "out", Value: "<path>", About: "where the result goes; - for standard output", Default: "-"}

var forceOption = cmdline.Option{Name: "force", About: "write over a file that is there"}

// writeResult writes bytes to the place that --out and --force name: whole or not at all. It says whether it wrote a
// file, about which words may follow on standard output.
func (s *system) writeResult(call *cmdline.Call, result []byte, escape func(string) string) (bool, error) {
	out := call.Value("out")
	if out == "" || out == "-" {
		s.writeOut(result, escape)
		return false, nil
	}
	write := createFile
	if call.Has("force") {
		write = func(path string, bytes []byte, _ os.FileMode) error { return replaceFile(path, bytes) }
	}
	if err := write(out, result, anybody); err != nil {
		return false, cannotWrite(out, err)
	}
	return true, nil
}

// writeOut writes bytes as they are to a pipe or file, and escaped to a terminal.
func (s *system) writeOut(result []byte, escape func(string) string) {
	if file, ok := s.out.stdout.(*os.File); ok && isTerminal(file) {
		lines := strings.Split(string(result), "\n")
		for i := range lines {
			lines[i] = escape(lines[i])
		}
		result = []byte(strings.Join(lines, "\n"))
	}
	s.out.bytes(result)
}

// anybody is the permission of a file for everybody; the system takes away what the user's mask excludes.
const anybody = 0o666

// createFile writes a file that must not be there yet. It has another name until all of it is written, so that a
// command that ends early leaves no half of it.
func createFile(path string, content []byte, mode os.FileMode) error {
	if _, err := os.Lstat(path); err == nil {
		return syscall.EEXIST
	}
	next, err := writeBeside(path, content, mode)
	if err != nil {
		return err
	}
	defer os.Remove(next)
	// Unlike a rename, a link never takes the place of a file that came in between.
	err = os.Link(next, path)
	if err == nil || errors.Is(err, syscall.EEXIST) || errors.Is(err, syscall.ENOENT) {
		return err
	}
	// A file system without links.
	held, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err := held.Close(); err != nil {
		return err
	}
	return os.Rename(next, path)
}

// replaceFile writes a file in the place of one that may be there. The old one stays until the new one is whole. A
// device, or anything else that is no file, is left alone.
func replaceFile(path string, content []byte) error {
	place, mode := path, os.FileMode(0)
	if stat, err := os.Stat(path); err == nil {
		if !stat.Mode().IsRegular() {
			return errIsFolder
		}
		// The target of a symbolic link, so that the file is replaced and not the link.
		if place, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		mode = stat.Mode().Perm()
	}
	next, err := writeBeside(place, content, anybody)
	if err != nil {
		return err
	}
	defer os.Remove(next)
	if mode != 0 {
		if err := os.Chmod(next, mode); err != nil {
			return err
		}
	}
	return os.Rename(next, place)
}

// writeBeside writes bytes under another name in the same folder, to the disk too, and returns that name. It is a
// random one: the remains of an earlier call must not stand in the way.
func writeBeside(path string, content []byte, mode os.FileMode) (next string, err error) {
	var salt [4]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return "", err
	}
	next = path + "." + hex.EncodeToString(salt[:]) + ".tmp"
	file, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(next)
	}
	return next, err
}
