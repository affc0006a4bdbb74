// Package anchor examines the epochs of a service's log, and follows the evidence of a chain (protocol section 12).
package anchor

import (
	"slices"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// ConsistencyForm returns how evidence that one epoch contains another is examined.
func ConsistencyForm() *examination.Form {
	return &examination.Form{Schema: "anchor-consistency", List: "anchor-consistency", Examine: examineConsistency}
}

// Form returns how an anchor is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "anchor", Examine: examineLone}
}

var sealForm = examination.NewSealForm(examination.ProtocolWord, "anchor", "seal", "note", "members", "evidence")

var epochLine = digest.Line("epoch")

// An Anchor is one epoch of a service's log, as far as it was examined (protocol section 12).
type Anchor struct {
	value         jsonx.Value
	Path          string
	id, origin    string
	EpochNo, Size int64
	root          merkle.Hash
	members       []epochMember
	isPending     bool
	IsMined       bool
	isBlockPinned bool
	blockTime     int64
	seen          []*witness.Cosigned
}

// An epochMember is a checkpoint under an epoch.
type epochMember struct{ id, hash string }

// EpochHash returns D("epoch", {origin, epoch_no, log_size, epoch_root}).
func EpochHash(value jsonx.Value) digest.Hash {
	var text []byte
	text = values.AppendMember(text, `{"epoch_no":`, value.Get("epoch_no"))
	text = values.AppendMember(text, `,"epoch_root":`, value.Get("epoch_root"))
	text = values.AppendMember(text, `,"log_size":`, value.Get("log_size"))
	text = values.AppendMember(text, `,"origin":`, value.Get("origin"))
	return digest.Sum(epochLine, append(text, '}'))
}

// examine examines an anchor by itself.
func examine(e *examination.Exam, value jsonx.Value, path string, known *witness.List) *Anchor {
	const check = report.CheckAnchor
	a := &Anchor{
		value: value, Path: path, id: values.Text(value, "anchor_epoch_id"), origin: values.Text(value, "origin"),
		EpochNo: values.Number(value, "epoch_no"), Size: values.Number(value, "log_size"), root: values.Hash(value, "epoch_root"),
	}
	seal := value.Get("seal")
	e.Seal(check, sealForm, value, seal, examination.SealUse{
		Path: path + "/seal", Role: report.RoleAnchor, Name: "the anchor of epoch", No: a.EpochNo,
		OwnTime: values.Text(value, "anchored_at"), Service: a.origin,
	}, nil)
	n := e.OwnNote(values.Text(value, "note"), path+"/note", a.origin, a.Size, a.root[:], values.Text(seal, "kid"))
	epochCosignatures(e, a, n, known)
	for i, one := range values.Items(value.Get("members")) {
		e.Looked(check, 1)
		hash := values.Hash(one, "checkpoint_hash")
		a.members = append(a.members, epochMember{values.Text(one, "checkpoint_id"), values.Text(one, "checkpoint_hash")})
		holds := e.Kernel.VerifyInclusion(e.Kernel.LeafHash(hash[:]), uint64(values.Number(one, "leaf_index")), uint64(a.Size),
			values.Hashes(one.Get("inclusion_path")), a.root)
		e.Expect(check, holds, report.CodeAnchorDoesNotBind, values.At(path+"/members", i),
			"The path does not lead from the checkpoint to the epoch's root.")
	}
	if epochState(e, a) && a.IsMined {
		chainEvidence(e, a)
	}
	// A note about a block comes first.
	if e.Tally(check).Found == "" {
		switch {
		case a.isPending:
			e.Found(check, "an anchor is pending: it dates nothing")
		case !a.IsMined:
			e.Found(check, "an anchor is published in the service log only")
		}
	}
	return a
}

// epochState decides in which of the three states an anchor is: mined where a part of a block is there, pending where a
// transaction is, otherwise published. Nothing else may be null, or not null.
func epochState(e *examination.Exam, a *Anchor) bool {
	sent := []string{"network", "contract", "tx_hash"}
	mined := []string{"block_number", "block_hash", "evidence"}
	isThere := func(name string) bool { return a.value.Get(name).Kind() != jsonx.Null }
	isMined, isSent := slices.ContainsFunc(mined, isThere), slices.ContainsFunc(sent, isThere)
	isSent = isSent || isMined
	for i, name := range slices.Concat(sent, mined) {
		wants := isMined
		if i < len(sent) {
			wants = isSent
		}
		if isThere(name) != wants {
			e.Fault(report.CheckAnchor, report.CodeAnchorEvidenceInvalid, a.Path+"/"+name,
				"The anchor is neither published, nor pending, nor mined.")
			return false
		}
	}
	a.isPending, a.IsMined = isSent && !isMined, isMined
	return true
}

// epochCosignatures holds every line by a known witness.
func epochCosignatures(e *examination.Exam, a *Anchor, n *note.Note, known *witness.List) {
	const check = report.CheckNote
	if n == nil {
		return
	}
	path := a.Path + "/note"
	for _, line := range n.Lines {
		for _, by := range known.OfLine(line) {
			seconds, signature, ok := line.Cosignature()
			if !ok {
				e.Fault(check, report.CodeWitnessSignatureInvalid, path, "The line of a witness is no cosignature.")
				continue
			}
			one := &witness.Cosigned{Witness: by, Seconds: seconds}
			a.seen = append(a.seen, one)
			e.Signature(check, by.Key, note.Cosigned(seconds, n.Text), signature, func(ok bool) {
				one.IsValid = ok
				e.Expect(check, ok, report.CodeWitnessSignatureInvalid, path, "The cosignature by "+by.Name+" does not verify.")
			})
		}
	}
}

// time returns the earliest time, in Unix seconds, by a pinned block or witness; 0 for none. Call it after Settle.
func (a *Anchor) time() (seconds int64) {
	if a.isPending {
		return 0
	}
	if a.isBlockPinned {
		seconds = a.blockTime
	}
	for _, one := range a.seen {
		if one.IsValid && one.Witness.IsPinned && (seconds == 0 || one.Seconds < seconds) {
			seconds = one.Seconds
		}
	}
	return seconds
}

// isCosigned says whether a pinned witness cosigned the epoch's note.
func (a *Anchor) isCosigned() bool {
	for _, one := range a.seen {
		if one.IsValid && one.Witness.IsPinned {
			return true
		}
	}
	return false
}

// Covers says whether an anchor has a checkpoint among its members.
func (a *Anchor) Covers(id, hash string) bool {
	for _, member := range a.members {
		if member.id == id && member.hash == hash {
			return true
		}
	}
	return false
}

// Raise raises what the evidence shows by one anchor; it is called for those of the newest checkpoint, after Settle.
func Raise(e *examination.Exam, a *Anchor) {
	if !e.IsClean(report.CheckAnchor, report.CheckNote) {
		return
	}
	if e.Published == "none" || a.isCosigned() {
		e.Published = values.Choice(a.isCosigned(), "witnessed", "included")
	}
	state := "none"
	switch {
	case a.isPending:
		state = "pending"
	case a.IsMined && a.isBlockPinned:
		state = "pinned"
	case a.IsMined:
		state = "unpinned"
	}
	ranks := map[string]int{"none": 0, "pending": 1, "unpinned": 2, "pinned": 3}
	if ranks[state] > ranks[e.Anchored] {
		e.Anchored = state
	}
}

// examineLone examines an anchor by itself.
func examineLone(e *examination.Exam, object jsonx.Value) {
	a := examine(e, object, "", witness.KnownTo(e))
	e.Subject.ID, e.Subject.Origin = &a.id, &a.origin
	e.Settle()
	if e.IsClean(report.CheckAnchor, report.CheckNote) {
		e.ProveSealTime(a.time(), "/seal")
	}
	Raise(e, a)
	e.Found(report.CheckAnchor, "nothing here covers the identifiers of the members")
}

// examineConsistency examines evidence that a later epoch contains an earlier one.
func examineConsistency(e *examination.Exam, object jsonx.Value) {
	const check = report.CheckConsistency
	known := witness.KnownTo(e)
	from := examine(e, object.Get("from_anchor"), "/from_anchor", known)
	to := examine(e, object.Get("to_anchor"), "/to_anchor", known)
	e.Subject.Origin = &to.origin
	e.Settle()
	e.Looked(check, 1)
	if from.origin != to.origin {
		e.Reject(check, finding.Finding{
			Code: report.CodeOriginChanged, Path: "/to_anchor/origin", Message: "The origin changes.",
			Expected: from.origin, Actual: to.origin,
		})
	}
	epochs, size := to.EpochNo-from.EpochNo, to.Size-from.Size
	e.Expect(check, epochs > 0 && size >= epochs, report.CodeConsistencyInvalid, "/to_anchor",
		"Epochs and sizes do not rise together.")
	leads := e.Kernel.VerifyConsistency(uint64(from.Size), from.root, uint64(to.Size), to.root, values.Hashes(object.Get("consistency_path")))
	e.Expect(check, leads, report.CodeConsistencyInvalid, "/consistency_path",
		"The path does not lead from the one root to the other.")
	if e.IsClean(report.CheckAnchor, report.CheckNote) {
		e.ProveSealTime(to.time(), "/to_anchor/seal")
		e.ProveSealTime(from.time(), "/from_anchor/seal")
	}
	if e.IsClean(report.CheckAnchor, report.CheckNote, report.CheckConsistency) {
		e.ProveSealTime(to.time(), "/from_anchor/seal")
	}
	Raise(e, to)
}
