package foreign

import (
	"regexp"
	"slices"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
)

// The marks of evidence are names of members that only our kinds have, the type that a seal or a manifest names, and
// entries of a package. Whatever bears them stays rejected, however broken it is: nobody can turn a bad verdict into
// "no evidence" without removing everything by which a reader would recognize the file.

const (
	protocol     = `SVC-(?:PROOFSTREAM|TRUTH-PACKAGE|PROVENANCE|PROVIDER-RESULT|VAULT-ATTESTATION|IVC-RECOMPUTE)-[0-9]`
	manifestPath = "svc.truth-package.manifest.json"
	proofsPath   = "proofs.json"
	// pieceBytes is how much of a text is searched at once, and overlapBytes how much of it again with the next piece.
	pieceBytes   = 1 << 20
	overlapBytes = 1 << 12
	// longestName is how much of an entry's name is looked at, in bytes.
	longestName = 512
)

var (
	isProtocol = regexp.MustCompile(`^` + protocol)
	// inText matches a name before its colon in text that is no JSON, with quotes or without.
	inText = regexp.MustCompile(`(?i)(?:` + strings.Join(quoted(tables.EvidenceMarks), "|") + `)[^\w:;,{}\[\]]*:|` + protocol + `|` + regexp.QuoteMeta(manifestPath))
	// escapes are those of JSON for ASCII.
	escapes = regexp.MustCompile(`(?i)\\u00([0-7][0-9a-f])`)
	blanks  = regexp.MustCompile(`[\t-\r \x{a0}]+`)
	folders = regexp.MustCompile(`(?s)^.*[/\\]`)
)

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = regexp.QuoteMeta(name)
	}
	return all
}

// valueBearsMarks says whether a JSON value bears the marks, at any depth.
func valueBearsMarks(value jsonx.Value) bool {
	switch value.Kind() {
	case jsonx.String:
		text, _ := value.Text()
		return isProtocol.MatchString(text)
	case jsonx.Array:
		for _, one := range value.Elements() {
			if valueBearsMarks(one) {
				return true
			}
		}
	case jsonx.Object:
		for name, one := range value.Members() {
			text, _ := name.Text()
			if slices.Contains(tables.EvidenceMarks, text) || valueBearsMarks(one) {
				return true
			}
		}
	}
	return false
}

// textBearsMarks says whether bytes that are no JSON bear the marks, anywhere in them. Neither white space nor JSON's
// escapes hide a mark.
func textBearsMarks(text []byte) bool {
	for at := 0; at < len(text); at += pieceBytes {
		piece := latin1(text[at:min(len(text), at+pieceBytes+overlapBytes)])
		plain := escapes.ReplaceAllStringFunc(piece, func(escape string) string {
			return string(rune(unhex(escape[4])<<4 | unhex(escape[5])))
		})
		if inText.MatchString(blanks.ReplaceAllString(plain, "")) {
			return true
		}
	}
	return false
}

// latin1 returns bytes as characters of the same numbers, so that none is lost.
func latin1(text []byte) string {
	runes := make([]rune, len(text))
	for i, one := range text {
		runes[i] = rune(one)
	}
	return string(runes)
}

func unhex(digit byte) byte {
	switch {
	case digit >= 'a':
		return digit - 'a' + 10
	case digit >= 'A':
		return digit - 'A' + 10
	default:
		return digit - '0'
	}
}

// isOfPackage says whether an entry of an archive has the name of a package's entry; only the last part of the path
// counts. Archives of others have a manifest.json and an events.csv too.
func isOfPackage(path string) bool {
	name := folders.ReplaceAllString(strings.ToLower(path), "")
	return name == manifestPath || name == proofsPath
}

// entryNames returns the names in an archive, even where the rest of it is wrong: it finds each header by its
// signature, so that neither a missing directory nor wrong offsets hide a name.
func entryNames(archive []byte) (names []string) {
	for at := 0; at+4 <= len(archive); at++ {
		if archive[at] != 'P' || archive[at+1] != 'K' {
			continue
		}
		lengthAt, nameAt := 0, 0
		switch string(archive[at+2 : at+4]) {
		case "\x03\x04":
			lengthAt, nameAt = at+26, at+30
		case "\x01\x02":
			lengthAt, nameAt = at+28, at+46
		default:
			continue
		}
		if nameAt >= len(archive) {
			continue
		}
		length := int(archive[lengthAt]) + 256*int(archive[lengthAt+1])
		if name := archive[nameAt:min(len(archive), nameAt+min(length, longestName))]; len(name) > 0 {
			names = append(names, decoded(name))
		}
	}
	return names
}
