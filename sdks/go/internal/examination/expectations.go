package examination

import (
	"svc.example/go/internal/finding"
	"svc.example/go/report"
)

// unasked are the kinds that no requirement is asked of (section 16, expectations).
var unasked = map[report.Kind]bool{
	report.KindFork: true, report.KindKey: true, report.KindEnvelope: true, report.KindVaultAttestation: true,
	report.KindKeyStatus: true, report.KindProvenanceInclusion: true, report.KindProviderResult: true,
	report.KindIVCEpoch: true,
}

// streamless are the kinds that name no stream, so that none is expected of them (section 33).
var streamless = map[report.Kind]bool{
	report.KindKeyStatus: true, report.KindProviderResult: true, report.KindVaultAttestation: true,
}

// HoldExpectations holds what the verifier expects and requires against the object.
func (e *Exam) HoldExpectations() {
	const check = report.CheckExpectation
	asked := &e.Policy.Expect
	if asked.Stream != "" && !streamless[e.Kind] {
		e.Looked(check, 1)
		if e.Subject.StreamID != asked.Stream {
			e.Reject(check, finding.Finding{
				Code: report.CodeStreamUnexpected, Message: "This is not evidence of the stream that you expect.",
				Expected: asked.Stream, Actual: e.Subject.StreamID,
			})
		}
	}
	if (asked.From > 0 || asked.To > 0) && !streamless[e.Kind] {
		e.Looked(check, 1)
		e.Expect(check, asked.IsCoveredBy(e.Subject.FromSeqNo, e.Subject.ToSeqNo), report.CodeRangeIncomplete, "",
			"The object does not cover the range that you expect.")
	}
	if e.Kind != report.KindDisclosure && asked.Audience+asked.Nonce+asked.Content != "" {
		e.Looked(check, 1)
		e.Fault(check, report.CodeEvidenceMissing, "", "You expect a disclosure for you, and this is not a disclosure.")
	}
	if !unasked[e.Kind] {
		for _, requirement := range e.Policy.Require {
			e.Looked(check, 1)
			if !e.meetsRequirement(requirement) {
				e.Reject(check, finding.Finding{
					Code:    report.CodeEvidenceMissing,
					Message: "You require evidence that it is " + requirement + ", and the object does not show it to you.", Expected: requirement,
				})
			}
		}
	}
	if !asked.IsAny && len(e.Policy.Require) == 0 {
		e.NotChecked(check, "you expect no particular stream or range, and require no particular evidence")
	}
}

func (e *Exam) meetsRequirement(requirement string) bool {
	switch requirement {
	case "included":
		return e.IsIncluded
	case "witnessed":
		return e.Witnessed.Pinned > 0 && (e.Quorum == nil || e.IsQuorumMet)
	case "published":
		return e.Published != "none"
	default:
		return e.Anchored == "pinned"
	}
}
