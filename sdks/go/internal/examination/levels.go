package examination

import "svc.example/go/report"

// withoutLevels are the kinds that show events and no envelopes (protocol section 33).
var withoutLevels = map[report.Kind]bool{
	report.KindReceipt: true, report.KindPortableReceipt: true, report.KindStream: true, report.KindBundle: true,
	report.KindTruthPackage: true, report.KindInclusion: true, report.KindProvenanceInclusion: true,
	report.KindProviderResult: true,
}

// An EventLevel is the level at which one event counts, and what it lacks for the next one (section 33); empty where
// that is not said.
type EventLevel struct {
	SeqNo          int64
	Level, Missing string
}

// HoldLevel holds the level of each event against the one that the trust policy requires.
func (e *Exam) HoldLevel() {
	const check = report.CheckAssurance
	required := e.Policy.Vaults.Required
	if required == "" {
		return
	}
	if len(e.Levels) == 0 {
		if e.Provenance != nil {
			e.Looked(check, 1)
		}
		e.Expect(check, !withoutLevels[e.Kind], report.CodeAssuranceInsufficient, "", "The object shows no level of its events.")
		return
	}
	isMet := true
	e.Looked(check, 1)
	for _, one := range e.Levels {
		isMet = isMet && one.Level >= required
	}
	e.Expect(check, isMet, report.CodeAssuranceInsufficient, "", "An event counts at a lower level than you require.")
}
