package bundle

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/objects/anchor"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// examineAnchors examines the anchors of a bundle.
func examineAnchors(e *examination.Exam, b *bundle) {
	const check = report.CheckAnchor
	list := values.Items(b.Artifacts.Get("anchors.json"))
	if len(list) == 0 {
		e.NotChecked(check, "no anchor in the bundle")
	}
	e.Ascend(check, list, anchorsPath, examination.ByNumber("epoch_no"))
	known := witness.KnownTo(e, values.Items(b.Artifacts.At("witnesses.json", "witness_policies"))...)
	anchors := anchor.Beside(e, list, func(i int) string { return values.At(anchorsPath, i) }, b.checkpoints, known)
	for i := 1; i < len(anchors); i++ {
		before, a := anchors[i-1], anchors[i]
		e.Expect(check, a.EpochNo <= before.EpochNo || a.Size-before.Size >= a.EpochNo-before.EpochNo, report.CodeAnchorDoesNotBind, a.Path+"/log_size",
			"The log does not grow with its epochs.")
	}
	e.Settle()
	anchor.DateBy(e, anchors, b.checkpoints)
	newest := b.newest()
	isMined := false
	for _, a := range anchors {
		if newest != nil && a.Covers(newest.ID, newest.Hash) {
			isMined = isMined || a.IsMined
			anchor.Raise(e, a)
		}
	}
	if len(b.windows) == 0 {
		return
	}
	policy := b.policies.Policies[values.Text(b.windows[len(b.windows)-1].Value, "policy_digest")]
	if values.Text(policy, "anchor") == "required" {
		e.Looked(check, 1)
		e.Expect(check, isMined, report.CodeAnchorMissing, anchorsPath, "The policy asks for a mined anchor of the last checkpoint.")
		if e.Failed(check) {
			e.Published, e.Anchored = "none", "none"
		}
	}
}
