package main

import (
	"strings"
	"unicode/utf8"

	"svc.example/go/render"
)

// leastRoom is the least width of a last column; with less room it gets separate lines.
const leastRoom = 20

// table returns rows as lines of at most 80 columns: every column as wide as its widest cell, the last one wrapped.
// The texts are escaped already.
func table(rows [][]string, indent string) (lines []string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		cells := make([]string, 0, len(row))
		for i, cell := range row[:len(row)-1] {
			cells = append(cells, cell+strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		first, last := indent+strings.Join(append(cells, ""), "  "), row[len(row)-1]
		if used := utf8.RuneCountInString(first); render.Columns-used >= leastRoom {
			lines = append(lines, render.Wrap(last, first, strings.Repeat(" ", used))...)
			continue
		}
		below := indent + "    "
		lines = append(lines, render.Wrap(strings.Join(cells, " "), indent, below)...)
		lines = append(lines, render.Wrap(last, below, below)...)
	}
	return lines
}
