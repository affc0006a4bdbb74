// Package portable examines portable receipts (protocol section 13).
package portable

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/anchor"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how a portable receipt is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "portable-receipt", Faults: faults, Examine: examineLone}
}

// faults returns the faults of form between the members of a portable receipt (protocol section 13).
func faults(object jsonx.Value) []finding.Finding { return FaultsAt(object, "") }

// FaultsAt returns the faults of form between the members of a portable receipt that is at a path.
func FaultsAt(object jsonx.Value, path string) (found []finding.Finding) {
	if own := object.Get("window"); own.Exists() {
		found = append(found, window.FaultsAt(own, path+"/window")...)
	}
	if last := object.At("last_window", "window"); last.Exists() {
		found = append(found, window.FaultsAt(last, path+"/last_window/window")...)
	}
	for i, one := range object.At("witnesses", "witness_policies").Elements() {
		found = append(found, witness.PolicyFaults(one, values.At(path+"/witnesses/witness_policies", i))...)
	}
	c := object.Get("checkpoint")
	if !c.Exists() {
		return found
	}
	found = append(found, checkpoint.FaultsAt(c, path+"/checkpoint")...)
	own := object.Get("window")
	if !own.Exists() {
		return found
	}
	isLast := values.Number(own, "window_no") == values.Number(c, "window_count")
	switch {
	case isLast && values.Has(object, "last_window"):
		found = append(found, finding.Finding{
			Code: report.CodeUnknownMember, Path: path + "/last_window", Message: "The window is the checkpoint's last one itself.",
		})
	case !isLast && !values.Has(object, "last_window"):
		found = append(found, finding.Finding{
			Code: report.CodeMissingMember, Path: path + "/last_window", Message: "The checkpoint's last window is missing.",
		})
	}
	return found
}

// A Receipt is a portable receipt, read once; `path` is where it is in the object.
type Receipt struct {
	value      jsonx.Value
	path       string
	Record     receipt.Record
	window     *window.Window
	lastWindow *window.Window
	checkpoint *checkpoint.Checkpoint
}

func examineLone(e *examination.Exam, object jsonx.Value) {
	p := Examine(e, object, "")
	stream := values.TextOf(p.Record.Stream)
	receipt.Show(e, stream, &p.Record)
	if p.window != nil {
		e.ShowWindow(stream, p.window.No, p.window.Hash)
	}
	e.About(values.TextOf(p.Record.EventID), values.TextOf(p.Record.Stream), p.Record.SeqNo, p.Record.SeqNo)
}

// Examine examines a portable receipt at a path.
func Examine(e *examination.Exam, object jsonx.Value, path string) *Receipt {
	p := &Receipt{value: object, path: path, Record: receipt.Read(object.Get("receipt"))}
	r := &p.Record
	if c := object.Get("checkpoint"); c.Exists() {
		p.checkpoint = checkpoint.Read(c, path+"/checkpoint")
		e.Origin = p.checkpoint.Origin
		e.Subject.Origin = examination.StatedBy(e.Origin, values.TextOf(r.Stream))
	}
	receipt.Received(e, r, r)
	if !r.Payload.Exists() {
		e.Redacted++
		e.NotChecked(report.CheckPayloadHash, "the payload is left out")
	}
	receipt.Examine(e, r, path+"/receipt")
	if shown := object.Get("window"); shown.Exists() {
		p.window = window.Read(shown, path+"/window")
		examineWindow(e, p.window, values.TextOf(p.Record.Stream))
		holdInclusion(e, p)
	} else {
		e.NotChecked(report.CheckInclusion, "no window here: nothing shows that the event is in one")
	}
	if p.checkpoint != nil {
		examineCheckpoint(e, p)
		return p
	}
	for _, check := range []report.CheckID{
		report.CheckCheckpointRoot, report.CheckWitness, report.CheckAnchor, report.CheckKnownCheckpoint,
	} {
		e.NotChecked(check, "no checkpoint here")
	}
	return p
}

// examineWindow examines one of the windows of a portable receipt.
func examineWindow(e *examination.Exam, w *window.Window, stream string) {
	const check = report.CheckWindowSeal
	window.ExamineSeal(e, w.Value, w.Path)
	e.Expect(check, w.Value.Get("stream_id").IsText(stream), report.CodeStreamMismatch, w.Path+"/stream_id",
		"The window is of another stream.")
	window.HoldPlace(e, check, w.Value, w.Path)
	window.HoldLeaves(e, report.CheckInclusion, w.Value, w.Path)
	window.HoldInclusions(e, w.Value, w.Path)
}

func holdInclusion(e *examination.Exam, p *Receipt) {
	const check = report.CheckInclusion
	w, inclusion, path := p.window, p.value.Get("inclusion"), p.path+"/inclusion"
	e.Looked(check, 1)
	e.Expect(check, window.IsIncludedIn(e, inclusion, w.Value), report.CodeInclusionInvalid, path+"/inclusion_path",
		"The inclusion proof does not hold in the window.")
	isRecords := values.Number(inclusion, "seq_no") == p.Record.SeqNo && inclusion.Get("event_hash").Equal(p.Record.EventHash)
	e.Expect(check, isRecords, report.CodeInclusionInvalid, path+"/event_hash", "The inclusion proof is of another event.")
	if w.To == p.Record.SeqNo {
		e.Expect(report.CheckWindowSeal, w.Value.Get("stream_head_hash").Equal(p.Record.Head), report.CodeHeadHashMismatch,
			w.Path+"/stream_head_hash", "The window ends with the event, and states another head.")
	}
}

func examineCheckpoint(e *examination.Exam, p *Receipt) {
	c := p.checkpoint
	checkpoint.Examine(e, c, true)
	e.Expect(report.CheckCheckpointRoot, c.Stream == values.TextOf(p.Record.Stream), report.CodeStreamMismatch,
		c.Path+"/stream_id", "The checkpoint is of another stream.")
	p.lastWindow = p.window
	in := p.value.Get("checkpoint_inclusion")
	areSame := values.Number(in, "window_no") == p.window.No && values.Number(in, "window_count") == c.Count
	underCheckpoint(e, p, p.window, in, areSame, p.path+"/checkpoint_inclusion/path")
	if last := p.value.Get("last_window"); last.Exists() {
		p.lastWindow = window.Read(last.Get("window"), p.path+"/last_window/window")
		examineWindow(e, p.lastWindow, c.Stream)
		underCheckpoint(e, p, p.lastWindow, last, true, p.path+"/last_window/path")
		e.Expect(report.CheckInclusion, p.lastWindow.No == c.Count, report.CodeInclusionInvalid,
			p.lastWindow.Path+"/window_no", "It is not the checkpoint's last window.")
		holdRoom(e, p)
	}
	checkpoint.EndsWith(e, c, p.lastWindow, c.Path)
	checkpoint.State(e, c)
	threshold := int64(-1)
	known := witness.KnownTo(e)
	quorumPath := c.Path + "/note"
	var list *checkpoint.Cosignatures
	if witnesses := p.value.Get("witnesses"); witnesses.Exists() {
		list, threshold = examineWitnesses(e, p, witnesses)
		known = witness.KnownTo(e, values.Items(witnesses.Get("witness_policies"))...)
		quorumPath = p.path + "/witnesses/statements"
	} else {
		list = checkpoint.ReadCosignatures(e, c, known)
		e.NotChecked(report.CheckPolicy, "no policies here")
	}
	var anchors []*anchor.Anchor
	if value := p.value.Get("anchor"); value.Exists() {
		anchors = anchor.Beside(e, []jsonx.Value{value}, func(int) string { return p.path + "/anchor" }, []*checkpoint.Checkpoint{c}, known)
	} else {
		e.NotChecked(report.CheckAnchor, "no anchor here")
	}
	e.Settle()
	checkpoint.JudgeNewest(e, c, list, threshold, quorumPath)
	anchor.DateBy(e, anchors, []*checkpoint.Checkpoint{c})
	for _, a := range anchors {
		if a.Covers(c.ID, c.Hash) {
			anchor.Raise(e, a)
		}
	}
	e.IsIncluded = e.IsClean(report.CheckPayloadHash, report.CheckEventHash, report.CheckInclusion, report.CheckWindowSeal,
		report.CheckCheckpointRoot, report.CheckCheckpointSeal, report.CheckNote)
}

// underCheckpoint holds a window's hash against the checkpoint's tree, and the window against the one that is listed.
func underCheckpoint(e *examination.Exam, p *Receipt, w *window.Window, proof jsonx.Value, areSame bool, path string) {
	c := p.checkpoint
	e.Looked(report.CheckInclusion, 1)
	holds := e.Kernel.VerifyInclusion(e.Kernel.LeafHash(w.Hash[:]), uint64(w.No-1), uint64(c.Count), values.Hashes(proof.Get("path")), c.Root)
	e.Expect(report.CheckInclusion, holds && areSame, report.CodeInclusionInvalid, path, "The window is no leaf of the checkpoint's tree.")
	for i := range c.Listed {
		if listed := &c.Listed[i]; listed.No == w.No {
			e.Expect(report.CheckCheckpointRoot, listed.IsWindow(w), report.CodeCheckpointWindowMismatch,
				values.At(c.Path+"/window_roots", i), "The window that the checkpoint lists is not the one here.")
			break
		}
	}
}

// holdRoom holds the place of the last window against that of the event's.
func holdRoom(e *examination.Exam, p *Receipt) {
	w, last := p.window, p.lastWindow
	path := last.Path + "/from_seq_no"
	room, between := last.From-w.To-1, last.No-w.No-1
	e.Expect(report.CheckWindowSeal, room >= between, report.CodeSequenceBroken, path,
		"There is no room for the windows between the two.")
	if between == 0 && room > 0 {
		e.Fault(report.CheckWindowSeal, report.CodeRangeIncomplete, path, "The next window does not start right after the event's.")
	}
}

// examineWitnesses examines the policies and statements that a portable receipt shows; it returns the threshold, or
// -1.
func examineWitnesses(e *examination.Exam, p *Receipt, shown jsonx.Value) (*checkpoint.Cosignatures, int64) {
	const check = report.CheckPolicy
	c, path := p.checkpoint, p.path+"/witnesses"
	book := witness.ReadBook(e.Kernel, shown)
	for _, sort := range []struct {
		list, digest string
		line         []byte
		book         map[string]jsonx.Value
	}{
		{"policies", "policy_digest", witness.PolicyLine, book.Policies},
		{"witness_policies", "witness_policy_digest", witness.WitnessPolicyLine, book.WitnessPolicies},
	} {
		e.Looked(check, 1)
		list, listPath := values.Items(shown.Get(sort.list)), path+"/"+sort.list
		e.Ascend(check, list, listPath, examination.ByNumber("policy_version"))
		ofCheckpoint, ofWindow := values.Text(c.Value, sort.digest), values.Text(p.window.Value, sort.digest)
		newest, isShown := sort.book[ofCheckpoint]
		e.Expect(check, isShown, report.CodePolicyDigestMismatch, listPath, "The policy that the checkpoint names is not shown.")
		seen := map[string]bool{}
		for _, one := range list {
			digest := values.Hex(e.Kernel.Digest(sort.line, one.Canonical()))
			if seen[digest] {
				continue
			}
			seen[digest] = true
			e.Expect(check, digest == ofCheckpoint || digest == ofWindow, report.CodePolicyDigestMismatch, listPath,
				"Neither the checkpoint nor the event's window names the policy.")
			e.Expect(check, one.Get("policy_id").Equal(c.Value.Get("policy_id")), report.CodePolicyChanged, listPath,
				"The policy changes along the stream.")
		}
		if older, ok := sort.book[ofWindow]; ok && isShown {
			e.Expect(check, values.Number(newest, "policy_version") >= values.Number(older, "policy_version"), report.CodePolicyVersionDecreased, listPath,
				"The checkpoint has an older version than the event's window.")
		}
	}
	checkpoint.HoldIndependence(e, c, book)
	policy := book.WitnessPolicies[values.Text(c.Value, "witness_policy_digest")]
	list := checkpoint.ReadCosignatures(e, c, witness.KnownTo(e, policy))
	statements := values.Items(shown.Get("statements"))
	e.Ascend(report.CheckWitness, statements, path+"/statements", witness.ByStatement)
	for i, one := range statements {
		list.AddStatement(one, values.At(path+"/statements", i))
	}
	if !policy.Exists() {
		return list, -1
	}
	return list, values.Number(policy, "threshold")
}
