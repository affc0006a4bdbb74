package render

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

const (
	// shownProblems is how many problems a person is shown; the JSON report lists all.
	shownProblems = 5
	// shownCharacters is how many characters are shown of a text that is no JSON.
	shownCharacters = 24
)

// problemLines returns first the faults, then the problems of trust. The same advice is given once.
func problemLines(problems []report.Problem, file []byte, paint painter) (lines []string) {
	ordered := inOrder(problems)
	advised := map[string]bool{"": true}
	for _, one := range ordered[:min(len(ordered), shownProblems)] {
		lines = append(lines, problemOf(&one, file, paint)...)
		if !advised[one.Action] {
			lines = append(lines, behind("What to do: "+one.Action)...)
		}
		advised[one.Action] = true
		lines = append(lines, "")
	}
	if more := int64(len(problems) - shownProblems); more > 0 {
		lines = append(lines, behind("... and "+Counted(more, "more problem", "more problems")+"; --json lists all.")...)
		lines = append(lines, "")
	}
	return lines
}

// inOrder returns first the faults, then the problems of trust.
func inOrder(problems []report.Problem) (ordered []report.Problem) {
	for _, isLast := range []bool{false, true} {
		for _, one := range problems {
			if tables.IsDistrust(string(one.Code)) == isLast {
				ordered = append(ordered, one)
			}
		}
	}
	return ordered
}

// FirstProblem returns the problem that a page shows first, or nil.
func FirstProblem(r *report.Report) *report.Problem {
	if ordered := inOrder(r.Problems); len(ordered) > 0 {
		return &ordered[0]
	}
	return nil
}

// Sentences returns what is wrong in sentences that are safe to print: of a fault of JSON its line in the file, and the
// text there.
func Sentences(p *report.Problem, file []byte) []string {
	if isFaultOfJSON(p) {
		return jsonFault(p, file)
	}
	return []string{groupedIn(Shorten(Escape(p.Message)))}
}

func isFaultOfJSON(p *report.Problem) bool { return p.Code.Check() == report.CheckJSON && p.Path == "" }

func behind(text string) []string { return Wrap(text, "    ", "    ") }

// problemOf returns one problem: the fault, its place by path and number, expected, actual.
func problemOf(p *report.Problem, file []byte, paint painter) []string {
	sign := paint("bad", "✗")
	if tables.IsDistrust(string(p.Code)) {
		sign = paint("warn", "◐")
	}
	place, sentences, expected, actual := "", []string(nil), "", ""
	if isFaultOfJSON(p) {
		sentences = jsonFault(p, file)
	} else {
		place, sentences = placeOf(p), []string{groupedIn(Shorten(p.Message))}
		// Two values that look alike when shortened are shown whole.
		if expected, actual = Shorten(p.Expected), Shorten(p.Actual); expected == actual {
			expected, actual = p.Expected, p.Actual
		}
	}
	head := "  " + sign + " " + string(p.Code)
	isShort := 4+len(p.Code)+3+utf8.RuneCountInString(place) <= Columns
	if place != "" && isShort {
		head += "   " + place
	}
	lines := []string{head}
	if !isShort {
		lines = append(lines, behind("at "+place)...)
	}
	for _, one := range sentences {
		lines = append(lines, behind(one)...)
	}
	for _, one := range []struct{ label, text string }{{"expected", expected}, {"actual  ", actual}} {
		if one.text != "" {
			lines = append(lines, Wrap(one.text, "    "+one.label+"  ", strings.Repeat(" ", 14))...)
		}
	}
	return lines
}

// placeOf returns the path of a problem with the number of the smallest thing that it is about.
func placeOf(p *report.Problem) string {
	path := Shorten(p.Path)
	number := ""
	switch {
	case p.SeqNo != 0:
		number = "event " + strconv.FormatInt(p.SeqNo, 10)
	case p.WindowNo != 0:
		number = "window " + strconv.FormatInt(p.WindowNo, 10)
	case p.CheckpointNo != 0:
		number = "checkpoint " + strconv.FormatInt(p.CheckpointNo, 10)
	}
	// The root object is the whole, and the heading says its number.
	if number == "" || strings.LastIndexByte(p.Path, '/') <= 0 || regexp.MustCompile(`(?i)\b`+number+`\b`).MatchString(p.Message) {
		return path
	}
	return path + " (" + groupedIn(number) + ")"
}

// jsonFault returns the line and the text at which a parser stopped.
func jsonFault(p *report.Problem, file []byte) []string {
	offset, err := strconv.Atoi(p.Actual)
	if err != nil || offset > len(file) {
		offset = 0
	}
	before := file[:offset]
	line, column := bytes.Count(before, []byte("\n"))+1, offset-bytes.LastIndexByte(before, '\n')
	where := "At byte " + Grouped(int64(offset)) + ": line " + Grouped(int64(line)) + ", byte " + Grouped(int64(column)) + " of that line."
	there := "There the file ends, in the middle of its text: it was cut off."
	if !jsonx.EndsEarly(file[offset:]) {
		there = "Found there: " + beginning(file[offset:])
	}
	return []string{p.Code.Meaning(), where, there}
}

// beginning returns the text up to the end of its line, cut to the first characters, safe to show.
func beginning(left []byte) string {
	text := strings.TrimPrefix(string([]rune(string(left[:min(len(left), 4*shownCharacters+3)]))), "\ufeff")
	characters := []rune(text)
	for i := 1; i < len(characters); i++ {
		if characters[i] == '\n' || (characters[i] == '\r' && i+1 < len(characters) && characters[i+1] == '\n') {
			characters = characters[:i]
			break
		}
	}
	return Escape(string(characters[:min(len(characters), shownCharacters)]))
}
