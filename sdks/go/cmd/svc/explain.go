package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/render"
)

// An explained is what is said of one code, check, step or verdict. Names in its texts are in backticks.
type explained struct {
	name, summary string
	points        []point
	// facts are those for programs, as JSON.
	facts string
}

type point struct{ title, text string }

const (
	// proposed is how many names are proposed in place of a misspelt one.
	proposed = 3
	// longestWord is how much of a misspelt word is compared, in characters.
	longestWord = 64
)

func (s *system) explainCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:     "explain",
		About:    "Explain a code of a report or of the service, a check, a verdict or a step of one; without one, list all.",
		Operands: []cmdline.Operand{{Name: "code", About: "a code, or the name of a check, step or verdict", Known: knownCodes()}},
		Options:  []cmdline.Option{{Name: "json", About: "print one JSON object"}},
		After:    []string{"\nExamples:\n  svc explain range_incomplete\n  svc explain witnessed\n  svc explain"},
		Run:      s.explain,
	}
}

func (s *system) explain(call *cmdline.Call) error {
	if len(call.Operands) == 0 {
		return s.listCodes(call.Has("json"))
	}
	name := call.Operands[0]
	senses := []struct {
		sense string
		found *explained
	}{
		{"in a report", find(problemTexts, name)}, {"an answer of the service", find(errorTexts, name)}, {"a check", find(checkTexts, name)},
		{"a step of a verdict", find(stepTexts, name)}, {"a verdict", find(verdictTexts, name)},
	}
	var lines []string
	for _, one := range senses {
		if one.found != nil {
			if lines != nil {
				lines = append(lines, "")
			}
			lines = append(lines, one.found.lines(one.sense)...)
		}
	}
	switch {
	case lines == nil:
		return unknownCode(name)
	case !call.Has("json"):
		s.out.lines(lines...)
		return nil
	}
	return s.printJSON(struct {
		Name    string          `json:"name"`
		Problem json.RawMessage `json:"problem"`
		Error   json.RawMessage `json:"error"`
		Check   json.RawMessage `json:"check"`
		Step    json.RawMessage `json:"step"`
		Verdict json.RawMessage `json:"verdict"`
	}{
		name, senses[0].found.json(), senses[1].found.json(), senses[2].found.json(), senses[3].found.json(),
		senses[4].found.json(),
	})
}

func (s *system) printJSON(value any) error {
	line, err := jsonLine(value)
	if err == nil {
		s.out.lines(line)
	}
	return err
}

func find(list []explained, name string) *explained {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// json returns the facts; null for none.
func (e *explained) json() json.RawMessage {
	if e == nil {
		return json.RawMessage("null")
	}
	return json.RawMessage(e.facts)
}

func plain(text string) string { return strings.ReplaceAll(text, "`", "") }

func (e *explained) lines(sense string) []string {
	lines := append([]string{e.name + ", " + sense}, render.Wrap(plain(e.summary), "  ", "  ")...)
	lines = append(lines, "")
	for _, one := range e.points {
		lines = append(lines, render.Wrap(one.title+": "+plain(one.text), "  ", "    ")...)
	}
	return lines
}

// listCodes prints all codes: those of reports by the check that finds them, those of the service by status.
func (s *system) listCodes(asJSON bool) error {
	if asJSON {
		return s.printJSON(struct {
			Problems []json.RawMessage `json:"problems"`
			Errors   []json.RawMessage `json:"errors"`
			Checks   []json.RawMessage `json:"checks"`
			Steps    []json.RawMessage `json:"steps"`
			Verdicts []json.RawMessage `json:"verdicts"`
		}{factsOf(problemTexts), factsOf(errorTexts), factsOf(checkTexts), factsOf(stepTexts), factsOf(verdictTexts)})
	}
	var finding, without, statuses [][]string
	for _, one := range checkTexts {
		var facts struct{ Codes []string }
		if err := json.Unmarshal([]byte(one.facts), &facts); err != nil {
			return err
		}
		if len(facts.Codes) > 0 {
			finding = append(finding, []string{one.name, strings.Join(facts.Codes, ", ")})
		} else {
			without = append(without, []string{one.name})
		}
	}
	for _, one := range errorTexts {
		var facts struct{ Status int }
		if err := json.Unmarshal([]byte(one.facts), &facts); err != nil {
			return err
		}
		status := fmt.Sprint(facts.Status)
		at := slices.IndexFunc(statuses, func(row []string) bool { return row[0] == status })
		if at < 0 {
			statuses = append(statuses, []string{status, one.name})
		} else {
			statuses[at][1] += ", " + one.name
		}
	}
	var others []string
	for _, row := range without {
		others = append(others, row[0])
	}
	lines := append([]string{"Codes of reports, by the check that finds them:", ""}, table(finding, "  ")...)
	lines = append(append(lines, "", "Checks without their own code:", ""), render.Wrap(strings.Join(others, ", "), "  ", "  ")...)
	lines = append(append(lines, "", "Codes of the service, by the status of its answer:", ""), table(statuses, "  ")...)
	var steps []string
	for _, one := range stepTexts {
		steps = append(steps, one.name)
	}
	lines = append(append(lines, "", "Steps of a verdict:", ""), render.Wrap(strings.Join(steps, ", "), "  ", "  ")...)
	var verdicts []string
	for _, one := range verdictTexts {
		verdicts = append(verdicts, one.name)
	}
	lines = append(append(lines, "", "Verdicts:", ""), render.Wrap(strings.Join(verdicts, ", "), "  ", "  ")...)
	s.out.lines(append(append(lines, ""),
		render.Wrap("svc explain CODE says what one means and what to do; svc explain CHECK says what it looks at.", "", "")...)...)
	return nil
}

func factsOf(list []explained) (facts []json.RawMessage) {
	for i := range list {
		facts = append(facts, list[i].json())
	}
	return facts
}

// knownCodes returns the names of all codes, checks, steps and verdicts, each once.
func knownCodes() (names []string) {
	for _, list := range [][]explained{problemTexts, errorTexts, checkTexts, stepTexts, verdictTexts} {
		for _, one := range list {
			if !slices.Contains(names, one.name) {
				names = append(names, one.name)
			}
		}
	}
	return names
}

// unknownCode returns the refusal of a name that is not explained.
func unknownCode(name string) error {
	names := knownCodes()
	start := []rune(name)
	start = []rune(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(string(start[:min(len(start), 4*longestWord)]))), "-", "_"))
	word := string(start[:min(len(start), longestWord)])
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(cmdline.Distance(word, asWord(a)), cmdline.Distance(word, asWord(b)))
	})
	near := names[:proposed]
	return refuse(exitUsage, `"`+render.Shorten(name)+`" is no code, no check, no step and no verdict.`,
		"Nearest are "+strings.Join(near[:proposed-1], ", ")+" and "+near[proposed-1]+". svc explain lists all.")
}

func asWord(name string) string { return strings.ReplaceAll(name, "-", "_") }
