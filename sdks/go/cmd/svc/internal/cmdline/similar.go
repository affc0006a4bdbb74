package cmdline

import (
	"slices"
	"strings"
)

const (
	// farthest is how many letters may differ between a word and what may have been meant.
	farthest = 3
	// leastSimilar is the share of letters that must be equal.
	leastSimilar = 0.4
)

// names returns the names of the commands behind a command.
func (c *Command) names() (names []string) {
	for _, one := range c.Commands {
		names = append(names, one.Name)
	}
	return names
}

// words returns the options of a command, without their dashes.
func (c *Command) words() []string {
	var names []string
	for _, one := range c.Options {
		names = append(names, one.Name)
	}
	return append(names, help.Name)
}

func similarOption(word string, names []string) string {
	name, isLong := strings.CutPrefix(word, "--")
	if !isLong {
		return ""
	}
	return asked(nearest(name, names), "--")
}

func similar(word string, names []string) string { return asked(nearest(word, names), "") }

func asked(found []string, dashes string) string {
	for i := range found {
		found[i] = dashes + found[i]
	}
	switch len(found) {
	case 0:
		return ""
	case 1:
		return " (Did you mean " + found[0] + "?)"
	default:
		return " (Did you mean one of " + strings.Join(found, ", ") + "?)"
	}
}

// nearest returns the names that are as near to a word as any, in alphabetical order; none if none is near.
func nearest(word string, names []string) (found []string) {
	best := farthest
	for _, name := range names {
		steps, length := Distance(word, name), max(len(word), len(name))
		isSimilar := float64(length-steps)/float64(max(length, 1)) > leastSimilar
		if len(name) <= 1 || !isSimilar || steps > best {
			continue
		}
		if steps < best {
			best, found = steps, nil
		}
		found = append(found, name)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Distance returns how many letters must be put in, left out, replaced or swapped with their neighbor to make one word
// of the other. Where the lengths differ by more than matters, it is the longer one's.
func Distance(a, b string) int {
	if len(a)-len(b) > farthest || len(b)-len(a) > farthest {
		return max(len(a), len(b))
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
