package schema

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"svc.example/go/internal/tables"
)

// matchers decide the forms of which evidence has the most; all others are decided by their patterns.
var matchers = map[tables.Format]func(text []byte) bool{
	tables.FormatHash:        func(text []byte) bool { return isHex(text, 64) },
	tables.FormatSignature:   func(text []byte) bool { return isHex(text, 128) },
	tables.FormatSalt:        func(text []byte) bool { return isHex(text, 32) },
	tables.FormatKid:         func(text []byte) bool { return hasPrefix(text, "ed25519-") && isHex(text[8:], 16) },
	tables.FormatStreamID:    func(text []byte) bool { return isULID(text, "str_") },
	tables.FormatEventID:     func(text []byte) bool { return isULID(text, "sev_") },
	tables.FormatWindowID:    func(text []byte) bool { return isULID(text, "win_") },
	tables.FormatServiceTime: isServiceTime,
	tables.FormatSourceRef:   isSourceRef,
	tables.FormatHex:         func(text []byte) bool { return len(text)%2 == 0 && isHex(text, len(text)) },
}

var patterns sync.Map

// Matches says whether a text, in UTF-8, has a form.
func Matches(format tables.Format, text []byte) bool {
	if match, ok := matchers[format]; ok {
		return match(text)
	}
	row := &tables.Formats[format-1]
	if !expression(format).Match(text) || (row.MaxCharacters > 0 && utf8.RuneCount(text) > row.MaxCharacters) {
		return false
	}
	switch row.Rule {
	case "":
		return true
	case "real-date":
		return isRealDate(text)
	case "origin":
		s := string(text)
		return !strings.Contains(s, "://") && !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "SVC-")
	default:
		panic("schema: the rule " + row.Rule + " is not known here")
	}
}

// expression returns the compiled pattern of a form, which is compiled when it is first needed.
func expression(format tables.Format) *regexp.Regexp {
	if known, ok := patterns.Load(format); ok {
		return known.(*regexp.Regexp)
	}
	made := regexp.MustCompile(`\A(?:` + tables.Formats[format-1].Pattern + `)\z`)
	patterns.Store(format, made)
	return made
}

func hasPrefix(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

func isHex(text []byte, length int) bool {
	if len(text) != length {
		return false
	}
	// Evidence is hexadecimal for the most part: a table has no branches to guess wrong.
	var others byte
	for _, c := range text {
		others |= notHex[c]
	}
	return others == 0
}

// notHex has 0 for each lowercase hexadecimal digit, and 1 for each other byte.
var notHex = func() (table [256]byte) {
	for i := range table {
		table[i] = 1
	}
	for _, c := range []byte("0123456789abcdef") {
		table[c] = 0
	}
	return table
}()

func isULID(text []byte, prefix string) bool {
	if len(text) != len(prefix)+26 || !hasPrefix(text, prefix) {
		return false
	}
	text = text[len(prefix):]
	if text[0] < '0' || '7' < text[0] {
		return false
	}
	for _, c := range text {
		isLetter := 'a' <= c && c <= 'z' && c != 'i' && c != 'l' && c != 'o' && c != 'u'
		if !isLetter && (c < '0' || '9' < c) {
			return false
		}
	}
	return true
}

// isServiceTime says whether a text is YYYY-MM-DDTHH:MM:SS.mmmZ, of a real date.
func isServiceTime(text []byte) bool {
	const form = "0000-00-00T00:00:00.000Z"
	if len(text) != len(form) {
		return false
	}
	for i, c := range text {
		if form[i] == '0' {
			if c < '0' || '9' < c {
				return false
			}
		} else if c != form[i] {
			return false
		}
	}
	two := func(at int) int { return int(text[at]-'0')*10 + int(text[at+1]-'0') }
	return two(11) < 24 && two(14) < 60 && two(17) < 60 && isRealDate(text)
}

// isRealDate says whether a text, which begins with a date of ten digits and dashes, names a day of the Gregorian
// calendar.
func isRealDate(text []byte) bool {
	number := func(from, to int) (n int) {
		for _, c := range text[from:to] {
			n = n*10 + int(c-'0')
		}
		return n
	}
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days = 29
	}
	return day <= days
}

// isSourceRef says whether a text has 1 to 512 characters, none of them a control character.
func isSourceRef(text []byte) bool {
	count := 0
	for at := 0; at < len(text); count++ {
		c := text[at]
		if c < utf8.RuneSelf {
			if c < 0x20 || c == 0x7f {
				return false
			}
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		if r <= 0x9f {
			return false
		}
		at += size
	}
	return 1 <= count && count <= 512
}
