// Package window examines windows and the inclusion of events in them (protocol section 8).
package window

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A Window is a window, read once (protocol section 8).
type Window struct {
	Value        jsonx.Value
	Path         string
	No, From, To int64
	Hash         digest.Hash
}

// SealForm is the form of the seal of a window.
var SealForm = examination.NewSealForm(examination.ProtocolWord, "window", "seal", "leaves", "inclusions")

// Form returns how a window is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "window", Faults: faults, Examine: examineLone}
}

// InclusionForm returns how a bare inclusion is examined.
func InclusionForm() *examination.Form {
	return &examination.Form{Schema: "inclusion", Examine: examineInclusion}
}

// faults returns the faults of form between the members of a window.
func faults(window jsonx.Value) []finding.Finding { return FaultsAt(window, "") }

// FaultsAt returns the faults of form between the members of a window that is at a path.
func FaultsAt(window jsonx.Value, path string) []finding.Finding {
	if values.Number(window, "to_seq_no") >= values.Number(window, "from_seq_no") {
		return nil
	}
	return []finding.Finding{{Code: report.CodeMalformed, Path: path + "/to_seq_no", Message: "The window ends before it starts."}}
}

// examineLone examines a window by itself.
func examineLone(e *examination.Exam, window jsonx.Value) {
	from, to := values.Number(window, "from_seq_no"), values.Number(window, "to_seq_no")
	e.About(values.Text(window, "window_id"), values.Text(window, "stream_id"), from, to)
	examine(e, window, "")
	HoldPlace(e, report.CheckWindowRoot, window, "")
	if !values.Has(window, "leaves") {
		e.NotChecked(report.CheckWindowRoot, "the window carries no leaves")
	}
	if !values.Has(window, "inclusions") {
		e.NotChecked(report.CheckInclusion, "the window carries no inclusion proofs")
	}
	e.ShowWindow(values.Text(window, "stream_id"), values.Number(window, "window_no"), SealForm.Hash(window))
}

// HoldPlace holds the place of a window against its number.
func HoldPlace(e *examination.Exam, check report.CheckID, window jsonx.Value, path string) {
	no, from := values.Number(window, "window_no"), values.Number(window, "from_seq_no")
	switch {
	case no == 1 && from != 1:
		e.Fault(check, report.CodeRangeIncomplete, path+"/from_seq_no", "Window 1 starts at event 1: events before it are missing.")
	case from < no:
		e.Fault(check, report.CodeSequenceBroken, path+"/from_seq_no", "Each window before it holds at least one event.")
	}
}

// examine examines the seal of a window, and the leaves and inclusions that it carries.
func examine(e *examination.Exam, window jsonx.Value, path string) {
	ExamineSeal(e, window, path)
	HoldLeaves(e, report.CheckWindowRoot, window, path)
	HoldInclusions(e, window, path)
}

// ExamineSeal examines the seal of a window.
func ExamineSeal(e *examination.Exam, window jsonx.Value, path string) {
	e.Seal(report.CheckWindowSeal, SealForm, window, window.Get("seal"), examination.SealUse{
		Path: path + "/seal", Role: report.RoleWindow, Name: "window", No: values.Number(window, "window_no"),
		Stream: values.Text(window, "stream_id"), OwnTime: values.Text(window, "closed_at"), EventNo: values.Number(window, "to_seq_no"),
	}, nil)
}

// HoldLeaves holds the leaves of a window, where it carries them, against its root and head.
func HoldLeaves(e *examination.Exam, check report.CheckID, window jsonx.Value, path string) {
	leaves := window.Get("leaves")
	if !leaves.Exists() {
		return
	}
	e.Looked(check, 1)
	path += "/leaves"
	count := values.Number(window, "to_seq_no") - values.Number(window, "from_seq_no") + 1
	list := make([]merkle.Hash, 0, leaves.Len())
	for _, one := range values.Hashes(leaves) {
		list = append(list, e.Kernel.LeafHash(one[:]))
	}
	root, ok := e.Kernel.Root(list)
	if int64(len(list)) != count || !ok || root != values.Hash(window, "window_root") {
		e.Fault(check, report.CodeWindowRootMismatch, path, "The leaves of the window do not give its root.")
	}
	if int64(len(list)) != count {
		return
	}
	var last jsonx.Value
	for _, one := range leaves.Elements() {
		last = one
	}
	head := receipt.HeadHash(e.Kernel, last.Canonical(), window.Get("to_seq_no").Canonical(), window.Get("stream_id").Canonical())
	if head != values.Hash(window, "stream_head_hash") {
		e.Fault(check, report.CodeHeadHashMismatch, path, "The last leaf of the window does not give its head.")
	}
}

// HoldInclusions holds the inclusions of a window, where it carries them, against it.
func HoldInclusions(e *examination.Exam, window jsonx.Value, path string) {
	for i, one := range values.Items(window.Get("inclusions")) {
		e.Looked(report.CheckInclusion, 1)
		if !IsIncludedIn(e, one, window) {
			e.Fault(report.CheckInclusion, report.CodeInclusionInvalid, values.At(path+"/inclusions", i)+"/inclusion_path",
				"The inclusion proof does not hold in the window.")
		}
	}
}

// IsIncludedIn says whether an inclusion holds, and in this window.
func IsIncludedIn(e *examination.Exam, inclusion, window jsonx.Value) bool {
	from := values.Number(window, "from_seq_no")
	return inclusionHolds(e, inclusion) &&
		inclusion.Get("window_id").Equal(window.Get("window_id")) &&
		inclusion.Get("window_root").Equal(window.Get("window_root")) &&
		values.Number(inclusion, "tree_size") == values.Number(window, "to_seq_no")-from+1 &&
		values.Number(inclusion, "leaf_index") == values.Number(inclusion, "seq_no")-from
}

// inclusionHolds says whether the leaf hash of an inclusion is its event hash's, and its path leads to its root.
func inclusionHolds(e *examination.Exam, inclusion jsonx.Value) bool {
	event := values.Hash(inclusion, "event_hash")
	leaf := e.Kernel.LeafHash(event[:])
	return leaf == values.Hash(inclusion, "leaf_hash") && e.Kernel.VerifyInclusion(
		leaf, uint64(values.Number(inclusion, "leaf_index")), uint64(values.Number(inclusion, "tree_size")),
		values.Hashes(inclusion.Get("inclusion_path")), values.Hash(inclusion, "window_root"),
	)
}

// examineInclusion examines a bare inclusion, which nobody signed.
func examineInclusion(e *examination.Exam, inclusion jsonx.Value) {
	seq := values.Number(inclusion, "seq_no")
	e.Subject.FromSeqNo, e.Subject.ToSeqNo = seq, seq
	e.Looked(report.CheckInclusion, 1)
	e.Expect(report.CheckInclusion, inclusionHolds(e, inclusion), report.CodeInclusionInvalid, "/inclusion_path",
		"The inclusion proof does not hold.")
	e.Unsigned("Nobody signed an inclusion proof: it shows nothing without the window that it names.", report.AskWindow)
}

// Read reads a window that is at a path.
func Read(window jsonx.Value, path string) *Window {
	return &Window{
		Value: window, Path: path, No: values.Number(window, "window_no"), From: values.Number(window, "from_seq_no"),
		To: values.Number(window, "to_seq_no"), Hash: SealForm.Hash(window),
	}
}
