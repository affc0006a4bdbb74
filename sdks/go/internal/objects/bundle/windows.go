package bundle

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// examineWindows examines the windows of a bundle: seals, places, and the records under them.
func examineWindows(e *examination.Exam, b *bundle) {
	const check = report.CheckWindowTiling
	dueNo, dueFrom := b.Prior+1, b.From
	for i := range b.windows {
		w := &b.windows[i]
		window.ExamineSeal(e, w.Value, w.Path)
		window.HoldLeaves(e, report.CheckWindowRoot, w.Value, w.Path)
		window.HoldInclusions(e, w.Value, w.Path)
		windowRecords(e, b, w)
		e.Looked(check, 1)
		window.HoldPlace(e, check, w.Value, w.Path)
		if !w.Value.Get("stream_id").IsText(b.Stream) {
			e.Fault(check, report.CodeStreamMismatch, w.Path+"/stream_id", "The window is of another stream.")
		}
		isDue(e, check, w.No, dueNo, w.Path+"/window_no")
		isDue(e, check, w.From, dueFrom, w.Path+"/from_seq_no")
		dueNo, dueFrom = w.No+1, w.To+1
	}
	if len(b.windows) > 0 && e.Tally(report.CheckInclusion).Count == 0 {
		e.NotChecked(report.CheckInclusion, "no inclusion proofs: the events themselves are here, and give each window's root")
	}
}

// isDue holds a number against the one that is due: past it is a gap, before it a repeat or overlap.
func isDue(e *examination.Exam, check report.CheckID, actual, due int64, path string) {
	if actual == due {
		return
	}
	code := report.CodeRangeIncomplete
	if actual < due {
		code = report.CodeSequenceBroken
	}
	e.Reject(check, finding.Finding{
		Code: code, Path: path, Message: "Another number is expected here.", Expected: values.Itoa(due), Actual: values.Itoa(actual),
	})
}

// windowRecords holds the records of a window's range against its root and head.
func windowRecords(e *examination.Exam, b *bundle, w *window.Window) {
	const check = report.CheckWindowRoot
	e.Looked(check, 1)
	events := b.records.take(w.To)
	path := w.Path + "/window_root"
	if int64(len(events)) != w.To-w.From+1 {
		e.Reject(check, finding.Finding{
			Code: report.CodeWindowRootMismatch, Path: path, Message: "The window covers another number of events.",
			Expected: values.Itoa(w.To - w.From + 1), Actual: values.Itoa(int64(len(events))),
		})
		return
	}
	leaves := make([]merkle.Hash, 0, len(events))
	for _, event := range events {
		leaves = append(leaves, e.Kernel.LeafHash(event[:]))
	}
	root, _ := e.Kernel.Root(leaves)
	e.Expect(check, root == values.Hash(w.Value, "window_root"), report.CodeWindowRootMismatch, path, "The records do not give the window's root.")
	last := []byte(`"` + values.Hex(events[len(events)-1]) + `"`)
	head := receipt.HeadHash(e.Kernel, last, w.Value.Get("to_seq_no").Canonical(), w.Value.Get("stream_id").Canonical())
	e.Expect(check, head == values.Hash(w.Value, "stream_head_hash"), report.CodeHeadHashMismatch, path, "The records do not give the window's head.")
}

// window returns the window that stands where the number is due; nil where none does.
func (b *bundle) window(no int64) *window.Window {
	if index := no - b.Prior - 1; index >= 0 && index < int64(len(b.windows)) {
		return &b.windows[index]
	}
	return nil
}

// A rootTable is the tree of a bundle's windows over its frontier. It gives root and frontier at a size.
type rootTable struct {
	k    kernel.Kernel
	b    *bundle
	size int64
	// hashes is the frontier at size.
	hashes []merkle.Hash
}

// at returns the frontier of the tree of so many windows; ok is false for a size that the bundle does not give.
func (t *rootTable) at(count int64) (frontier []merkle.Hash, ok bool) {
	if count < t.b.Prior || count > t.b.Prior+int64(len(t.b.windows)) {
		return nil, false
	}
	if count < t.size || t.hashes == nil {
		t.size, t.hashes = t.b.Prior, t.b.Frontier
	}
	leaves := make([]merkle.Hash, 0, count-t.size)
	for i := t.size - t.b.Prior; i < count-t.b.Prior; i++ {
		leaves = append(leaves, t.k.LeafHash(t.b.windows[i].Hash[:]))
	}
	grown, err := t.k.AppendLeaves(uint64(t.size), t.hashes, leaves)
	if err != nil {
		return nil, false
	}
	t.size, t.hashes = count, grown
	return grown, true
}

func (t *rootTable) root(count int64) (root merkle.Hash, ok bool) {
	frontier, ok := t.at(count)
	if !ok {
		return root, false
	}
	return t.k.RootOfFrontier(frontier)
}
