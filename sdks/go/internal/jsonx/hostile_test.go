package jsonx_test

import (
	"fmt"
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
)

// shuffled returns different numbers in an order that is neither up nor down.
func shuffled(i int) uint32 { return uint32(i) * 2654435761 }

func members(count int, name func(i int) string) string {
	var text strings.Builder
	text.WriteByte('{')
	for i := range count {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(name(i) + ":0")
	}
	text.WriteByte('}')
	return text.String()
}

// Texts that cost a reader as much as possible are read in time that grows with their length alone: each of these takes
// far less than a second, and minutes where something is quadratic.
func TestHostile(t *testing.T) {
	const size = 1 << 20
	word := func(i int) string {
		bits := fmt.Sprintf("%024b", shuffled(i)>>8)
		return `"` + strings.NewReplacer("0", "Aa", "1", "BB").Replace(bits) + `"`
	}
	for name, text := range map[string]string{
		"a million members":      members(1_000_000, func(i int) string { return fmt.Sprintf(`"%d"`, shuffled(i)) }),
		"names that fall":        members(size/16, func(i int) string { return fmt.Sprintf(`"%010d"`, size-i) }),
		"names that hash alike":  members(size/64, word),
		"escaped names":          members(size/16, func(i int) string { return fmt.Sprintf(`"\"%08x"`, shuffled(i)) }),
		"names that share most":  members(size/128, func(i int) string { return `"` + strings.Repeat("n", 100) + fmt.Sprintf(`%08x"`, shuffled(i)) }),
		"one string of escapes":  `"` + strings.Repeat(`\u0041`, size/6) + `"`,
		"one string":             `"` + strings.Repeat(`a`, size) + `"`,
		"a number of zeros":      "0." + strings.Repeat("0", size),
		"numbers that grow":      "[" + strings.Repeat("1e20,", size/5) + "1]",
		"white space":            strings.Repeat(" \n", size/2) + "1",
		"small disordered ones":  "[" + strings.Repeat(`{"b":0,"a":0},`, size/14) + "{}]",
		"disordered after large": "[" + members(size/32, func(i int) string { return fmt.Sprintf(`"%d"`, shuffled(i)) }) + strings.Repeat(`,{"b":0,"a":0}`, size/14) + "]",
		"nested and disordered":  strings.Repeat(`{"b":0,"a":`, 63) + `"` + strings.Repeat("a", size) + `"` + strings.Repeat("}", 63),
		"commas in strings":      `["` + strings.Repeat(",:", size/2) + `"]`,
	} {
		tree, err := jsonx.Parse([]byte(text), jsonx.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := jsonx.FromCanonical(tree.Canonical(), false)
		if err != nil || again.Root().Len() != tree.Root().Len() {
			t.Errorf("%s: its canonical bytes are read as others: %v", name, err)
		}
	}
}
