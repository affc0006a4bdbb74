package foreign

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// formChecks are those under which a file is rejected for its form alone.
var formChecks = []report.CheckID{report.CheckJSON, report.CheckShape, report.CheckArchive}

// IsOfWrongForm says whether a report rejects a file for its form.
func IsOfWrongForm(r *report.Report) bool {
	return slices.ContainsFunc(r.Checks, func(c report.Check) bool {
		return c.Status == report.Fail && slices.Contains(formChecks, c.ID)
	})
}

// A File is what was verified.
type File struct {
	Bytes []byte
	// Value is the value of the text; it does not exist for bytes that are no JSON. Kind is that of its members.
	Value jsonx.Value
	Kind  report.Kind
}

// Read looks into bytes without verifying them.
func Read(text []byte) File {
	file := File{Bytes: text}
	if bytes.HasPrefix(text, []byte("PK")) {
		file.Kind = report.KindTruthPackage
	} else if tree, err := jsonx.Parse(text, jsonx.Limits{}); err == nil {
		file.Value = tree.Root()
		file.Kind = examine.KindOf(file.Value)
	}
	return file
}

// reportMembers are those that a report of svc has; no kind of evidence has any of them.
var reportMembers = []string{"verdict", "checks", "problems", "verifier"}

// OfRejected returns the format of a file that was rejected for its form and is no evidence: a letter, a table, JSON of
// another program. It is empty for evidence, however broken it is.
func OfRejected(r *report.Report, file File) Format {
	isDisputed := slices.ContainsFunc(r.Problems, func(p report.Problem) bool { return p.Code == report.CodeKernelsDisagree })
	text := file.Bytes
	isJSON := file.Value.Exists()
	switch {
	case !IsOfWrongForm(r) || isDisputed:
		return ""
	case len(text) > 2 && text[0] == 'P' && text[1] == 'K' && text[2] < 8:
		return ofArchive(text)
	case file.Kind != report.KindTruthPackage && wrapping(file) != "":
		return wrapping(file)
	// Text in JSON quotes may be evidence that somebody has quoted once more.
	case isJSON && file.Value.Kind() != jsonx.String && file.Kind != report.KindTruthPackage:
		if file.Kind != "" || valueBearsMarks(file.Value) {
			return ""
		}
		if isReport(file.Value) {
			return "report"
		}
		return "json"
	case textBearsMarks(text):
		return ""
	case isJSON:
		return "json"
	}
	return ofRejectedText(r, text)
}

// wrapping returns how a file wraps evidence that may be honest; empty if it does not.
func wrapping(file File) Format {
	value := file.Value
	switch {
	case !value.Exists():
		if isLines(file.Bytes) {
			return "json-lines"
		}
	case value.Kind() == jsonx.Array:
		if areEvidence(value) {
			return "json-array"
		}
	case isAnswerWithList(value):
		return "list"
	// The artifacts of a bundle are no list.
	case value.Get("format").IsText("SVC-TRUTH-PACKAGE-001") &&
		value.Get("ranges").Kind() == jsonx.Array && value.Get("artifacts").Kind() == jsonx.Array:
		return "package-part"
	}
	return ""
}

// answersWithLists are what a service answers with where it lists objects: by the member that is the list, the others.
var answersWithLists = map[string][]string{
	"items":        {"next_cursor"},
	"receipts":     {},
	"endorsements": {"keys", "origin"},
}

// isAnswerWithList says whether a value is such an answer: a page of a list, receipts, keys. It has these members and
// no other, so that nobody makes broken evidence one by a member more.
func isAnswerWithList(value jsonx.Value) bool {
	if value.Kind() != jsonx.Object {
		return false
	}
	for name, others := range answersWithLists {
		list := value.Get(name)
		if !list.Exists() || value.Len() != 1+len(others) {
			continue
		}
		return areEvidence(list) && !slices.ContainsFunc(others, func(other string) bool {
			member := value.Get(other)
			return !member.Exists() || valueBearsMarks(member)
		})
	}
	return false
}

// areEvidence says whether a value is a list of objects that are evidence by their members, one at least.
func areEvidence(value jsonx.Value) bool {
	if value.Kind() != jsonx.Array || value.Len() == 0 {
		return false
	}
	for _, one := range value.Elements() {
		if examine.KindOf(one) == "" {
			return false
		}
	}
	return true
}

// isLines says whether the first two lines of a text are evidence each.
func isLines(text []byte) bool {
	first, rest, isCut := bytes.Cut(text, []byte("\n"))
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	for _, line := range [][]byte{first, second} {
		tree, err := jsonx.Parse(line, jsonx.Limits{})
		if !isCut || err != nil || examine.KindOf(tree.Root()) == "" {
			return false
		}
	}
	return true
}

func isReport(value jsonx.Value) bool {
	for _, name := range reportMembers {
		if value.Kind() != jsonx.Object || !value.Get(name).Exists() {
			return false
		}
	}
	return true
}

var office = regexp.MustCompile(`^(xl|ppt)/|^mimetype$`)

func ofArchive(text []byte) Format {
	names := entryNames(text)
	switch {
	case slices.ContainsFunc(names, isOfPackage):
		return ""
	case len(names) == 0 && text[2] == 5:
		return "empty-zip"
	case len(names) == 0:
		return ""
	case slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "word/") }):
		return "word"
	case slices.ContainsFunc(names, office.MatchString):
		return "office"
	// A file that was cut off may have been evidence.
	case bytes.Contains(text, []byte("PK\x05\x06")):
		return "other-zip"
	}
	return ""
}

var opensJSON = regexp.MustCompile(`^` + blank + `*[{\[]`)

func ofRejectedText(r *report.Report, whole []byte) Format {
	text := decoded(whole[:min(len(whole), lookedAt)])
	if opensJSON.MatchString(text) {
		offset := len(whole)
		if len(r.Problems) > 0 {
			if at, err := strconv.Atoi(r.Problems[0].Actual); err == nil {
				offset = min(at, len(whole))
			}
		}
		// A file that was cut off may have been evidence.
		if jsonx.EndsEarly(whole[offset:]) {
			return ""
		}
		return "no-json"
	}
	// A character that is cut in half at the end is no sign of another encoding.
	runes := []rune(text)
	if strings.ContainsAny(string(runes[:max(0, len(runes)-4)]), "\x00\ufffd") {
		return "binary"
	}
	if _, ok := note.Parse(string(whole)); ok && len(whole) <= 1<<20 {
		return "note"
	}
	if isTable(text) {
		return "csv"
	}
	return "text"
}

// isTable says whether the first two lines have as many separators.
func isTable(text string) bool {
	lines := append(strings.Split(text, "\n"), "")
	for _, separator := range []string{",", ";", "\t"} {
		if columns := strings.Count(lines[0], separator); columns > 0 && columns == strings.Count(lines[1], separator) {
			return true
		}
	}
	return false
}

// IsTrustPolicy says whether JSON that is of no kind of evidence is a trust policy, or tries to be one. Broken evidence
// with a member signers added stays evidence by its marks, so that nobody can turn a rejection into a remark on a
// policy.
func IsTrustPolicy(file File) bool {
	if file.Kind != "" || file.Value.Kind() != jsonx.Object || file.Value.Get("signers").Kind() != jsonx.Array {
		return false
	}
	for name, value := range file.Value.Members() {
		member, _ := name.Text()
		var besides []string
		switch member {
		case "known_checkpoints":
			besides = []string{"checkpoint_root"}
		case "key_status":
			besides = []string{"revocationInstantReconstructed", "seal"}
		}
		if slices.Contains(tables.EvidenceMarks, member) || marksBeside(value, besides) {
			return false
		}
	}
	return true
}

// marksBeside says whether a value bears the marks; members of these names in objects of a list do not count.
func marksBeside(value jsonx.Value, besides []string) bool {
	if len(besides) == 0 || value.Kind() != jsonx.Array {
		return valueBearsMarks(value)
	}
	for _, one := range value.Elements() {
		if one.Kind() != jsonx.Object {
			if valueBearsMarks(one) {
				return true
			}
			continue
		}
		for name, member := range one.Members() {
			text, _ := name.Text()
			if !slices.Contains(besides, text) && (slices.Contains(tables.EvidenceMarks, text) || valueBearsMarks(member)) {
				return true
			}
		}
	}
	return false
}
