package client

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"svc.example/go/internal/tables"
)

const (
	firstPause   = tables.ClientFirstPauseMS * time.Millisecond
	longestPause = tables.ClientLongestPauseMS * time.Millisecond
	// maxRetryAfter is the longest wait that a service can ask for; a longer one is reported at once, since a service
	// must not be able to stop a program.
	maxRetryAfter = tables.ClientMaxRetryAfterMS * time.Millisecond
)

// retryAfter returns how long an answer asks to wait (RFC 9110 section 10.2.3); 0 for a missing or unreadable header.
func retryAfter(header string, now time.Time) time.Duration {
	text := strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil && len(text) <= 9 {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// pauseAfter returns the pause after an attempt, counted from 1: it grows, has jitter, and is never shorter than asked
// for. random is from 0 up to 1.
func pauseAfter(attempt int, asked time.Duration, random float64) time.Duration {
	growing := longestPause
	if attempt < 16 {
		growing = min(firstPause<<(attempt-1), longestPause)
	}
	return max(time.Duration(float64(growing)*(0.5+random/2)), asked)
}

// pause waits, and returns the error of ctx if that ends first.
func pause(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func jitter() float64 { return rand.Float64() }
