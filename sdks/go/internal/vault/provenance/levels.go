package provenance

import (
	"slices"
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/report"
)

// The conditions of the next level, in the order in which they are asked for, as the ends of sentences.
const (
	lacksContent      = "the content of the event, which is left out here"
	lacksClaim        = "a claim by its vault, and an attestation that carries it"
	lacksAttestation  = "the attestation that the claim names"
	lacksSigner       = "the key of the service among those that you pin: it sealed the attestation's result"
	lacksHardwareRoot = "an attestation under a root that is no software, or your leave for software roots"
	lacksEvidence     = "the evidence of the attestation, for your own check"
	lacksStart        = "a start of the vault on a measured machine, shown by a TPM's quote"
	lacksOwnCheck     = "your own check of the evidence of L2"
)

// noteMissing notes what the first event of the lowest level lacks for the next one.
func noteMissing(e *examination.Exam) {
	if len(e.Levels) == 0 {
		return
	}
	first := slices.MinFunc(e.Levels, func(a, b examination.EventLevel) int { return strings.Compare(a.Level, b.Level) })
	next := map[string]string{"L0": "L1", "L1": "L2", "L2": "L3"}[first.Level]
	e.NotChecked(report.CheckAssurance, "for "+next+" it takes "+first.Missing)
}
