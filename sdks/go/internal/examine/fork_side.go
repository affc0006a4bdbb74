package examine

import (
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A forkSide is one side of fork evidence (protocol section 11).
type forkSide struct {
	value jsonx.Value
	path  string
	// sort is receipt, window, checkpoint, anchor or note.
	sort       string
	record     record
	window     *bundleWindow
	checkpoint *checkpoint
	note       *note.Note
	head       note.Head
	// isWitness says that the lines of witnesses count, and not those of the log.
	isWitness bool
	// part is the examination of the side by itself.
	part *exam
	// signers are the keys that signed it; a nil key is one that nobody told.
	signers []signer
}

// sides holds what tells an object as a side, in this order.
var sides = []struct {
	member string
	kind   report.Kind
}{
	{"stream_event_id", report.KindReceipt}, {"window_id", report.KindWindow},
	{"checkpoint_id", report.KindCheckpoint}, {"anchor_epoch_id", report.KindAnchor},
}

func sideKind(value jsonx.Value) report.Kind {
	for _, one := range sides {
		if has(value, one.member) {
			return one.kind
		}
	}
	return ""
}

// forkFaults returns the faults of form between the members of fork evidence, and those of its sides.
func forkFaults(object jsonx.Value) []finding { return forkFaultsAt(object, "") }

func forkFaultsAt(object jsonx.Value, path string) (found []finding) {
	for _, name := range []string{"left", "right"} {
		side, sidePath := object.Get(name), path+"/"+name
		if side.Kind() == jsonx.String {
			continue
		}
		kind := sideKind(side)
		if kind == "" {
			found = append(found, finding{code: report.CodeMalformed, path: sidePath, message: "It is no side of fork evidence."})
			continue
		}
		f := formsOf(kind)[0]
		faults := shapeFindings(f.schema, side, 1)
		if len(faults) == 0 && f.faults != nil {
			faults = f.faults(side)
		}
		for _, one := range faults {
			one.path = sidePath + one.path
			found = append(found, one)
		}
	}
	switch isOmission := text(object, "kind") == "omission"; {
	case isOmission && !has(object, "policy"):
		found = append(found, finding{code: report.CodeMissingMember, path: path + "/policy", message: "An omission is judged by a policy."})
	case !isOmission && has(object, "policy"):
		found = append(found, finding{code: report.CodeUnknownMember, path: path + "/policy", message: "Only an omission has a policy."})
	}
	return found
}

// readSide reads a side; ok is false for a text that is no note of a head.
func (e *exam) readSide(value jsonx.Value, path string) (s *forkSide, ok bool) {
	s = &forkSide{value: value, path: path}
	if whole, isText := value.Text(); isText {
		s.sort = "note"
		if s.note, ok = note.Parse(whole); ok {
			s.head, ok = headOf(s.note)
		}
		return s, ok
	}
	switch kind := sideKind(value); kind {
	case report.KindReceipt:
		s.record = readRecord(value)
	case report.KindWindow:
		s.window = readWindow(value, path)
	case report.KindCheckpoint:
		s.checkpoint = e.readCheckpoint(value, path)
	}
	s.sort = string(sideKind(value))
	return s, true
}

// stream returns the stream of a side; empty for an anchor, and for a note whose origin ends in no stream id.
func (s *forkSide) stream() string {
	if s.sort != "note" {
		return text(s.value, "stream_id")
	}
	slash := strings.LastIndexByte(s.head.Origin, '/')
	if slash < 0 || !schema.Matches(tables.FormatStreamID, []byte(s.head.Origin[slash+1:])) {
		return ""
	}
	return s.head.Origin[slash+1:]
}

// stated returns the origin that a side states; empty where it states none.
func (s *forkSide) stated() (origin string, ok bool) {
	if s.sort == "note" {
		return s.head.Origin, s.head.Origin != ""
	}
	stated := s.value.Get("origin")
	return text(s.value, "origin"), stated.Exists()
}
