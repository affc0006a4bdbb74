package fork

import (
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/anchor"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A Side is one side of fork evidence (protocol section 11).
type Side struct {
	value jsonx.Value
	path  string
	// sort is receipt, window, checkpoint, anchor or note.
	sort       string
	record     receipt.Record
	window     *window.Window
	checkpoint *checkpoint.Checkpoint
	note       *note.Note
	head       note.Head
	// isWitness says that the lines of witnesses count, and not those of the log.
	isWitness bool
	// part is the examination of the side by itself.
	part *examination.Exam
	// signers are the keys that signed it; a nil key is one that nobody told.
	signers []examination.Signer
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
		if values.Has(value, one.member) {
			return one.kind
		}
	}
	return ""
}

// sideForm returns how an object is examined that stands as a side.
func sideForm(kind report.Kind) *examination.Form {
	switch kind {
	case report.KindReceipt:
		return receipt.Form()
	case report.KindWindow:
		return window.Form()
	case report.KindCheckpoint:
		return checkpoint.Form()
	default:
		return anchor.Form()
	}
}

// faults returns the faults of form between the members of fork evidence, and those of its sides.
func faults(object jsonx.Value) []finding.Finding { return FaultsAt(object, "") }

// FaultsAt returns the faults of form between the members of evidence that is at a path.
func FaultsAt(object jsonx.Value, path string) (found []finding.Finding) {
	for _, name := range []string{"left", "right"} {
		side, sidePath := object.Get(name), path+"/"+name
		if side.Kind() == jsonx.String {
			continue
		}
		kind := sideKind(side)
		if kind == "" {
			found = append(found, finding.Finding{Code: report.CodeMalformed, Path: sidePath, Message: "It is no side of fork evidence."})
			continue
		}
		f := sideForm(kind)
		faults := finding.Shape(f.Schema, side, 1)
		if len(faults) == 0 && f.Faults != nil {
			faults = f.Faults(side)
		}
		for _, one := range faults {
			one.Path = sidePath + one.Path
			found = append(found, one)
		}
	}
	switch isOmission := values.Text(object, "kind") == "omission"; {
	case isOmission && !values.Has(object, "policy"):
		found = append(found, finding.Finding{Code: report.CodeMissingMember, Path: path + "/policy", Message: "An omission is judged by a policy."})
	case !isOmission && values.Has(object, "policy"):
		found = append(found, finding.Finding{Code: report.CodeUnknownMember, Path: path + "/policy", Message: "Only an omission has a policy."})
	}
	return found
}

// readSide reads a side; ok is false for a text that is no note of a head.
func readSide(value jsonx.Value, path string) (s *Side, ok bool) {
	s = &Side{value: value, path: path}
	if whole, isText := value.Text(); isText {
		s.sort = "note"
		if s.note, ok = note.Parse(whole); ok {
			s.head, ok = ReadHead(s.note)
		}
		return s, ok
	}
	switch kind := sideKind(value); kind {
	case report.KindReceipt:
		s.record = receipt.Read(value)
	case report.KindWindow:
		s.window = window.Read(value, path)
	case report.KindCheckpoint:
		s.checkpoint = checkpoint.Read(value, path)
	}
	s.sort = string(sideKind(value))
	return s, true
}

// ReadHead reads the text of a note as that of a tree, with any lines behind it; its origin is a key name.
func ReadHead(n *note.Note) (head note.Head, ok bool) {
	head, ok = note.ParseHead(n.Text)
	if !ok || !schema.Matches(tables.FormatKeyName, []byte(head.Origin)) {
		return note.Head{}, false
	}
	return head, true
}

// stream returns the stream of a side; empty for an anchor, and for a note whose origin ends in no stream id.
func (s *Side) stream() string {
	if s.sort != "note" {
		return values.Text(s.value, "stream_id")
	}
	return StreamOf(s.head.Origin)
}

// StreamOf returns the stream id in which the origin of a note ends; empty for one that ends in none.
func StreamOf(origin string) string {
	slash := strings.LastIndexByte(origin, '/')
	if slash < 0 || !schema.Matches(tables.FormatStreamID, []byte(origin[slash+1:])) {
		return ""
	}
	return origin[slash+1:]
}

// Stated returns the origin that a side states; empty where it states none.
func (s *Side) Stated() (origin string, ok bool) {
	if s.sort == "note" {
		return s.head.Origin, s.head.Origin != ""
	}
	stated := s.value.Get("origin")
	return values.Text(s.value, "origin"), stated.Exists()
}
