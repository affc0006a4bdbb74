package render

import (
	"strconv"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// isFork says whether a page is about evidence of a fork that holds: a good verdict that is bad news. The command that
// asks whether such evidence holds has its answer.
func (p *page) isFork(c *Call) bool {
	return c.Kind == "" && p.report.Kind == report.KindFork && p.report.Verdict == report.Verified
}

// HistoryPlace returns where two histories differ, in words; place is seq_no, window_no or window_count.
func HistoryPlace(place string, at int64) string {
	switch place {
	case "seq_no":
		return strings.Replace(tables.ForkWords["event"], "{number}", Grouped(at), 1)
	case "window_no":
		return strings.Replace(tables.ForkWords["window"], "{number}", Grouped(at), 1)
	default:
		return strings.Replace(tables.ForkWords["tree"], "{windows}", Counted(at, "window", "windows"), 1)
	}
}

// forkShown returns what verified evidence of a fork shows, with its stream and place. It decodes without verifying.
func (p *page) forkShown(file []byte) string {
	stream := p.report.Subject.StreamID
	isStream := stream != ""
	if !isStream {
		stream = tables.ForkWords["log"]
	}
	where := ""
	if tree, err := jsonx.Parse(file, jsonx.Limits{}); err == nil {
		where = placeOfFork(tree.Root(), isStream)
	}
	if where == "" {
		return strings.Replace(tables.ForkWords["shown"], "{stream}", stream, 1)
	}
	return strings.NewReplacer("{stream}", stream, "{place}", where).Replace(tables.ForkWords["shown_at"])
}

// placeOfFork returns the earliest place that the sides name; empty if they name none.
func placeOfFork(fork jsonx.Value, isStream bool) string {
	least := map[string]int64{}
	take := func(name string, at int64) {
		if known, ok := least[name]; !ok || at < known {
			least[name] = at
		}
	}
	for _, name := range []string{"left", "right"} {
		side := fork.Get(name)
		if note, isNote := side.Text(); isNote {
			// A signed note has the size of its tree in its second line.
			lines := strings.SplitN(note, "\n", 3)
			if len(lines) > 1 {
				if size, err := strconv.ParseInt(lines[1], 10, 64); err == nil {
					take("window_count", size)
				}
			}
			continue
		}
		for _, one := range [][2]string{
			{"seq_no", "seq_no"}, {"window_no", "window_no"}, {"window_count", "window_count"}, {"log_size", "window_count"},
		} {
			if at, ok := side.Get(one[0]).Int(); ok {
				take(one[1], at)
			}
		}
	}
	for _, name := range []string{"seq_no", "window_no", "window_count"} {
		at, ok := least[name]
		switch {
		case !ok:
		case name == "window_count" && !isStream:
			return strings.Replace(tables.ForkWords["entries"], "{number}", Grouped(at), 1)
		default:
			return HistoryPlace(name, at)
		}
	}
	return ""
}
