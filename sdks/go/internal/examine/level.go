package examine

import "svc.example/go/report"

// withoutLevels are the kinds that show events and no envelopes (protocol section 33).
var withoutLevels = map[report.Kind]bool{
	report.KindReceipt: true, report.KindPortableReceipt: true, report.KindStream: true, report.KindBundle: true,
	report.KindTruthPackage: true, report.KindInclusion: true, report.KindProvenanceInclusion: true,
	report.KindProviderResult: true,
}

// holdLevel holds the level of each event against the one that the trust policy requires.
func (e *exam) holdLevel() {
	const check = report.CheckAssurance
	required := e.policy.vaults.required
	if required == "" {
		return
	}
	if len(e.levels) == 0 {
		if e.provenance != nil {
			e.looked(check, 1)
		}
		e.expect(check, !withoutLevels[e.kind], report.CodeAssuranceInsufficient, "", "The object shows no level of its events.")
		return
	}
	isMet := true
	e.looked(check, 1)
	for _, one := range e.levels {
		isMet = isMet && one.level >= required
	}
	e.expect(check, isMet, report.CodeAssuranceInsufficient, "", "An event counts at a lower level than you require.")
}
