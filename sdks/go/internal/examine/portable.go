package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// portableFaults returns the faults of form between the members of a portable receipt (protocol section 13).
func portableFaults(object jsonx.Value) []finding { return portableFaultsAt(object, "") }

func portableFaultsAt(object jsonx.Value, path string) (found []finding) {
	if window := object.Get("window"); window.Exists() {
		found = append(found, windowFaultsAt(window, path+"/window")...)
	}
	if last := object.At("last_window", "window"); last.Exists() {
		found = append(found, windowFaultsAt(last, path+"/last_window/window")...)
	}
	for i, one := range object.At("witnesses", "witness_policies").Elements() {
		found = append(found, witnessPolicyFaults(one, at(path+"/witnesses/witness_policies", i))...)
	}
	c := object.Get("checkpoint")
	if !c.Exists() {
		return found
	}
	found = append(found, checkpointFaultsAt(c, path+"/checkpoint")...)
	window := object.Get("window")
	if !window.Exists() {
		return found
	}
	isLast := number(window, "window_no") == number(c, "window_count")
	switch {
	case isLast && has(object, "last_window"):
		found = append(found, finding{
			code: report.CodeUnknownMember, path: path + "/last_window", message: "The window is the checkpoint's last one itself.",
		})
	case !isLast && !has(object, "last_window"):
		found = append(found, finding{
			code: report.CodeMissingMember, path: path + "/last_window", message: "The checkpoint's last window is missing.",
		})
	}
	return found
}

// A portable is a portable receipt, read once; `path` is where it stands in the object.
type portable struct {
	value      jsonx.Value
	path       string
	record     record
	window     *bundleWindow
	lastWindow *bundleWindow
	checkpoint *checkpoint
}

func (e *exam) portableReceipt(object jsonx.Value) {
	p := e.portable(object, "")
	stream := textOf(p.record.stream)
	e.showRecord(stream, &p.record)
	if p.window != nil {
		e.showWindow(stream, p.window.no, p.window.hash)
	}
	e.about(textOf(p.record.eventID), textOf(p.record.stream), p.record.seqNo, p.record.seqNo)
}

// portable examines a portable receipt at a path.
func (e *exam) portable(object jsonx.Value, path string) *portable {
	p := &portable{value: object, path: path, record: readRecord(object.Get("receipt"))}
	r := &p.record
	if c := object.Get("checkpoint"); c.Exists() {
		p.checkpoint = e.readCheckpoint(c, path+"/checkpoint")
		e.origin = p.checkpoint.origin
		e.subject.Origin = statedBy(e.origin, textOf(r.stream))
	}
	e.received(r, r)
	if !r.payload.Exists() {
		e.redacted++
		e.notChecked(report.CheckPayloadHash, "the payload is left out")
	}
	e.record(r, path+"/receipt")
	if window := object.Get("window"); window.Exists() {
		p.window = readWindow(window, path+"/window")
		e.portableWindow(p.window, textOf(p.record.stream))
		e.portableInclusion(p)
	} else {
		e.notChecked(report.CheckInclusion, "no window here: nothing shows that the event is in one")
	}
	if p.checkpoint != nil {
		e.portableCheckpoint(p)
		return p
	}
	for _, check := range []report.CheckID{
		report.CheckCheckpointRoot, report.CheckWitness, report.CheckAnchor, report.CheckKnownCheckpoint,
	} {
		e.notChecked(check, "no checkpoint here")
	}
	return p
}

func readWindow(window jsonx.Value, path string) *bundleWindow {
	return &bundleWindow{
		value: window, path: path, no: number(window, "window_no"), from: number(window, "from_seq_no"),
		to: number(window, "to_seq_no"), hash: windowSeal.hash(window),
	}
}

// portableWindow examines one of the windows of a portable receipt.
func (e *exam) portableWindow(w *bundleWindow, stream string) {
	const check = report.CheckWindowSeal
	e.windowSeal(w.value, w.path)
	e.expect(check, w.value.Get("stream_id").IsText(stream), report.CodeStreamMismatch, w.path+"/stream_id",
		"The window is of another stream.")
	e.windowPlace(check, w.value, w.path)
	e.windowLeaves(report.CheckInclusion, w.value, w.path)
	e.windowInclusions(w.value, w.path)
}

func (e *exam) portableInclusion(p *portable) {
	const check = report.CheckInclusion
	w, inclusion, path := p.window, p.value.Get("inclusion"), p.path+"/inclusion"
	e.looked(check, 1)
	e.expect(check, e.isIncludedIn(inclusion, w.value), report.CodeInclusionInvalid, path+"/inclusion_path",
		"The inclusion proof does not hold in the window.")
	isRecords := number(inclusion, "seq_no") == p.record.seqNo && inclusion.Get("event_hash").Equal(p.record.eventHash)
	e.expect(check, isRecords, report.CodeInclusionInvalid, path+"/event_hash", "The inclusion proof is of another event.")
	if w.to == p.record.seqNo {
		e.expect(report.CheckWindowSeal, w.value.Get("stream_head_hash").Equal(p.record.head), report.CodeHeadHashMismatch,
			w.path+"/stream_head_hash", "The window ends with the event, and states another head.")
	}
}

func (e *exam) portableCheckpoint(p *portable) {
	c := p.checkpoint
	e.checkpoint(c, true)
	e.expect(report.CheckCheckpointRoot, c.stream == textOf(p.record.stream), report.CodeStreamMismatch,
		c.path+"/stream_id", "The checkpoint is of another stream.")
	p.lastWindow = p.window
	in := p.value.Get("checkpoint_inclusion")
	areSame := number(in, "window_no") == p.window.no && number(in, "window_count") == c.count
	e.underCheckpoint(p, p.window, in, areSame, p.path+"/checkpoint_inclusion/path")
	if last := p.value.Get("last_window"); last.Exists() {
		p.lastWindow = readWindow(last.Get("window"), p.path+"/last_window/window")
		e.portableWindow(p.lastWindow, c.stream)
		e.underCheckpoint(p, p.lastWindow, last, true, p.path+"/last_window/path")
		e.expect(report.CheckInclusion, p.lastWindow.no == c.count, report.CodeInclusionInvalid,
			p.lastWindow.path+"/window_no", "It is not the checkpoint's last window.")
		e.portableRoom(p)
	}
	e.endsWith(c, p.lastWindow, c.path)
	e.state(c)
	threshold := int64(-1)
	known := newKnownWitnesses(e)
	quorumPath := c.path + "/note"
	var list *cosignatures
	if witnesses := p.value.Get("witnesses"); witnesses.Exists() {
		list, threshold = e.portableWitnesses(p, witnesses)
		known = newKnownWitnesses(e, items(witnesses.Get("witness_policies"))...)
		quorumPath = p.path + "/witnesses/statements"
	} else {
		list = e.cosignatures(c, known)
		e.notChecked(report.CheckPolicy, "no policies here")
	}
	var anchors []*anchor
	if value := p.value.Get("anchor"); value.Exists() {
		anchors = e.anchorsBeside([]jsonx.Value{value}, func(int) string { return p.path + "/anchor" }, []*checkpoint{c}, known)
	} else {
		e.notChecked(report.CheckAnchor, "no anchor here")
	}
	e.settle()
	e.newest(c, list, threshold, quorumPath)
	e.dateBy(anchors, []*checkpoint{c})
	for _, a := range anchors {
		if a.covers(c.id, c.hash) {
			e.raise(a)
		}
	}
	e.isIncluded = e.isClean(report.CheckPayloadHash, report.CheckEventHash, report.CheckInclusion, report.CheckWindowSeal,
		report.CheckCheckpointRoot, report.CheckCheckpointSeal, report.CheckNote)
}

// underCheckpoint holds a window's hash against the checkpoint's tree, and the window against the one that is listed.
func (e *exam) underCheckpoint(p *portable, w *bundleWindow, proof jsonx.Value, areSame bool, path string) {
	c := p.checkpoint
	e.looked(report.CheckInclusion, 1)
	holds := e.k.VerifyInclusion(e.k.LeafHash(w.hash[:]), uint64(w.no-1), uint64(c.count), hashes(proof.Get("path")), c.root)
	e.expect(report.CheckInclusion, holds && areSame, report.CodeInclusionInvalid, path, "The window is no leaf of the checkpoint's tree.")
	for i := range c.listed {
		if listed := &c.listed[i]; listed.no == w.no {
			e.expect(report.CheckCheckpointRoot, w.isListedAs(listed), report.CodeCheckpointWindowMismatch,
				at(c.path+"/window_roots", i), "The window that the checkpoint lists is not the one here.")
			break
		}
	}
}

// isListedAs says whether a window is the one that a checkpoint lists.
func (w *bundleWindow) isListedAs(listed *listedWindow) bool {
	return w.no == listed.no && w.hash == listed.hash && w.from == listed.from && w.to == listed.to &&
		w.value.Get("window_root").Equal(listed.value.Get("window_root"))
}

// portableRoom holds the place of the last window against that of the event's.
func (e *exam) portableRoom(p *portable) {
	w, last := p.window, p.lastWindow
	path := last.path + "/from_seq_no"
	room, between := last.from-w.to-1, last.no-w.no-1
	e.expect(report.CheckWindowSeal, room >= between, report.CodeSequenceBroken, path,
		"There is no room for the windows between the two.")
	if between == 0 && room > 0 {
		e.fault(report.CheckWindowSeal, report.CodeRangeIncomplete, path, "The next window does not start right after the event's.")
	}
}

// portableWitnesses examines the policies and statements that a portable receipt shows; it returns the threshold, or
// -1.
func (e *exam) portableWitnesses(p *portable, shown jsonx.Value) (*cosignatures, int64) {
	const check = report.CheckPolicy
	c, path := p.checkpoint, p.path+"/witnesses"
	book := newPolicyBook(e.k, shown)
	for _, sort := range []struct {
		list, digest string
		line         []byte
		book         map[string]jsonx.Value
	}{
		{"policies", "policy_digest", policyLine, book.policies},
		{"witness_policies", "witness_policy_digest", witnessPolicyLine, book.witnessPolicies},
	} {
		e.looked(check, 1)
		list, listPath := items(shown.Get(sort.list)), path+"/"+sort.list
		e.ascend(check, list, listPath, byNumber("policy_version"))
		ofCheckpoint, ofWindow := text(c.value, sort.digest), text(p.window.value, sort.digest)
		newest, isShown := sort.book[ofCheckpoint]
		e.expect(check, isShown, report.CodePolicyDigestMismatch, listPath, "The policy that the checkpoint names is not shown.")
		seen := map[string]bool{}
		for _, one := range list {
			digest := hexOf(e.k.Digest(sort.line, one.Canonical()))
			if seen[digest] {
				continue
			}
			seen[digest] = true
			e.expect(check, digest == ofCheckpoint || digest == ofWindow, report.CodePolicyDigestMismatch, listPath,
				"Neither the checkpoint nor the event's window names the policy.")
			e.expect(check, one.Get("policy_id").Equal(c.value.Get("policy_id")), report.CodePolicyChanged, listPath,
				"The policy changes along the stream.")
		}
		if older, ok := sort.book[ofWindow]; ok && isShown {
			e.expect(check, number(newest, "policy_version") >= number(older, "policy_version"), report.CodePolicyVersionDecreased, listPath,
				"The checkpoint has an older version than the event's window.")
		}
	}
	e.isIndependent(c, book)
	policy := book.witnessPolicies[text(c.value, "witness_policy_digest")]
	list := e.cosignatures(c, newKnownWitnesses(e, policy))
	statements := items(shown.Get("statements"))
	e.ascend(report.CheckWitness, statements, path+"/statements", byStatement)
	for i, one := range statements {
		list.statement(one, at(path+"/statements", i))
	}
	if !policy.Exists() {
		return list, -1
	}
	return list, number(policy, "threshold")
}
