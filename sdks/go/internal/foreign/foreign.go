// Package foreign recognizes bytes that are something else than evidence: another format, another encoding, a key. Such
// bytes get no verdict. Bytes that might be damaged evidence are left to the verifier. No byte of the input is ever
// quoted: it may be a private key.
package foreign

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/tables"
)

// A Format is the name of a format in [tables.OtherFormats]; empty for bytes of no such format.
type Format string

// IsEvidence says whether a format is evidence that other programs verify.
func (f Format) IsEvidence() bool { return slices.Contains(tables.OtherEvidence, string(f)) }

type beginning struct {
	bytes  string
	format Format
}

// beginnings are the first bytes of formats. The mark of UTF-32 is before that of UTF-16, which is its beginning.
var beginnings = []beginning{
	{"\x1f\x8b", "gzip"},
	{"\x28\xb5\x2f\xfd", "zstd"},
	{"\xfd7zXZ\x00", "xz"},
	{"BZh", "bzip2"},
	{"7z\xbc\xaf\x27\x1c", "7z"},
	{"%PDF", "pdf"},
	{"\x89PNG", "image"},
	{"\xff\xd8\xff", "image"},
	{"GIF8", "image"},
	{"RIFF", "image"},
	{"II*\x00", "image"},
	{"MM\x00*", "image"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office"},
	{"SQLite f", "sqlite"},
	{"\xff\xfe\x00\x00", "utf-32"},
	{"\x00\x00\xfe\xff", "utf-32"},
	{"\xff\xfe", "utf-16"},
	{"\xfe\xff", "utf-16"},
	{"\xef\xbb\xbf", "byte-order-mark"},
}

// archives are those of formats that only some readers take.
var archives = []beginning{{"PK\x03\x04", "zip"}, {"PK\x05\x06", "empty-zip"}}

const (
	// lookedAt is how many bytes of the input are looked at.
	lookedAt = 4096
	// tarAt is where a tar archive has its mark, behind the first name.
	tarAt = 257
	// base64Line is the least length of a line of base64.
	base64Line = 60
)

// Recognize returns the format of bytes that are recognizably no evidence. A reader that takes packages takes archives
// as evidence.
func Recognize(text []byte, readsPackages bool) Format {
	if len(text) == 0 {
		return "empty"
	}
	known := beginnings
	if !readsPackages {
		known = append(known[:len(known):len(known)], archives...)
	}
	for _, one := range known {
		if bytes.HasPrefix(text, []byte(one.bytes)) {
			return one.format
		}
	}
	if isWide(text) {
		return "utf-16"
	}
	if len(text) > tarAt && bytes.HasPrefix(text[tarAt:], []byte("ustar")) {
		return "tar"
	}
	return ofText(decoded(text[:min(len(text), lookedAt)]))
}

// isWide says whether text begins with { or [ and another character, in two bytes each.
func isWide(text []byte) bool {
	if len(text) < 4 {
		return false
	}
	isOpening := func(b byte) bool { return b == '{' || b == '[' }
	return (isOpening(text[0]) && text[1] == 0 && text[3] == 0) || (text[0] == 0 && isOpening(text[1]) && text[2] == 0)
}

// decoded returns bytes as text, with U+FFFD for bytes that are no UTF-8.
func decoded(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// Blanks in the patterns are those of ECMAScript, as the other implementations read them.
const blank = `[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

var texts = []struct {
	pattern *regexp.Regexp
	format  Format
}{
	// No JSON begins like these; inside of JSON all of them are allowed.
	{regexp.MustCompile(`(?i)^` + blank + `*<[!?/a-z]`), "html"},
	{regexp.MustCompile(`(?s)^` + blank + `*[^\s{["].*PRIVATE KEY-----`), "private-key"},
	{regexp.MustCompile(`^` + blank + `*-----BEGIN `), "pem"},
	{regexp.MustCompile(`^` + blank + `*[0-9a-fA-F]{64}` + blank + `*$`), "hex"},
	{regexp.MustCompile(`^` + blank + `*[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*` + blank + `*$`), "verifier-key"},
	{regexp.MustCompile(`^c2sp\.org/tlog-proof@`), "tlog-proof"},
	{regexp.MustCompile(`(?i)^(?:From \S+@|(?:From|To|Cc|Subject|Date|Received|Return-Path|Delivered-To|Reply-To|Message-ID|MIME-Version|DKIM-Signature|X-[\w-]+):[ \t]\S)`), "mail"},
}

func ofText(text string) Format {
	for _, one := range texts {
		if one.pattern.MatchString(text) {
			return one.format
		}
	}
	if isBase64(text) {
		return "base64"
	}
	return ""
}

var (
	letters = regexp.MustCompile(`(?i)[g-z]`)
	base64  = regexp.MustCompile(`^[A-Za-z0-9+/_-]+={0,2}$`)
)

func isBase64(text string) bool {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if !base64.MatchString(line) || (i == 0 && len(line) < base64Line) {
			return false
		}
	}
	return letters.MatchString(text)
}
