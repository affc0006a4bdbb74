package main

import (
	"os"
	"runtime/debug"
	"sync"
)

const (
	// collectPercent lets garbage grow to so much of what is held: that of small files is small, and a process is short.
	collectPercent = 400
	// spareBytes may be held beside what the files take.
	spareBytes = 64 << 20
)

// A collector holds memory to a measure of the files that are read. The environment (GOGC, GOMEMLIMIT) comes first.
type collector struct {
	mutex sync.Mutex
	most  int64
}

// collectRarely sets how much garbage may gather, where there is no limit yet.
func collectRarely() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(collectPercent)
	}
}

// expect bounds memory by the longest file seen, of which so many are verified at once: its text, and as much again.
func (c *collector) expect(bytes int64, atOnce int) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if bytes *= int64(atOnce); bytes >= c.most {
		c.most = bytes
		debug.SetMemoryLimit(2*bytes + spareBytes)
	}
}
