package examine

import (
	"slices"

	"svc.example/go/report"
)

// adoptBundles takes over what the bundles have noted.
func (e *exam) adoptBundles(bundles []*packageBundle) {
	// Nothing in a bundle dates the package's own seal.
	e.settle()
	e.judgeDated()
	e.dated = nil
	for _, b := range bundles {
		b.report = b.exam.report()
		e.adopt(b.exam, b.path)
		if b.exam.list == "provenance-bundle" {
			e.list = "provenance-package"
		}
	}
}

// adopt takes over everything that a part has noted; its paths stand below `base`. Call it after the part's report.
func (e *exam) adopt(part *exam, base string) {
	move := func(one noted) noted {
		if !isTrustPath(one.finding.path) {
			if !one.part.Exists() {
				one.part, one.inPart = part.value, one.finding.path
			}
			one.finding.path = base + one.finding.path
		}
		return one
	}
	for _, one := range part.rejections {
		e.rejections = append(e.rejections, move(one))
	}
	for check, t := range part.tallies {
		own := e.tally(check)
		own.hasFailed = own.hasFailed || t.hasFailed
		if check != report.CheckTrust {
			own.count += t.count
			own.unevaluated += t.unevaluated
		}
		if own.note == "" && check != report.CheckTrust {
			own.note = t.note
		}
		if own.found == "" {
			own.found = t.found
		}
	}
	e.adoptSigners(part, move)
	e.isBroken = e.isBroken || part.isBroken
	e.levels = append(e.levels, part.levels...)
}

// adoptSigners takes over how trust reaches the signers of a part.
func (e *exam) adoptSigners(part *exam, move func(noted) noted) {
	for _, one := range part.distrusts {
		key := string(one.finding.code) + " " + one.finding.kid
		if !e.distrusted[key] {
			e.distrusted[key] = true
			e.distrusts = append(e.distrusts, move(one))
		}
	}
	e.signers.adopt(&part.signers)
	e.sealsSeen += part.sealsSeen
	e.missing += part.missing
}

// sumAssurance states of the package what the bundle shows that shows least.
func (e *exam) sumAssurance(bundles []*packageBundle) {
	if len(bundles) == 0 {
		return
	}
	first := bundles[0].report.Assurance
	e.isIncluded, e.isComplete = true, !e.failed(report.CheckExport)
	e.witnessed, e.published, e.anchored = first.Witnessed, first.Published, first.Anchored
	e.subject.Origin = bundles[0].report.Subject.Origin
	for _, b := range bundles {
		a := b.report.Assurance
		e.isIncluded, e.isComplete = e.isIncluded && a.Included, e.isComplete && a.Complete
		e.witnessed.Required = max(e.witnessed.Required, a.Witnessed.Required)
		e.witnessed.Valid = min(e.witnessed.Valid, a.Witnessed.Valid)
		e.witnessed.Pinned = min(e.witnessed.Pinned, a.Witnessed.Pinned)
		e.published = least([]string{"none", "included", "witnessed"}, e.published, a.Published)
		e.anchored = least([]string{"none", "pending", "unpinned", "pinned"}, e.anchored, a.Anchored)
		e.redacted += a.Redacted
		if b.report.Subject.Origin != e.subject.Origin {
			e.subject.Origin = ""
		}
	}
}

// least returns the one of two words that stands first in their order.
func least(order []string, a, b string) string {
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}
