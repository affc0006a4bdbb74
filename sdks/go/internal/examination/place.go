package examination

import (
	"strconv"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A placer finds the event, window, checkpoint and key that a path is about, by the object's own words (section 16).
type placer struct {
	whole jsonx.Value
	// arrays holds the elements of arrays that paths led through.
	arrays map[jsonx.Value][]jsonx.Value
}

// fill sets the members of a problem that its place in the object tells, and that are not set yet.
func (p *placer) fill(problem *report.Problem, path string) {
	at := p.whole
	take := func() {
		p.take(problem, at)
	}
	take()
	if path == "" {
		return
	}
	names := strings.Split(path[1:], "/")
	for depth, name := range names {
		if name == "payload" {
			return
		}
		at = p.step(at, name)
		if depth == 1 && names[0] == "payloads" {
			at = p.recordOf(schema.Unescape(name))
		}
		if !at.Exists() {
			return
		}
		take()
	}
}

func (p *placer) take(problem *report.Problem, value jsonx.Value) {
	if value.Kind() != jsonx.Object {
		return
	}
	for name, member := range value.Members() {
		label, _ := name.TextBytes()
		switch string(label) {
		case "seq_no":
			setNumber(&problem.SeqNo, member)
		case "window_no":
			setNumber(&problem.WindowNo, member)
		case "checkpoint_no":
			setNumber(&problem.CheckpointNo, member)
		case "kid":
			if kid, ok := member.TextBytes(); ok && problem.KID == "" && schema.Matches(tables.FormatKid, kid) {
				problem.KID = string(kid)
			}
		}
	}
}

func setNumber(to *int64, value jsonx.Value) {
	if number, ok := value.Int(); ok && number > 0 && *to == 0 {
		*to = number
	}
}

func (p *placer) step(value jsonx.Value, name string) jsonx.Value {
	if value.Kind() == jsonx.Object {
		return value.Get(schema.Unescape(name))
	}
	index, err := strconv.Atoi(name)
	if value.Kind() != jsonx.Array || err != nil || index < 0 || index >= value.Len() {
		return jsonx.Value{}
	}
	list, ok := p.arrays[value]
	if !ok {
		list = values.Items(value)
		if p.arrays == nil {
			p.arrays = map[jsonx.Value][]jsonx.Value{}
		}
		p.arrays[value] = list
	}
	return list[index]
}

func (p *placer) recordOf(event string) jsonx.Value {
	for _, record := range p.whole.At("artifacts", "receipts.json").Elements() {
		if record.Get("stream_event_id").IsText(event) {
			return record
		}
	}
	return jsonx.Value{}
}
