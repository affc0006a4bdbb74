package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// anchorsBeside examines anchors beside the checkpoints of the same object (protocol section 12).
func (e *exam) anchorsBeside(list []jsonx.Value, pathOf func(int) string, checkpoints []*checkpoint, known *knownWitnesses) []*anchor {
	var anchors []*anchor
	for i, one := range list {
		a := e.anchor(one, pathOf(i), known)
		anchors = append(anchors, a)
		e.covers(a, checkpoints)
	}
	return anchors
}

// covers holds the members of an anchor against the checkpoints here.
func (e *exam) covers(a *anchor, checkpoints []*checkpoint) {
	const check = report.CheckAnchor
	ids, hashes := map[string]*checkpoint{}, map[string]*checkpoint{}
	for _, c := range checkpoints {
		ids[c.id], hashes[c.hash] = c, c
	}
	isOfService, count := true, 0
	for i, member := range a.members {
		byID, byHash := ids[member.id], hashes[member.hash]
		switch path := at(a.path+"/members", i); {
		case byID == nil && byHash == nil:
		case byID != nil && byID == byHash:
			count++
			isOfService = isOfService && byID.origin == a.origin+"/"+byID.stream
		case byID != nil:
			e.fault(check, report.CodeAnchorDoesNotBind, path+"/checkpoint_hash", "The member has the id of one checkpoint and the hash of another.")
		default:
			e.fault(check, report.CodeAnchorDoesNotBind, path+"/checkpoint_id", "The member has the hash of one checkpoint and the id of another.")
		}
	}
	e.expect(check, isOfService, report.CodeAnchorDoesNotBind, a.path+"/origin", "The anchor is of another service's log.")
	e.expect(check, count > 0, report.CodeAnchorDoesNotBind, a.path+"/members", "The anchor covers no checkpoint here.")
}

// dateBy takes the time of anchors as proof for the checkpoints that they cover. Call it after settle.
func (e *exam) dateBy(anchors []*anchor, checkpoints []*checkpoint) {
	if !e.isClean(report.CheckAnchor, report.CheckNote) {
		return
	}
	for _, a := range anchors {
		seconds := a.time()
		e.proveSealTime(seconds, a.path+"/seal")
		for _, c := range checkpoints {
			if a.covers(c.id, c.hash) {
				e.proveTime(seconds, c.to)
			}
		}
	}
}

// bundleAnchors examines the anchors of a bundle.
func (e *exam) bundleAnchors(b *bundle) {
	const check = report.CheckAnchor
	list := items(b.artifacts.Get("anchors.json"))
	if len(list) == 0 {
		e.notChecked(check, "no anchor in the bundle")
	}
	e.ascend(check, list, anchorsPath, byNumber("epoch_no"))
	known := newKnownWitnesses(e, items(b.artifacts.At("witnesses.json", "witness_policies"))...)
	anchors := e.anchorsBeside(list, func(i int) string { return at(anchorsPath, i) }, b.checkpoints, known)
	for i := 1; i < len(anchors); i++ {
		before, a := anchors[i-1], anchors[i]
		e.expect(check, a.epochNo <= before.epochNo || a.size-before.size >= a.epochNo-before.epochNo, report.CodeAnchorDoesNotBind, a.path+"/log_size",
			"The log does not grow with its epochs.")
	}
	e.settle()
	e.dateBy(anchors, b.checkpoints)
	newest := b.newest()
	isMined := false
	for _, a := range anchors {
		if newest != nil && a.covers(newest.id, newest.hash) {
			isMined = isMined || a.isMined
			e.raise(a)
		}
	}
	if len(b.windows) == 0 {
		return
	}
	policy := b.policies.policies[text(b.windows[len(b.windows)-1].value, "policy_digest")]
	if text(policy, "anchor") == "required" {
		e.looked(check, 1)
		e.expect(check, isMined, report.CodeAnchorMissing, anchorsPath, "The policy asks for a mined anchor of the last checkpoint.")
		if e.failed(check) {
			e.published, e.anchored = "none", "none"
		}
	}
}
