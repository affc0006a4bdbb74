package render

import (
	"strings"
	"time"
)

// stretchOf returns the stretch between two service times as people say it, in UTC: 1 to 31 March 2026, or within one
// day 1 March 2026, 09:00 to 17:30 UTC; empty for other texts.
func stretchOf(from, to string) string {
	first, err := time.Parse("2006-01-02T15:04:05.000Z", from)
	if err != nil {
		return ""
	}
	last, err := time.Parse("2006-01-02T15:04:05.000Z", to)
	if err != nil {
		return ""
	}
	const date, clock = "2 January 2006", "15:04"
	switch {
	case first.Format(date) == last.Format(date):
		times := first.Format(clock)
		if end := last.Format(clock); end != times {
			times += " to " + end
		}
		return first.Format(date) + ", " + times + " UTC"
	case first.Format("January 2006") == last.Format("January 2006"):
		return first.Format("2") + " to " + last.Format(date)
	case first.Year() == last.Year():
		return strings.TrimSuffix(first.Format(date), first.Format(" 2006")) + " to " + last.Format(date)
	default:
		return first.Format(date) + " to " + last.Format(date)
	}
}
