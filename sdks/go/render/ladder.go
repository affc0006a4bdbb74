package render

import (
	"fmt"
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A mark is the sign of a step and its tone.
type mark struct{ sign, tone string }

var marks = map[string]mark{"shown": {"●", "good"}, "shown_in_part": {"◐", "warn"}, "not_shown": {"○", ""}}

// ladder returns the steps of an object that was not rejected, as lines.
func (p *page) ladder(paint painter) (lines []string) {
	values := p.values()
	for _, step := range tables.Steps {
		if len(p.say([]tables.Sentence{step.When}, values)) == 0 {
			continue
		}
		fill := p.placeholders(step.ID, values)
		sign := mark{}
		if said := p.say(step.Marks, values); len(said) > 0 {
			sign = marks[said[0]]
		}
		label := fmt.Sprintf("  %-11s", step.ID)
		text := Wrap(strings.Join(p.say(step.Clauses, values, fill...), "; "), label+sign.sign+"  ", strings.Repeat(" ", len(label)+3))
		text[0] = strings.Replace(text[0], sign.sign, paint(sign.tone, sign.sign), 1)
		lines = append(lines, text...)
	}
	return lines
}

// placeholders returns what is in the sentences of a step, and sets the dimension held.
func (p *page) placeholders(step string, values map[string]string) []string {
	r := p.report
	held := p.holding()
	if step == "signed" {
		var signatures []string
		for _, one := range held {
			if strings.Contains(one, "signature") {
				signatures = append(signatures, one)
			}
		}
		held = signatures
	}
	dimension, text := heldIn(held)
	values["held"] = dimension
	windows := checkOf(r, report.CheckWindowRoot).Count
	if windows == 0 {
		windows = min(1, checkOf(r, report.CheckWindowSeal).Count)
	}
	noun := tables.KindNouns[string(r.Kind)]
	pairs := []string{
		"{held}", text, "{windows}", Counted(windows, "window", "windows"),
		"{checkpoints}", Counted(checkOf(r, report.CheckCheckpointRoot).Count, "checkpoint", "checkpoints"),
		"{this}", "this " + strings.TrimPrefix(strings.TrimPrefix(noun, "a "), "an "),
		"{valid}", Grouped(r.Assurance.Witnessed.Valid), "{pinned}", Grouped(r.Assurance.Witnessed.Pinned),
		"{required}", Grouped(r.Assurance.Witnessed.Required), "{level_note}", checkOf(r, report.CheckAssurance).Note,
	}
	if v := r.Assurance.Provenance; v != nil {
		pairs = append(pairs, "{installations}", Grouped(v.Installations), "{levels}", levelsOf(&v.Effective))
	}
	return pairs
}

// levelsOf returns the level of all events; of several each with its number, the highest first.
func levelsOf(e *report.Effective) string {
	var names, said []string
	for _, one := range []struct {
		name  string
		count int64
	}{{"L3", e.L3}, {"L2", e.L2}, {"L1", e.L1}, {"L0", e.L0}} {
		if one.count > 0 {
			names = append(names, one.name)
			said = append(said, Grouped(one.count)+" at "+one.name)
		}
	}
	switch len(names) {
	case 0:
		return "L0"
	case 1:
		return names[0]
	default:
		return strings.Join(said, ", ")
	}
}
