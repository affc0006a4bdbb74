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
		e.histories = append(e.histories, b.exam.histories...)
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
		key := string(one.finding.code) + " " + one.subject
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
		e.provenance = provenanceOfBoth(e.provenance, a.Provenance)
		if other := b.report.Subject.Origin; e.subject.Origin != nil && (other == nil || *other != *e.subject.Origin) {
			e.subject.Origin = nil
		}
	}
	e.notePayloads()
}

// provenanceOfBoth returns what two objects together show of vaults: counts are added, and the lower word stands. An
// object whose events all count as L0 rests on nobody's word, and lowers no other's.
func provenanceOfBoth(one, other *report.Provenance) *report.Provenance {
	if one == nil {
		return other
	}
	if other == nil {
		return one
	}
	by := other.SubstantiatedBy
	if isAboveL0(one) {
		by = one.SubstantiatedBy
		if isAboveL0(other) {
			by = least(substantiations, by, other.SubstantiatedBy)
		}
	}
	return &report.Provenance{
		Events: one.Events + other.Events, Installations: one.Installations + other.Installations,
		VaultChain: least(vaultChains, one.VaultChain, other.VaultChain),
		VaultKeys:  least(standings, one.VaultKeys, other.VaultKeys),
		Claimed: report.Claimed{
			L0: one.Claimed.L0 + other.Claimed.L0, L1: one.Claimed.L1 + other.Claimed.L1, L2: one.Claimed.L2 + other.Claimed.L2,
			Unknown: one.Claimed.Unknown + other.Claimed.Unknown,
		},
		Effective: report.Effective{
			L0: one.Effective.L0 + other.Effective.L0, L1: one.Effective.L1 + other.Effective.L1,
			L2: one.Effective.L2 + other.Effective.L2, L3: one.Effective.L3 + other.Effective.L3,
		},
		SubstantiatedBy: by, KeyCustody: least(custodies, one.KeyCustody, other.KeyCustody),
		SoftwareRoot: one.SoftwareRoot || other.SoftwareRoot,
	}
}

func isAboveL0(p *report.Provenance) bool { return p.Effective.L1+p.Effective.L2+p.Effective.L3 > 0 }

// The words of a report for the chains of vaults and for what substantiates a level, the weakest first.
var (
	vaultChains     = []string{"none", "partial", "complete"}
	substantiations = []string{"none", "service", "verifier"}
)

// least returns the one of two words that stands first in their order.
func least(order []string, a, b string) string {
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}
