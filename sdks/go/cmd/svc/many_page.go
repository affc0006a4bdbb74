package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/render"
	"svc.example/go/report"
)

// outcomes are all results of a file from the worst to the best, by protocol section 16 for the exit code of several
// files.
var outcomes = []string{string(report.Rejected), unreadable, notChecked, noEvidence, string(report.Untrusted), string(report.Verified)}

// exitOfAll returns the exit code of many files: that of the worst, where a fork that trust reaches counts as rejected.
func exitOfAll(all []fileResult, forks []forkAmong) error {
	isForked := slices.ContainsFunc(forks, func(f forkAmong) bool { return f.isReached })
	for _, one := range outcomes {
		isThere := slices.ContainsFunc(all, func(r fileResult) bool { return r.outcome() == one })
		if !isThere && !(isForked && one == string(report.Rejected)) {
			continue
		}
		if code, isVerdict := exitOf[report.Verdict(one)]; isVerdict {
			return exit(code)
		}
		return exit(exitInput)
	}
	return nil
}

// A manyPage is the text for a person about many files: a line for each, the faults of the bad ones, then the count of
// each result. Only names of files may make its lines longer than 80 columns: a name that is cut cannot be copied.
type manyPage struct {
	all       []fileResult
	forks     []forkAmong
	seconds   float64
	kernels   []kernel.Kernel
	isColored bool
	names     map[string]string
}

func (p *manyPage) lines() []string {
	lines := append(p.table(), "")
	lines = append(lines, p.faults()...)
	for i := range p.forks[:min(len(p.forks), shownForks)] {
		lines = append(lines, p.forkLines(&p.forks[i])...)
	}
	if more := len(p.forks) - shownForks; more > 0 {
		lines = append(lines, "And "+render.Grouped(int64(more))+" more, which --json lists.", "")
	}
	lines = append(lines, p.signers()...)
	lines = append(append(lines, p.totals()...), "")
	return append(lines, render.Wrap(p.footer(), "", "")...)
}

func (r *fileResult) name() string { return nameOfFile(r.file) }

// word returns the word of an outcome and its tone.
func (r *fileResult) word() (word, tone string) {
	if r.isProvenFork() {
		return "FORK", "bad"
	}
	outcome := r.outcome()
	for _, one := range tables.Verdicts {
		if one.Verdict == outcome {
			return one.Word, one.Tone
		}
	}
	if outcome == unreadable {
		return strings.ToUpper(outcome), "bad"
	}
	return strings.ToUpper(outcome), "warn"
}

func (p *manyPage) paint(tone, text string) string { return render.Paint(p.isColored, tone, text) }

func (p *manyPage) table() []string {
	rows := [][3]string{{"verdict", "kind", "subject"}}
	for i := range p.all {
		one := &p.all[i]
		word, _ := one.word()
		row := [3]string{word, "-", "-"}
		if one.refused == nil {
			row[1] = "?"
			if kind := one.found.report.Kind; kind != "" {
				row[1] = render.Escape(string(kind))
			}
			if id := one.found.report.Subject.ID; id != nil {
				row[2] = render.Escape(*id)
			}
		}
		rows = append(rows, row)
	}
	var widths [3]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, 0, len(rows))
	for i, row := range rows {
		word, name := row[0], "file"
		if i > 0 {
			_, tone := p.all[i-1].word()
			word, name = p.paint(tone, word), p.all[i-1].name()
		}
		gap := strings.Repeat(" ", widths[0]-utf8.RuneCountInString(row[0]))
		lines = append(lines, fmt.Sprintf("%s%s  %-*s  %-*s  %s", word, gap, widths[1], row[1], widths[2], row[2], name))
	}
	return lines
}

// faults returns a line for each file that is rejected or has no verdict: the reason in a sentence, and behind it the
// code. The same advice is given once.
func (p *manyPage) faults() (lines []string) {
	advised := map[string]bool{}
	for i := range p.all {
		one := &p.all[i]
		fault := one.fault(advised)
		if fault == "" {
			continue
		}
		// Nobody is to blame for a file that is no evidence.
		mark := "○"
		_, tone := one.word()
		if tone == "bad" {
			mark = "✗"
		}
		wrapped := render.Wrap(fault, mark+" ", "  ")
		wrapped[0] = p.paint(tone, mark) + strings.TrimPrefix(wrapped[0], mark)
		lines = append(lines, wrapped...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

func (r *fileResult) fault(advised map[string]bool) string {
	if r.refused != nil {
		message, action := r.refused.message, r.refused.action
		if r.outcome() != unreadable && !advised[action] {
			message += " " + action
		}
		advised[action] = true
		return render.Escape(message)
	}
	first := render.FirstProblem(r.found.report)
	if r.found.report.Verdict != report.Rejected || first == nil {
		return ""
	}
	place := ""
	if first.Path != "" {
		place = " at " + render.Shorten(render.Escape(first.Path))
	}
	if more := len(r.found.report.Problems) - 1; more > 0 {
		place += ", and " + render.Grouped(int64(more)) + " more"
	}
	return r.name() + ": " + r.problem + " (" + string(first.Code) + place + ")"
}

// reachedWords are the words before and behind the name of a key. A file can name any; without the key nothing was
// checked.
var reachedWords = map[report.Reached]struct{ before, after string }{
	report.Pinned:   {"Sealed by ", ", which you pinned"},
	report.Endorsed: {"Sealed by ", ", which a key that you pinned endorses"},
	report.None:     {"In the name of ", ", which your trust does not reach"},
}

// shownFiles is how many files of one key are named.
const shownFiles = 5

// signers returns a line for each key; with the files, if there are several keys. A rejected file says of nobody that
// they sealed it, and one that is not trusted not of those whom trust reaches: they may have sealed a part alone.
func (p *manyPage) signers() (lines []string) {
	reader := render.Reader{Names: p.names}
	var keys []string
	sealed := map[string][]string{}
	for i := range p.all {
		one := &p.all[i]
		if one.refused != nil || one.found.report.Verdict == report.Rejected {
			continue
		}
		for _, signer := range render.Signers(one.found.report) {
			if one.found.report.Verdict == report.Untrusted && signer.Reached != report.None {
				continue
			}
			around := reachedWords[signer.Reached]
			words := around.before + reader.NameOf(render.Escape(signer.KID)) + around.after
			if sealed[words] == nil {
				keys = append(keys, words)
			}
			sealed[words] = append(sealed[words], one.file)
		}
	}
	for _, words := range keys {
		files := sealed[words]
		shown := render.Counted(int64(len(files)), "file", "files")
		if len(keys) > 1 {
			shown = shownOf(files)
		}
		lines = append(lines, render.Wrap(words+": "+shown+".", "", "  ")...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

func (p *manyPage) totals() (lines []string) {
	counts, proven := map[string]int64{}, int64(0)
	for i := range p.all {
		if p.all[i].isProvenFork() {
			proven++
		} else {
			counts[p.all[i].outcome()]++
		}
	}
	var said []string
	for i := len(outcomes) - 1; i >= 0; i-- {
		if count := counts[outcomes[i]]; count > 0 {
			said = append(said, render.Grouped(count)+" "+outcomes[i])
		}
	}
	if proven > 0 {
		said = append(said, render.Grouped(proven)+" evidence of a fork")
	}
	total := render.Counted(int64(len(p.all)), "file", "files") + ": " + strings.Join(said, ", ") + "."
	streams := map[string]bool{}
	for _, one := range p.forks {
		if one.place != "" {
			streams[*one.stream] = true
		}
	}
	if len(streams) > 0 {
		total += " Two histories of " + render.Counted(int64(len(streams)), "stream", "streams") + " are among them."
	}
	if counts[string(report.Untrusted)] > 0 {
		total += " Untrusted means that no fault was found, and that your trust does not suffice: mostly it does not reach the signer, and then anybody could have made the file. svc verify of that file alone says what is missing."
	}
	lines = render.Wrap(total, "", "")
	each := "Each verdict is on its file alone. Files of one stream were compared too: that finds two histories only where files show the same place. Of one file, svc verify says what its verdict shows and what not."
	return append(lines, render.Wrap(each, "", "")...)
}

func (p *manyPage) footer() string {
	took := "under 0.1 s"
	if p.seconds >= 0.05 {
		took = fmt.Sprintf("%.1f s", p.seconds)
	}
	done := "verified"
	if len(p.forks) > 0 || slices.ContainsFunc(p.all, func(r fileResult) bool { return r.outcome() != string(report.Verified) }) {
		done = "checked"
	}
	how := "cross-checked by both kernels"
	if len(p.kernels) == 1 {
		how = "kernel " + kernelName(p.kernels[0])
		if sum := p.kernels[0].SHA256(); sum != "" {
			how = "kernel " + sum[:16] + "…"
		}
	}
	return done + " in " + took + ", offline, " + how + ", svc " + report.Version
}

// shownNames is how many files that were not looked at are named; --json lists all.
const shownNames = 10

// notLookedAtLines returns the last line about many files: the names of files in folders that have no verdict, so that
// nobody takes them for checked. It is wrapped between names and never inside one.
func notLookedAtLines(files []string) []string {
	if len(files) == 0 {
		return nil
	}
	var names []string
	for _, one := range files[:min(len(files), shownNames)] {
		names = append(names, render.Escape(one))
	}
	if more := len(files) - shownNames; more > 0 {
		names = append(names, "and "+render.Grouped(int64(more))+" more, which --json lists.")
	}
	were := " were"
	if len(files) == 1 {
		were = " was"
	}
	lines, line := []string{""}, render.Counted(int64(len(files)), "file", "files")+were+" not looked at:"
	for i, word := range names {
		if i < len(names)-1 {
			word += ","
		}
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= render.Columns {
			line += " " + word
		} else {
			lines, line = append(lines, line), "  "+word
		}
	}
	return append(lines, line)
}
