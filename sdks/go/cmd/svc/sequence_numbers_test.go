package main

import (
	"slices"
	"testing"
)

func TestSequenceNumbers(t *testing.T) {
	numbers, err := parseSequenceNumbers("9-7,3")
	if err == nil || err.Error() != "The range 9-7 ends before it starts." {
		t.Errorf("%v, %v", numbers, err)
	}
	numbers, err = parseSequenceNumbers("7-9,3,8")
	if err != nil || !slices.Equal(numbers, []int64{3, 7, 8, 9}) || inRanges(numbers) != "3, 7 to 9" {
		t.Errorf("%v, %v, %s", numbers, err, inRanges(numbers))
	}
	for _, text := range []string{"", "0", "01", "+1", "1-", "-1", "1-2-3", "x", "1,,2", "9007199254740992", "1-1000001", "1-9007199254740991"} {
		if numbers, err := parseSequenceNumbers(text); err == nil {
			t.Errorf("%q names %d events", text, len(numbers))
		}
	}
}
