package main

import (
	"os"
	"runtime/debug"
	"sync"
)

const (
	// collectPercent lets garbage grow to so much of what is held, where a limit bounds both: a process is short.
	collectPercent = 400
	// spareBytes may be held beside what the files take.
	spareBytes = 64 << 20
)

// A collector holds memory to a measure of the files that are verified. The environment (GOGC, GOMEMLIMIT) comes first.
type collector struct {
	mutex sync.Mutex
	most  int64
}

// expect lets garbage gather within a bound by the longest file seen, of which so many are verified at once: its text,
// and as much again.
func (c *collector) expect(bytes int64, atOnce int) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if bytes *= int64(atOnce); bytes >= c.most {
		c.most = bytes
		debug.SetMemoryLimit(2*bytes + spareBytes)
		debug.SetGCPercent(collectPercent)
	}
}
