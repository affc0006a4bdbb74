package truthpackage

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/provenance"
	"svc.example/go/report"
)

// adoptBundles takes over what the bundles have noted.
func adoptBundles(e *examination.Exam, bundles []*shownBundle) {
	// Nothing in a bundle dates the package's own seal.
	e.Settle()
	e.JudgeDated()
	e.Dated = nil
	for _, b := range bundles {
		b.report = b.exam.Report()
		e.Adopt(b.exam, b.path)
		e.Histories = append(e.Histories, b.exam.Histories...)
		if b.exam.List == "provenance-bundle" {
			e.List = "provenance-package"
		}
	}
}

// sumAssurance states of the package what the bundle shows that shows least.
func sumAssurance(e *examination.Exam, bundles []*shownBundle) {
	if len(bundles) == 0 {
		return
	}
	first := bundles[0].report.Assurance
	e.IsIncluded, e.IsComplete = true, !e.Failed(report.CheckExport)
	e.Witnessed, e.Published, e.Anchored = first.Witnessed, first.Published, first.Anchored
	e.Subject.Origin = bundles[0].report.Subject.Origin
	for _, b := range bundles {
		a := b.report.Assurance
		e.IsIncluded, e.IsComplete = e.IsIncluded && a.Included, e.IsComplete && a.Complete
		e.Witnessed.Required = max(e.Witnessed.Required, a.Witnessed.Required)
		e.Witnessed.Valid = min(e.Witnessed.Valid, a.Witnessed.Valid)
		e.Witnessed.Pinned = min(e.Witnessed.Pinned, a.Witnessed.Pinned)
		e.Published = values.Least([]string{"none", "included", "witnessed"}, e.Published, a.Published)
		e.Anchored = values.Least([]string{"none", "pending", "unpinned", "pinned"}, e.Anchored, a.Anchored)
		e.Redacted += a.Redacted
		e.Provenance = provenance.Sum(e.Provenance, a.Provenance)
		if other := b.report.Subject.Origin; e.Subject.Origin != nil && (other == nil || *other != *e.Subject.Origin) {
			e.Subject.Origin = nil
		}
	}
	e.NotePayloads()
}
