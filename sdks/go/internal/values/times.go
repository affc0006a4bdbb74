package values

import "time"

// Milliseconds returns a service time in Unix milliseconds; it has been held against its form before.
func Milliseconds(text string) int64 {
	at, err := time.Parse("2006-01-02T15:04:05.000Z", text)
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}

// UnixSeconds returns a service time in Unix seconds, rounded down.
func UnixSeconds(text string) int64 {
	ms := Milliseconds(text)
	seconds := ms / 1000
	if ms%1000 < 0 {
		seconds--
	}
	return seconds
}
