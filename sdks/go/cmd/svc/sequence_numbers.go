package main

import (
	"fmt"
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
)

// maxNamedEvents is the most events that one call may name, so that a slip in a range does not take all memory.
const maxNamedEvents = 1_000_000

func checkSequenceNumbers(text string) error {
	_, err := parseSequenceNumbers(text)
	return err
}

// parseSequenceNumbers reads numbers of events and ranges of them, as in 3,7-9. It returns them ascending, each once;
// the error is a sentence.
func parseSequenceNumbers(text string) ([]int64, error) {
	var numbers []int64
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, isFirst := parseOrdinal(first)
		to, isLast := parseOrdinal(last)
		switch {
		case !isFirst || !isLast:
			return nil, cmdline.Fault(`"` + part + `" is no event number and no range. Write them as in 3,7-9.`)
		case to < from:
			return nil, cmdline.Fault("The range " + part + " ends before it starts.")
		case to-from >= maxNamedEvents-int64(len(numbers)):
			return nil, cmdline.Fault(fmt.Sprintf("It names more than %d events.", maxNamedEvents))
		}
		for number := from; number <= to; number++ {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// inRanges returns ascending numbers as people write them: 3, 7 to 9.
func inRanges(numbers []int64) string {
	var ranges []string
	for at := 0; at < len(numbers); {
		end := at
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		if end == at {
			ranges = append(ranges, fmt.Sprint(numbers[at]))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d to %d", numbers[at], numbers[end]))
		}
		at = end + 1
	}
	return strings.Join(ranges, ", ")
}
