package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// windowFaults returns the faults of form between the members of a window.
func windowFaults(window jsonx.Value) []finding { return windowFaultsAt(window, "") }

func windowFaultsAt(window jsonx.Value, path string) []finding {
	if number(window, "to_seq_no") >= number(window, "from_seq_no") {
		return nil
	}
	return []finding{{code: report.CodeMalformed, path: path + "/to_seq_no", message: "The window ends before it starts."}}
}

// loneWindow examines a window by itself.
func (e *exam) loneWindow(window jsonx.Value) {
	e.about(text(window, "window_id"), text(window, "stream_id"), number(window, "from_seq_no"), number(window, "to_seq_no"))
	e.window(window, "")
	e.windowPlace(report.CheckWindowRoot, window, "")
	if !has(window, "leaves") {
		e.notChecked(report.CheckWindowRoot, "the window carries no leaves")
	}
	if !has(window, "inclusions") {
		e.notChecked(report.CheckInclusion, "the window carries no inclusion proofs")
	}
	e.showWindow(text(window, "stream_id"), number(window, "window_no"), windowSeal.hash(window))
}

// windowPlace holds the place of a window against its number.
func (e *exam) windowPlace(check report.CheckID, window jsonx.Value, path string) {
	no, from := number(window, "window_no"), number(window, "from_seq_no")
	switch {
	case no == 1 && from != 1:
		e.fault(check, report.CodeRangeIncomplete, path+"/from_seq_no", "Window 1 starts at event 1: events before it are missing.")
	case from < no:
		e.fault(check, report.CodeSequenceBroken, path+"/from_seq_no", "Each window before it holds at least one event.")
	}
}

// window examines the seal of a window, and the leaves and inclusions that it carries.
func (e *exam) window(window jsonx.Value, path string) {
	e.windowSeal(window, path)
	e.windowLeaves(report.CheckWindowRoot, window, path)
	e.windowInclusions(window, path)
}

func (e *exam) windowSeal(window jsonx.Value, path string) {
	e.seal(report.CheckWindowSeal, windowSeal, window, window.Get("seal"), sealUse{
		path: path + "/seal", role: report.RoleWindow, what: "window", no: number(window, "window_no"),
		stream: text(window, "stream_id"), ownTime: text(window, "closed_at"), eventNo: number(window, "to_seq_no"),
	}, nil)
}

// windowLeaves holds the leaves of a window, where it carries them, against its root and head.
func (e *exam) windowLeaves(check report.CheckID, window jsonx.Value, path string) {
	leaves := window.Get("leaves")
	if !leaves.Exists() {
		return
	}
	e.looked(check, 1)
	path += "/leaves"
	count := number(window, "to_seq_no") - number(window, "from_seq_no") + 1
	list := make([]merkle.Hash, 0, leaves.Len())
	for _, one := range hashes(leaves) {
		list = append(list, e.k.LeafHash(one[:]))
	}
	root, ok := e.k.Root(list)
	if int64(len(list)) != count || !ok || root != hashOf(window, "window_root") {
		e.fault(check, report.CodeWindowRootMismatch, path, "The leaves of the window do not give its root.")
	}
	if int64(len(list)) != count {
		return
	}
	var last jsonx.Value
	for _, one := range leaves.Elements() {
		last = one
	}
	head := headHashOf(e.k, last.Canonical(), window.Get("to_seq_no").Canonical(), window.Get("stream_id").Canonical())
	if head != hashOf(window, "stream_head_hash") {
		e.fault(check, report.CodeHeadHashMismatch, path, "The last leaf of the window does not give its head.")
	}
}

// windowInclusions holds the inclusions of a window, where it carries them, against it.
func (e *exam) windowInclusions(window jsonx.Value, path string) {
	for i, one := range items(window.Get("inclusions")) {
		e.looked(report.CheckInclusion, 1)
		if !e.isIncludedIn(one, window) {
			e.fault(report.CheckInclusion, report.CodeInclusionInvalid, at(path+"/inclusions", i)+"/inclusion_path",
				"The inclusion proof does not hold in the window.")
		}
	}
}

// isIncludedIn says whether an inclusion holds, and in this window.
func (e *exam) isIncludedIn(inclusion, window jsonx.Value) bool {
	from := number(window, "from_seq_no")
	return e.inclusionHolds(inclusion) &&
		inclusion.Get("window_id").Equal(window.Get("window_id")) &&
		inclusion.Get("window_root").Equal(window.Get("window_root")) &&
		number(inclusion, "tree_size") == number(window, "to_seq_no")-from+1 &&
		number(inclusion, "leaf_index") == number(inclusion, "seq_no")-from
}

// inclusionHolds says whether the leaf hash of an inclusion is its event hash's, and its path leads to its root.
func (e *exam) inclusionHolds(inclusion jsonx.Value) bool {
	event := hashOf(inclusion, "event_hash")
	leaf := e.k.LeafHash(event[:])
	return leaf == hashOf(inclusion, "leaf_hash") && e.k.VerifyInclusion(
		leaf, uint64(number(inclusion, "leaf_index")), uint64(number(inclusion, "tree_size")),
		hashes(inclusion.Get("inclusion_path")), hashOf(inclusion, "window_root"),
	)
}

// loneInclusion examines a bare inclusion, which nobody signed.
func (e *exam) loneInclusion(inclusion jsonx.Value) {
	seq := number(inclusion, "seq_no")
	e.subject.FromSeqNo, e.subject.ToSeqNo = seq, seq
	e.looked(report.CheckInclusion, 1)
	e.expect(report.CheckInclusion, e.inclusionHolds(inclusion), report.CodeInclusionInvalid, "/inclusion_path",
		"The inclusion proof does not hold.")
	e.unsigned("Nobody signed an inclusion proof: it shows nothing without the window that it names.", "")
}

// unsigned notes that an object has no signer whom trust could reach.
func (e *exam) unsigned(message, action string) {
	e.distrust(report.CheckTrust, finding{code: report.CodeKeyNotPinned, message: message, action: action}, "")
}

func idOf(object jsonx.Value, name string) *string {
	id, ok := object.Get(name).Text()
	if !ok {
		return nil
	}
	return &id
}
