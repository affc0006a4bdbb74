package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/render"
	"svc.example/go/report"
)

const (
	// mostProofs is for how many pairs of files a proof is made: the makers of the files decide how many there are.
	mostProofs = 10
	// shownForks is how many forks are shown; --json lists all.
	shownForks = 10
)

// A forkAmong is two files that contradict each other; or one file, whose evidence shows a fork, without a place.
type forkAmong struct {
	stream *string
	files  []string
	// more contradict the first one too.
	more      []string
	place     histories.Place
	at        int64
	isReached bool
	// unchecked are those of the two of which not every signature was checked: proof of them convinces nobody.
	unchecked []string
	// proof is portable; nil if none can be made of the two alone.
	proof json.RawMessage
}

// isProvenFork says whether a file is verified evidence of a fork: a good verdict that is bad news.
func (r *fileResult) isProvenFork() bool {
	return r.refused == nil && r.found.report.Verdict == report.Verified && r.found.report.Kind == report.KindFork
}

// forksAmong compares files that were verified together: two histories of one stream may each hold by themselves. It
// returns first what pairs of them show, and then what fork evidence among them proves. Both of a pair are read again,
// to make proof that convinces others (protocol section 11).
func (s *system) forksAmong(all []fileResult, policy *examine.Policy) (forks []forkAmong) {
	objects := make([]histories.Object, len(all))
	for i := range all {
		if all[i].refused == nil {
			objects[i] = histories.Object{Histories: all[i].found.histories, Signers: all[i].found.report.Signers}
		}
	}
	type group struct {
		isReached bool
		stream    string
		left      int
	}
	places := map[group]int{}
	for _, one := range histories.Contradictions(objects) {
		key := group{one.IsReached, one.Stream, one.Left}
		if place, ok := places[key]; ok {
			forks[place].more = append(forks[place].more, all[one.Right].file)
			continue
		}
		places[key] = len(forks)
		left, right := all[one.Left].file, all[one.Right].file
		unchecked := uncheckedOf(one, left, right, all[one.Left].found.report, all[one.Right].found.report)
		forks = append(forks, forkAmong{
			stream: &one.Stream, files: []string{left, right}, place: one.Place, at: one.At, isReached: one.IsReached,
			unchecked: unchecked,
		})
		if len(forks) <= mostProofs && len(unchecked) == 0 {
			forks[len(forks)-1].proof = s.proofOf(left, right, policy)
		}
	}
	for i := range all {
		if !all[i].isProvenFork() {
			continue
		}
		one := forkAmong{files: []string{all[i].file}, isReached: true}
		if stream := all[i].found.report.Subject.StreamID; stream != "" {
			one.stream = &stream
		}
		forks = append(forks, one)
	}
	return forks
}

// uncheckedOf returns those of two files of which not every signature was checked. Where trust reaches all signers, all
// were.
func uncheckedOf(found histories.Contradiction, left, right string, a, b *report.Report) (files []string) {
	if found.IsReached {
		return nil
	}
	if !a.Assurance.Signed {
		files = append(files, left)
	}
	if !b.Assurance.Signed {
		files = append(files, right)
	}
	return files
}

// proofOf returns fork evidence of two files; nil for standard input, a package, and a file that has changed.
func (s *system) proofOf(left, right string, policy *examine.Policy) json.RawMessage {
	var sides [2][]byte
	for i, path := range []string{left, right} {
		if isStandardInput(path) {
			return nil
		}
		text, err := s.readInput(path, maxInput)
		if err != nil {
			return nil
		}
		sides[i] = text
	}
	found, err := examine.FindFork(examine.ForkInput{
		Left: sides[0], Right: sides[1], ForkID: randomID("frk", time.Now()),
		DetectedAt: time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), Policy: policy, Kernel: kernel.Native,
	})
	if err != nil {
		return nil
	}
	return found
}

// line is the line about a fork for programs, behind those of the files.
func (f *forkAmong) line() (string, error) {
	said := struct {
		ForkDetected bool                      `json:"fork_detected"`
		StreamID     *string                   `json:"stream_id"`
		Files        []string                  `json:"files"`
		Reached      bool                      `json:"reached"`
		Place        map[histories.Place]int64 `json:"place,omitempty"`
		Proof        *json.RawMessage          `json:"proof,omitempty"`
	}{ForkDetected: true, StreamID: f.stream, Files: append(f.files[:len(f.files):len(f.files)], f.more...), Reached: f.isReached}
	if f.place != "" {
		said.Place = map[histories.Place]int64{f.place: f.at}
		proof := f.proof
		if proof == nil {
			proof = json.RawMessage("null")
		}
		said.Proof = &proof
	}
	return jsonLine(said)
}

// forkLines are the lines about a fork: what contradicts what, who sealed it, and how to prove it to others.
func (p *manyPage) forkLines(f *forkAmong) []string {
	lines := render.Wrap(f.sentence(), "▲ ", "  ")
	lines[0] = p.paint("bad", "▲") + strings.TrimPrefix(lines[0], "▲")
	switch {
	case f.place == "":
	case f.proof == nil:
		lines = append(lines, render.Wrap(tables.ForkWords["unproven"], "  ", "  ")...)
	default:
		lines = append(lines, "  "+tables.ForkWords["provable"],
			"    svc forks find "+render.ShellWord(f.files[0])+" "+render.ShellWord(f.files[1])+" --out fork.json")
	}
	return append(lines, "")
}

// sentence is what is said of a fork: what contradicts what, and who sealed it.
func (f *forkAmong) sentence() string {
	stream := tables.ForkWords["log"]
	if f.stream != nil {
		stream = render.Escape(*f.stream)
	}
	values := []string{"{files}", namesOf(f.files), "{stream}", stream}
	if f.place == "" {
		return filled(tables.ForkWords["evidence"], values...)
	}
	whose := tables.ForkWords["unreached"]
	if f.isReached {
		whose = tables.ForkWords["reached"]
	} else if len(f.unchecked) > 0 {
		whose = filled(tables.ForkWords["unchecked"], "{unchecked}", namesOf(f.unchecked))
	}
	others := ""
	if len(f.more) > 0 {
		count := render.Counted(int64(len(f.more)), "more file", "more files")
		others = filled(tables.ForkWords["more"], "{count}", count, "{files}", shownOf(f.more))
	}
	return filled(tables.ForkWords["histories"], append(values, "{place}", f.where(), "{whose}", whose, "{more}", others)...)
}

func namesOf(files []string) string {
	names := make([]string, 0, len(files))
	for _, file := range files {
		names = append(names, nameOfFile(file))
	}
	return strings.Join(names, " and ")
}

func (f *forkAmong) where() string { return render.HistoryPlace(string(f.place), f.at) }

// shownOf names up to shownFiles files.
func shownOf(files []string) string {
	var names []string
	for _, one := range files[:min(len(files), shownFiles)] {
		names = append(names, nameOfFile(one))
	}
	shown := strings.Join(names, ", ")
	if more := len(files) - shownFiles; more > 0 {
		shown += fmt.Sprintf(" and %s more", render.Grouped(int64(more)))
	}
	return shown
}

func nameOfFile(file string) string {
	if file == "-" {
		return "standard input"
	}
	return render.Escape(file)
}

// filled returns a text with values in the place of their names, in one pass: a value is put in as it is.
func filled(text string, values ...string) string {
	return strings.NewReplacer(values...).Replace(text)
}
