package main

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A taken is what a work took.
type taken struct {
	Ms          float64 `json:"ms"`
	ProcessorMs float64 `json:"processor_ms"`
}

// program runs a program, and says what it took: the time from before its start to its end, its processor time, its
// peak memory. That of a child of Node would count from the memory of Node on.
func program(words []string) error {
	command := exec.Command(words[0], words[1:]...)
	command.Stderr = os.Stderr
	start := time.Now()
	out, err := command.Output()
	took := taken{Ms: milliseconds(time.Since(start))}
	if err != nil {
		return err
	}
	state := command.ProcessState
	took.ProcessorMs = milliseconds(state.UserTime() + state.SystemTime())
	return say(struct {
		taken
		PeakMiB float64 `json:"peak_mib"`
		Out     string  `json:"out"`
	}{took, float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024, string(out)})
}

// measured does a work so many times, and returns what that took.
func measured(times int, work func()) taken {
	start, before := time.Now(), processorTime()
	for range times {
		work()
	}
	return taken{milliseconds(time.Since(start)), milliseconds(processorTime() - before)}
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
