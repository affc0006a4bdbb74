package main

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// A systemError is an error of the operating system with the words for people about it.
type systemError struct {
	name           string
	reason, action string
}

// readErrors are the reasons why a file cannot be read.
var readErrors = map[error]systemError{
	syscall.ENOENT:       {"ENOENT", "there is no such file.", "Check the name, and that you are in the right folder."},
	syscall.ENOTDIR:      {"ENOTDIR", "a part of the path is not a folder.", "Check the path."},
	syscall.EISDIR:       {"EISDIR", "it is a folder, not a file.", "Name the file inside it."},
	syscall.EACCES:       {"EACCES", "you are not allowed to read it.", "Ask its owner for leave to read it, or copy it to a place of yours."},
	syscall.ELOOP:        {"ELOOP", "its symbolic links lead in a circle.", "Name the file itself."},
	syscall.ENAMETOOLONG: {"ENAMETOOLONG", "the name is too long.", "Check the name; an option may be missing in front of it."},
	syscall.ENXIO:        {"ENXIO", "it is a socket, not a file.", "Name a file."},
}

// writeErrors are the reasons why a file cannot be written.
var writeErrors = map[error]systemError{
	syscall.EEXIST:  {"EEXIST", "it is there already.", "Give another name, or --force to write over it."},
	syscall.ENOENT:  {"ENOENT", "there is no such folder.", "Make the folder first, or check the name."},
	syscall.ENOTDIR: {"ENOTDIR", "a part of the path is not a folder.", "Check the path."},
	syscall.EISDIR:  {"EISDIR", "it is a folder or a device, not a file.", "Name a file."},
	syscall.EACCES:  {"EACCES", "you are not allowed to write there.", "Write to a folder of yours."},
	syscall.ENOSPC:  {"ENOSPC", "the disk is full.", "Make room, or write elsewhere."},
}

// otherNames are further names of errors, as other programs of the system write them.
var otherNames = map[error]string{
	syscall.EIO: "EIO", syscall.EROFS: "EROFS", syscall.EPERM: "EPERM", syscall.EBUSY: "EBUSY", syscall.EINVAL: "EINVAL",
	syscall.EBADF: "EBADF", syscall.EMFILE: "EMFILE", syscall.ENFILE: "ENFILE", syscall.ENOMEM: "ENOMEM", syscall.EFBIG: "EFBIG",
	syscall.EPIPE: "EPIPE", syscall.EAGAIN: "EAGAIN",
}

// cannotRead returns the refusal of a file that cannot be read.
func cannotRead(path string, err error) error {
	var pipe silentPipe
	if errors.As(err, &pipe) {
		return refuse(exitInput,
			fmt.Sprintf("Cannot read %s: it is a pipe, and nothing came out of it for %.0f seconds.", inSentence(path), pipe.limit.Seconds()),
			"Start what writes into it first, or name a file.")
	}
	found := explainedBy(err, readErrors, "Copy it to a local disk and try again.")
	return refuse(exitInput, "Cannot read "+inSentence(path)+": "+found.reason, found.action)
}

// cannotWrite returns the refusal of a place at which nothing could be written.
func cannotWrite(path string, err error) *refusal {
	found := explainedBy(err, writeErrors, "Write to a folder of a local disk.")
	code := exitInternal
	if errors.Is(err, fs.ErrExist) {
		code = exitUsage
	}
	return refuse(code, `Cannot write "`+path+`": `+found.reason, found.action)
}

func explainedBy(err error, known map[error]systemError, advice string) systemError {
	if errors.Is(err, errIsFolder) {
		return known[syscall.EISDIR]
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		if found, ok := known[number]; ok {
			return found
		}
	}
	return systemError{reason: "the system says " + systemName(err) + ".", action: advice}
}

// systemName returns the name of an error of the system, as ENOSPC.
func systemName(err error) string {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return "unknown"
	}
	for _, table := range []map[error]systemError{readErrors, writeErrors} {
		if found, ok := table[number]; ok {
			return found.name
		}
	}
	if name, ok := otherNames[number]; ok {
		return name
	}
	return "error " + fmt.Sprint(int(number))
}
