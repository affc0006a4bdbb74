package render

import (
	"fmt"
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A Call is what the words beside a report need of the call, and its reader.
type Call struct {
	// File is the name of the file; "-" for standard input.
	File string
	// Bytes are those that were verified: a fault of JSON is shown by its line.
	Bytes []byte
	// Kind is the kind that the command checks; empty where it finds the kind by itself.
	Kind report.Kind
	// Found is the kind that the members name.
	Found report.Kind
	// HasTrust says whether there is a trust policy, and TrustFile where it was read; empty if in no file, "-" for
	// standard input.
	HasTrust  bool
	TrustFile string
	Reader    Reader
	// Command is the command, if its own words name the file too; More are words that a further call must repeat.
	Command string
	More    []string
	// IsMade says that the call made the object itself, so that its id says nothing.
	IsMade bool
	// IsWhole asks for everything that can be said of a good verdict.
	IsWhole bool
	// Seconds is how long the verification took.
	Seconds float64
	// IsColored asks for colors, which only underline the words.
	IsColored bool
}

// A painter puts a color around a text.
type painter func(tone, text string) string

var colors = map[string]int{"good": 32, "warn": 33, "bad": 31}

func (c *Call) paint(tone, text string) string { return Paint(c.IsColored, tone, text) }

// Paint returns a text in the color of a tone: good, warn or bad; as it is without color.
func Paint(isColored bool, tone, text string) string {
	if !isColored || tone == "" {
		return text
	}
	return fmt.Sprintf("\x1b[%d;1m%s\x1b[0m", colors[tone], text)
}

// Lines returns the page of one report, as lines of at most 80 characters: first the answer in words, then its reasons,
// then its limits.
func Lines(r *report.Report, c Call) ([]string, error) {
	safe, err := escaped(r)
	if err != nil {
		return nil, err
	}
	p := &page{safe, &c.Reader}
	lines := append(p.heading(&c), "")
	switch safe.Verdict {
	case report.Verified:
		lines = append(append(lines, p.ladder(c.paint)...), "")
	case report.Untrusted:
		lines = append(append(lines, p.ladder(c.paint)...), "")
		lines = append(lines, p.whyUntrusted(&c)...)
	default:
		lines = append(lines, p.whyRejected(&c)...)
		if held := p.whatHolds(); held != "" {
			lines = append(append(lines, indented(held)...), "")
		}
	}
	lines = append(lines, noteLines("Found", p.notes(true))...)
	if safe.Verdict != report.Rejected && !c.IsWhole {
		lines = append(lines, p.inShort()...)
	} else {
		lines = append(lines, noteLines("Not checked", p.notes(false))...)
		lines = append(lines, sentenceLines("This shows", safe.Proves)...)
		lines = append(lines, sentenceLines("It does not show", safe.DoesNotProve)...)
	}
	if c.TrustFile != "" {
		name := Escape(c.TrustFile)
		if c.TrustFile == "-" {
			name = "standard input"
		}
		lines = append(lines, indented("Whom you trust was read from "+name+".")...)
	}
	return append(lines, indented(footer(safe, c.Seconds))...), nil
}

// subject is where the subject starts, behind the verdict's word.
const subject = "           "

func (p *page) heading(c *Call) []string {
	word, tone := "", ""
	for _, one := range tables.Verdicts {
		if one.Verdict == string(p.report.Verdict) {
			word, tone = one.Word, one.Tone
		}
	}
	details := p.details()
	if p.isFork(c) {
		word, tone = "FORK", "bad"
		details = append([]string{p.forkShown(c.Bytes) + ", " + tables.ForkWords["holds"]}, details...)
	}
	name := Escape(c.File)
	if c.File == "-" {
		name = "standard input"
	}
	kind := p.report.Kind
	if kind == "" {
		kind = c.Kind
	}
	if kind != "" && !c.IsMade {
		name += ", checked as " + tables.KindNouns[string(kind)]
	}
	if p.report.Subject.ID != nil && !c.IsMade {
		name = *p.report.Subject.ID
	}
	lines := Wrap(name, fmt.Sprintf("%-*s", len(subject), word), subject)
	lines[0] = strings.Replace(lines[0], word, c.paint(tone, word), 1)
	for _, one := range details {
		lines = append(lines, Wrap(one, subject, subject)...)
	}
	return lines
}

func (p *page) whyUntrusted(c *Call) []string {
	var others []report.Problem
	isUnpinned := false
	for _, one := range p.report.Problems {
		if one.Code == report.CodeKeyNotPinned && !isOfVault(p.report, &one) {
			isUnpinned = true
		} else {
			others = append(others, one)
		}
	}
	lines := problemLines(others, c.Bytes, c.paint)
	if isUnpinned {
		lines = append(lines, p.howToPin(c)...)
	}
	return lines
}

// whyRejected returns the problems. In a file of another kind all have the same cause, and their advice would mislead.
func (p *page) whyRejected(c *Call) []string {
	hint := otherKind(c)
	problems := p.report.Problems
	if len(hint) > 0 {
		problems = append([]report.Problem(nil), problems...)
		for i := range problems {
			problems[i].Action = ""
		}
	}
	return append(hint, problemLines(problems, c.Bytes, c.paint)...)
}

// canBeChecked holds the checks that were not made and can be, with the way to do so, in the order of reports.
var canBeChecked = map[report.CheckID]string{
	report.CheckPayloadHash:     "payloads that are left out (ask for them)",
	report.CheckEnvelope:        "contents of envelopes that are left out, or their start seals (ask for them)",
	report.CheckKnownCheckpoint: "checkpoints that you know (svc trust remember)",
	report.CheckExpectation:     "what you expect of it (--stream, --from, --to, --require)",
}

// shownLimits is how many limits of a good verdict are stated unless all are asked for; of vaults one more.
const shownLimits = 2

// inShort returns the lines below a verdict on which its reader can act.
func (p *page) inShort() (lines []string) {
	var left []string
	isPolicyOut := false
	for _, one := range p.report.Checks {
		if text := canBeChecked[one.ID]; text != "" && one.Note != "" {
			left = append(left, text)
		}
		isPolicyOut = isPolicyOut || strings.Contains(one.Note, "the provider policy that it names is not here")
	}
	if p.report.Assurance.Anchored == "unpinned" {
		left = append(left, "the block of its anchor (svc trust pin-block)")
	}
	if isPolicyOut {
		left = append(left, "whether its provider was allowed (ask for the bundle)")
	}
	if len(left) > 0 {
		lines = indented("Not checked, and can be: " + strings.Join(left, "; ") + ".")
	}
	limits := p.report.DoesNotProve
	most := shownLimits
	if p.report.Assurance.Provenance != nil {
		most++
	}
	shown := strings.Join(limits[:min(len(limits), most)], "; nor ")
	lines = append(lines, indented("It does not show "+shown+". All that it shows and does not, and what was not checked: --all.")...)
	return append(lines, "")
}

func noteLines(title string, told []note) []string {
	if len(told) == 0 {
		return nil
	}
	lines := []string{"  " + title}
	for _, one := range told {
		lines = append(lines, Wrap(one.text, fmt.Sprintf("    %-18s  ", one.name), strings.Repeat(" ", 24))...)
	}
	return append(lines, "")
}

func sentenceLines(title string, texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	if len(texts) == 1 && strings.HasPrefix(texts[0], "anything") {
		return append(indented(title+" "+texts[0]+"."), "")
	}
	lines := []string{"  " + title}
	// A condition of all others is above them.
	if strings.HasSuffix(texts[0], ":") {
		lines, texts = indented(title+" "+texts[0]), texts[1:]
	}
	for _, one := range texts {
		lines = append(lines, Wrap(one, "    - ", "      ")...)
	}
	return append(lines, "")
}

func footer(r *report.Report, seconds float64) string {
	done := "checked"
	if r.Verdict == report.Verified {
		done = "verified"
	}
	took := "under 0.1 s"
	if seconds >= 0.05 {
		took = fmt.Sprintf("%.1f s", seconds)
	}
	name := "reference"
	if sum := r.Verifier.KernelSHA256; sum != nil {
		name = (*sum)[:min(len(*sum), 16)] + "…"
	}
	return done + " in " + took + ", offline, kernel " + name + ", svc " + r.Verifier.Version
}
