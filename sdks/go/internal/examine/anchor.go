package examine

import (
	"slices"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/note"
	"svc.example/go/report"
)

var epochLine = digest.Line("epoch")

// An anchor is one epoch of a service's log, as far as it was examined (protocol section 12).
type anchor struct {
	value         jsonx.Value
	path          string
	id, origin    string
	epochNo, size int64
	root          merkle.Hash
	members       []epochMember
	isPending     bool
	isMined       bool
	isBlockPinned bool
	blockTime     int64
	seen          []*cosigned
}

// An epochMember is a checkpoint under an epoch.
type epochMember struct{ id, hash string }

// epochHash returns D("epoch", {origin, epoch_no, log_size, epoch_root}).
func epochHash(value jsonx.Value) digest.Hash {
	var text []byte
	text = appendMember(text, `{"epoch_no":`, value.Get("epoch_no"))
	text = appendMember(text, `,"epoch_root":`, value.Get("epoch_root"))
	text = appendMember(text, `,"log_size":`, value.Get("log_size"))
	text = appendMember(text, `,"origin":`, value.Get("origin"))
	return digest.Sum(epochLine, append(text, '}'))
}

// anchor examines an anchor by itself.
func (e *exam) anchor(value jsonx.Value, path string, known *knownWitnesses) *anchor {
	const check = report.CheckAnchor
	a := &anchor{
		value: value, path: path, id: text(value, "anchor_epoch_id"), origin: text(value, "origin"),
		epochNo: number(value, "epoch_no"), size: number(value, "log_size"), root: hashOf(value, "epoch_root"),
	}
	seal := value.Get("seal")
	e.seal(check, anchorSeal, value, seal, sealUse{
		path: path + "/seal", role: report.RoleAnchor, what: "the anchor of epoch", no: a.epochNo,
		ownTime: text(value, "anchored_at"), service: a.origin,
	}, nil)
	n := e.ownNote(text(value, "note"), path+"/note", a.origin, a.size, a.root[:], text(seal, "kid"))
	e.epochCosignatures(a, n, known)
	for i, one := range items(value.Get("members")) {
		e.looked(check, 1)
		hash := hashOf(one, "checkpoint_hash")
		a.members = append(a.members, epochMember{text(one, "checkpoint_id"), text(one, "checkpoint_hash")})
		holds := e.k.VerifyInclusion(e.k.LeafHash(hash[:]), uint64(number(one, "leaf_index")), uint64(a.size),
			hashes(one.Get("inclusion_path")), a.root)
		e.expect(check, holds, report.CodeAnchorDoesNotBind, at(path+"/members", i),
			"The path does not lead from the checkpoint to the epoch's root.")
	}
	if e.epochState(a) && a.isMined {
		e.chainEvidence(a)
	}
	// A note about a block comes first.
	if e.tally(check).found == "" {
		switch {
		case a.isPending:
			e.found(check, "an anchor is pending: it dates nothing")
		case !a.isMined:
			e.found(check, "an anchor is published in the service log only")
		}
	}
	return a
}

// epochState decides in which of the three states an anchor is: mined where a part of a block is there, pending where a
// transaction is, otherwise published. Nothing else may be null, or not null.
func (e *exam) epochState(a *anchor) bool {
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
			e.fault(report.CheckAnchor, report.CodeAnchorEvidenceInvalid, a.path+"/"+name,
				"The anchor is neither published, nor pending, nor mined.")
			return false
		}
	}
	a.isPending, a.isMined = isSent && !isMined, isMined
	return true
}

// epochCosignatures holds every line by a known witness.
func (e *exam) epochCosignatures(a *anchor, n *note.Note, known *knownWitnesses) {
	const check = report.CheckNote
	if n == nil {
		return
	}
	path := a.path + "/note"
	for _, line := range n.Lines {
		for _, witness := range known.ofLine(line) {
			seconds, signature, ok := line.Cosignature()
			if !ok {
				e.fault(check, report.CodeWitnessSignatureInvalid, path, "The line of a witness is no cosignature.")
				continue
			}
			one := &cosigned{witness: witness, seconds: seconds}
			a.seen = append(a.seen, one)
			e.signature(check, witness.key, note.Cosigned(seconds, n.Text), signature, func(ok bool) {
				one.isValid = ok
				e.expect(check, ok, report.CodeWitnessSignatureInvalid, path, "The cosignature by "+witness.name+" does not verify.")
			})
		}
	}
}

// time returns the earliest time, in Unix seconds, by a pinned block or witness; 0 for none. Call it after settle.
func (a *anchor) time() (seconds int64) {
	if a.isPending {
		return 0
	}
	if a.isBlockPinned {
		seconds = a.blockTime
	}
	for _, one := range a.seen {
		if one.isValid && one.witness.isPinned && (seconds == 0 || one.seconds < seconds) {
			seconds = one.seconds
		}
	}
	return seconds
}

// isCosigned says whether a pinned witness cosigned the epoch's note.
func (a *anchor) isCosigned() bool {
	for _, one := range a.seen {
		if one.isValid && one.witness.isPinned {
			return true
		}
	}
	return false
}

// covers says whether an anchor has a checkpoint among its members.
func (a *anchor) covers(id, hash string) bool {
	for _, member := range a.members {
		if member.id == id && member.hash == hash {
			return true
		}
	}
	return false
}

// raise raises what the evidence shows by one anchor; it is called for those of the newest checkpoint, after settle.
func (e *exam) raise(a *anchor) {
	if !e.isClean(report.CheckAnchor, report.CheckNote) {
		return
	}
	if e.published == "none" || a.isCosigned() {
		e.published = choice(a.isCosigned(), "witnessed", "included")
	}
	state := "none"
	switch {
	case a.isPending:
		state = "pending"
	case a.isMined && a.isBlockPinned:
		state = "pinned"
	case a.isMined:
		state = "unpinned"
	}
	ranks := map[string]int{"none": 0, "pending": 1, "unpinned": 2, "pinned": 3}
	if ranks[state] > ranks[e.anchored] {
		e.anchored = state
	}
}

// loneAnchor examines an anchor by itself.
func (e *exam) loneAnchor(object jsonx.Value) {
	a := e.anchor(object, "", newKnownWitnesses(e))
	e.subject.ID, e.subject.Origin = &a.id, &a.origin
	e.settle()
	if e.isClean(report.CheckAnchor, report.CheckNote) {
		e.proveSealTime(a.time(), "/seal")
	}
	e.raise(a)
	e.found(report.CheckAnchor, "nothing here covers the identifiers of the members")
}

// anchorConsistency examines evidence that a later epoch contains an earlier one.
func (e *exam) anchorConsistency(object jsonx.Value) {
	const check = report.CheckConsistency
	known := newKnownWitnesses(e)
	from := e.anchor(object.Get("from_anchor"), "/from_anchor", known)
	to := e.anchor(object.Get("to_anchor"), "/to_anchor", known)
	e.subject.Origin = &to.origin
	e.settle()
	e.looked(check, 1)
	if from.origin != to.origin {
		e.reject(check, finding{
			code: report.CodeOriginChanged, path: "/to_anchor/origin", message: "The origin changes.",
			expected: from.origin, actual: to.origin,
		})
	}
	epochs, size := to.epochNo-from.epochNo, to.size-from.size
	e.expect(check, epochs > 0 && size >= epochs, report.CodeConsistencyInvalid, "/to_anchor",
		"Epochs and sizes do not rise together.")
	leads := e.k.VerifyConsistency(uint64(from.size), from.root, uint64(to.size), to.root, hashes(object.Get("consistency_path")))
	e.expect(check, leads, report.CodeConsistencyInvalid, "/consistency_path",
		"The path does not lead from the one root to the other.")
	if e.isClean(report.CheckAnchor, report.CheckNote) {
		e.proveSealTime(to.time(), "/to_anchor/seal")
		e.proveSealTime(from.time(), "/from_anchor/seal")
	}
	if e.isClean(report.CheckAnchor, report.CheckNote, report.CheckConsistency) {
		e.proveSealTime(to.time(), "/from_anchor/seal")
	}
	e.raise(to)
}
