package examine

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// A bundleWindow is a window of a bundle.
type bundleWindow struct {
	value        jsonx.Value
	path         string
	no, from, to int64
	hash         digest.Hash
}

// bundleWindows examines the windows of a bundle: seals, places, and the records under them.
func (e *exam) bundleWindows(b *bundle) {
	const check = report.CheckWindowTiling
	dueNo, dueFrom := b.prior+1, b.from
	for i := range b.windows {
		w := &b.windows[i]
		e.windowSeal(w.value, w.path)
		e.windowLeaves(report.CheckWindowRoot, w.value, w.path)
		e.windowInclusions(w.value, w.path)
		e.windowRecords(b, w)
		e.looked(check, 1)
		e.windowPlace(check, w.value, w.path)
		if !w.value.Get("stream_id").IsText(b.stream) {
			e.fault(check, report.CodeStreamMismatch, w.path+"/stream_id", "The window is of another stream.")
		}
		e.isDue(check, w.no, dueNo, w.path+"/window_no")
		e.isDue(check, w.from, dueFrom, w.path+"/from_seq_no")
		dueNo, dueFrom = w.no+1, w.to+1
	}
	if len(b.windows) > 0 && e.tally(report.CheckInclusion).count == 0 {
		e.notChecked(report.CheckInclusion, "no inclusion proofs: the events themselves are here, and give each window's root")
	}
}

// isDue holds a number against the one that is due: past it is a gap, before it a repeat or overlap.
func (e *exam) isDue(check report.CheckID, actual, due int64, path string) {
	if actual == due {
		return
	}
	code := report.CodeRangeIncomplete
	if actual < due {
		code = report.CodeSequenceBroken
	}
	e.reject(check, finding{code: code, path: path, message: "Another number is due here.", expected: itoa(due), actual: itoa(actual)})
}

// windowRecords holds the records of a window's range against its root and head.
func (e *exam) windowRecords(b *bundle, w *bundleWindow) {
	const check = report.CheckWindowRoot
	e.looked(check, 1)
	events := b.records.take(w.to)
	path := w.path + "/window_root"
	if int64(len(events)) != w.to-w.from+1 {
		e.reject(check, finding{
			code: report.CodeWindowRootMismatch, path: path, message: "The window covers another number of events.",
			expected: itoa(w.to - w.from + 1), actual: itoa(int64(len(events))),
		})
		return
	}
	leaves := make([]merkle.Hash, 0, len(events))
	for _, event := range events {
		leaves = append(leaves, e.k.LeafHash(event[:]))
	}
	root, _ := e.k.Root(leaves)
	e.expect(check, root == hashOf(w.value, "window_root"), report.CodeWindowRootMismatch, path, "The records do not give the window's root.")
	last := []byte(`"` + hexOf(events[len(events)-1]) + `"`)
	head := headHashOf(e.k, last, w.value.Get("to_seq_no").Canonical(), w.value.Get("stream_id").Canonical())
	e.expect(check, head == hashOf(w.value, "stream_head_hash"), report.CodeHeadHashMismatch, path, "The records do not give the window's head.")
}

// window returns the window that stands where the number is due; nil where none does.
func (b *bundle) window(no int64) *bundleWindow {
	if index := no - b.prior - 1; index >= 0 && index < int64(len(b.windows)) {
		return &b.windows[index]
	}
	return nil
}

// A rootTable is the tree of a bundle's windows over its frontier. It gives root and frontier at a size.
type rootTable struct {
	e    *exam
	b    *bundle
	size int64
	// hashes is the frontier at size.
	hashes []merkle.Hash
}

// at returns the frontier of the tree of so many windows; ok is false for a size that the bundle does not give.
func (t *rootTable) at(count int64) (frontier []merkle.Hash, ok bool) {
	if count < t.b.prior || count > t.b.prior+int64(len(t.b.windows)) {
		return nil, false
	}
	if count < t.size || t.hashes == nil {
		t.size, t.hashes = t.b.prior, t.b.frontier
	}
	leaves := make([]merkle.Hash, 0, count-t.size)
	for i := t.size - t.b.prior; i < count-t.b.prior; i++ {
		leaves = append(leaves, t.e.k.LeafHash(t.b.windows[i].hash[:]))
	}
	grown, err := t.e.k.AppendLeaves(uint64(t.size), t.hashes, leaves)
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
	return t.e.k.RootOfFrontier(frontier)
}
