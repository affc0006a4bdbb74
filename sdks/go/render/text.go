package render

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// Columns is the width of every page.
const Columns = 80

// Escape returns a text with every character that could move the cursor, hide or reverse the reading written as its
// code point.
func Escape(text string) string {
	var out strings.Builder
	for _, r := range text {
		if isUnsafe(r) {
			fmt.Fprintf(&out, `\u{%x}`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// EscapeJSON does the same to JSON, in which any parser reads the escapes back as the original characters.
func EscapeJSON(text string) string {
	if !strings.ContainsFunc(text, isUnsafe) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case !isUnsafe(r):
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

func isUnsafe(r rune) bool {
	for _, one := range tables.Escaped {
		if one[0] <= r && r <= one[1] {
			return true
		}
	}
	return false
}

// escaped returns a copy of a report in which every text is escaped.
func escaped(r *report.Report) (*report.Report, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if text, err = json.Marshal(escapeAll(value)); err != nil {
		return nil, err
	}
	safe := &report.Report{}
	return safe, json.Unmarshal(text, safe)
}

func escapeAll(value any) any {
	switch v := value.(type) {
	case string:
		return Escape(v)
	case []any:
		for i, one := range v {
			v[i] = escapeAll(one)
		}
	case map[string]any:
		for name, one := range v {
			v[name] = escapeAll(one)
		}
	}
	return value
}

// Wrap breaks a text at spaces into lines of at most 80 characters; a longer word is cut at the line's end. It returns
// one line at least.
func Wrap(text, first, rest string) []string {
	var lines []string
	line, isEmpty := first, true
	width := utf8.RuneCountInString
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		left := []rune(word)
		if !isEmpty && width(line)+1+len(left) > Columns {
			lines = append(lines, line)
			line, isEmpty = rest, true
		}
		for {
			gap := ""
			if !isEmpty {
				gap = " "
			}
			room := max(Columns-width(line)-len(gap), 0)
			part := left[:min(room, len(left))]
			line += gap + string(part)
			isEmpty = false
			left = left[len(part):]
			if len(left) == 0 {
				break
			}
			lines = append(lines, line)
			line, isEmpty = rest, true
		}
	}
	return append(lines, line)
}

// indented wraps a text behind two blanks.
func indented(text string) []string { return Wrap(text, "  ", "  ") }

// Grouped returns 1707 as 1,707.
func Grouped(count int64) string {
	digits := strconv.FormatInt(count, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

var numbered = regexp.MustCompile(`(?i)\b((?:events?|windows?|checkpoints?|to|and) )(\d{4,15})\b`)

// groupedIn groups the digits of numbers of events, windows and checkpoints in a sentence.
func groupedIn(sentence string) string {
	return numbered.ReplaceAllStringFunc(sentence, func(match string) string {
		blank := strings.IndexByte(match, ' ')
		count, err := strconv.ParseInt(match[blank+1:], 10, 64)
		if err != nil {
			return match
		}
		return match[:blank+1] + Grouped(count)
	})
}

// Counted returns 1 window, 7 windows.
func Counted(count int64, one, many string) string {
	if count == 1 {
		return Grouped(count) + " " + one
	}
	return Grouped(count) + " " + many
}

// Shorten returns a hash or key as its first and last 8 characters; any other text whole, unless it is very long.
func Shorten(text string) string {
	if len(text) > tables.LongHex && strings.Trim(text, "0123456789abcdef") == "" {
		return text[:8] + "…" + text[len(text)-8:]
	}
	characters := []rune(text)
	if len(characters) <= tables.LongText {
		return text
	}
	half := tables.LongText / 2
	return string(characters[:half]) + "…" + string(characters[len(characters)-half:])
}
