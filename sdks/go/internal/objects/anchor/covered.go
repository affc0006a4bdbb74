package anchor

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Beside examines anchors beside the checkpoints of the same object (protocol section 12).
func Beside(
	e *examination.Exam, list []jsonx.Value, pathOf func(int) string, checkpoints []*checkpoint.Checkpoint, known *witness.List,
) []*Anchor {
	var anchors []*Anchor
	for i, one := range list {
		a := examine(e, one, pathOf(i), known)
		anchors = append(anchors, a)
		holdMembers(e, a, checkpoints)
	}
	return anchors
}

// holdMembers holds the members of an anchor against the checkpoints here.
func holdMembers(e *examination.Exam, a *Anchor, checkpoints []*checkpoint.Checkpoint) {
	const check = report.CheckAnchor
	ids, hashes := map[string]*checkpoint.Checkpoint{}, map[string]*checkpoint.Checkpoint{}
	for _, c := range checkpoints {
		ids[c.ID], hashes[c.Hash] = c, c
	}
	isOfService, count := true, 0
	for i, member := range a.members {
		byID, byHash := ids[member.id], hashes[member.hash]
		switch path := values.At(a.Path+"/members", i); {
		case byID == nil && byHash == nil:
		case byID != nil && byID == byHash:
			count++
			isOfService = isOfService && byID.Origin == a.origin+"/"+byID.Stream
		case byID != nil:
			e.Fault(check, report.CodeAnchorDoesNotBind, path+"/checkpoint_hash", "The member has the id of one checkpoint and the hash of another.")
		default:
			e.Fault(check, report.CodeAnchorDoesNotBind, path+"/checkpoint_id", "The member has the hash of one checkpoint and the id of another.")
		}
	}
	e.Expect(check, isOfService, report.CodeAnchorDoesNotBind, a.Path+"/origin", "The anchor is of another service's log.")
	e.Expect(check, count > 0, report.CodeAnchorDoesNotBind, a.Path+"/members", "The anchor covers no checkpoint here.")
}

// DateBy takes the time of anchors as proof for the checkpoints that they cover. Call it after Settle.
func DateBy(e *examination.Exam, anchors []*Anchor, checkpoints []*checkpoint.Checkpoint) {
	if !e.IsClean(report.CheckAnchor, report.CheckNote) {
		return
	}
	for _, a := range anchors {
		seconds := a.time()
		e.ProveSealTime(seconds, a.Path+"/seal")
		for _, c := range checkpoints {
			if a.Covers(c.ID, c.Hash) {
				e.ProveTime(seconds, c.To)
			}
		}
	}
}
