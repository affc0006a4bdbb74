// Package note reads C2SP signed notes, verification keys, cosignatures and tlog-policies (protocol sections 9, 10 and
// 16). It checks no signature: it says what is signed, and by which line.
package note

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
)

const (
	dash = "— "
	// keyIDSize is the number of bytes of a key id.
	keyIDSize = 4
)

// A KeyID is the beginning of the hash of a key, its name and type.
type KeyID [keyIDSize]byte

// A Line is one signature line.
type Line struct {
	Name string
	ID   KeyID
	// Signature is what is behind the key id: of a log 64 bytes, of a witness 72.
	Signature []byte
}

// A Note is a signed note, of which nothing is verified.
type Note struct {
	// Text is what is signed, its last newline included.
	Text  string
	Lines []Line
}

// Parse reads a signed note; ok is false for bytes that have not its syntax.
func Parse(whole string) (note *Note, ok bool) {
	if !utf8.ValidString(whole) || hasControls(whole) {
		return nil, false
	}
	at := strings.LastIndex(whole, "\n\n")
	if at < 0 || !strings.HasSuffix(whole, "\n") {
		return nil, false
	}
	note = &Note{Text: whole[:at+1]}
	lines := strings.Split(strings.TrimSuffix(whole[at+2:], "\n"), "\n")
	if len(lines) > tables.MaxNoteLines {
		return nil, false
	}
	for _, text := range lines {
		line, ok := parseLine(text)
		if !ok {
			return nil, false
		}
		note.Lines = append(note.Lines, line)
	}
	return note, true
}

func parseLine(text string) (line Line, ok bool) {
	rest, ok := strings.CutPrefix(text, dash)
	if !ok {
		return line, false
	}
	name, coded, ok := strings.Cut(rest, " ")
	if !ok || !schema.Matches(tables.FormatKeyName, []byte(name)) {
		return line, false
	}
	raw, ok := Base64(coded)
	if !ok || len(raw) <= keyIDSize {
		return line, false
	}
	return Line{name, KeyID(raw[:keyIDSize]), raw[keyIDSize:]}, true
}

// String returns the line as it is in a note, with its newline.
func (l Line) String() string {
	return dash + l.Name + " " + base64.StdEncoding.EncodeToString(append(l.ID[:], l.Signature...)) + "\n"
}

// hasControls says whether a text has a control character below U+0020 other than a newline, as C2SP counts them.
func hasControls(text string) bool {
	for _, c := range []byte(text) {
		if c < 0x20 && c != '\n' {
			return true
		}
	}
	return false
}

// Base64 reads standard base64, padded and canonical.
func Base64(text string) (raw []byte, ok bool) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	// The decoder passes over newlines.
	return raw, err == nil && !strings.ContainsAny(text, "\r\n")
}

// A Head is what the text of a checkpoint's note says.
type Head struct {
	Origin string
	Size   int64
	Root   []byte
}

// HeadText returns the text of the note of a head: three lines.
func HeadText(origin string, size int64, root []byte) string {
	return origin + "\n" + itoa(size) + "\n" + base64.StdEncoding.EncodeToString(root) + "\n"
}

// ParseHead reads the text of a note as a head with any lines behind it, none of them empty. ok is false where the
// first three lines are no origin, size and root of 32 bytes.
func ParseHead(text string) (head Head, ok bool) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || slices.Index(lines, "") != len(lines)-1 {
		return head, false
	}
	size, ok := Decimal(lines[1])
	if !ok {
		return head, false
	}
	root, ok := Base64(lines[2])
	if !ok || len(root) != 32 {
		return head, false
	}
	return Head{lines[0], size, root}, true
}

// Decimal reads an integer of 0 to 2^53-1 in decimal digits, without sign or leading zero.
func Decimal(text string) (value int64, ok bool) {
	if text == "" || len(text) > 16 || (text[0] == '0' && len(text) > 1) {
		return 0, false
	}
	for _, c := range []byte(text) {
		if c < '0' || '9' < c {
			return 0, false
		}
		value = value*10 + int64(c-'0')
	}
	return value, value <= tables.MaxSafeInteger
}

// IsSame says whether two lines are the same.
func (l Line) IsSame(other Line) bool {
	return l.Name == other.Name && l.ID == other.ID && bytes.Equal(l.Signature, other.Signature)
}
