package trustfile

import (
	"errors"
	"syscall"
)

const (
	// queryLimited is PROCESS_QUERY_LIMITED_INFORMATION, the least that can be asked.
	queryLimited = 0x1000
	// invalidParameter is ERROR_INVALID_PARAMETER, with which Windows says that no process has an id.
	invalidParameter = syscall.Errno(87)
	// stillActive is the exit code of a process that runs.
	stillActive = 259
)

// isGone says whether no process of this machine has an id. One that belongs to somebody else is there.
func isGone(pid int) bool {
	process, err := syscall.OpenProcess(queryLimited, false, uint32(pid))
	if err != nil {
		return errors.Is(err, invalidParameter)
	}
	defer syscall.CloseHandle(process)
	var code uint32
	return syscall.GetExitCodeProcess(process, &code) == nil && code != stillActive
}

// syncFolder does nothing: Windows cannot open a folder, and does not need it.
func syncFolder(string) error { return nil }
