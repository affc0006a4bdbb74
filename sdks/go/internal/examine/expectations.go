package examine

import "svc.example/go/report"

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

// holdExpectations holds what the verifier expects and requires against the object.
func (e *exam) holdExpectations() {
	const check = report.CheckExpectation
	asked := &e.policy.expect
	if asked.stream != "" && !streamless[e.kind] {
		e.looked(check, 1)
		if e.subject.StreamID != asked.stream {
			e.reject(check, finding{
				code: report.CodeStreamUnexpected, message: "This is not evidence of the stream that you expect.",
				expected: asked.stream, actual: e.subject.StreamID,
			})
		}
	}
	if (asked.from > 0 || asked.to > 0) && !streamless[e.kind] {
		e.looked(check, 1)
		e.expect(check, e.coversExpected(), report.CodeRangeIncomplete, "", "The object does not cover the range that you expect.")
	}
	if e.kind != report.KindDisclosure && asked.audience+asked.nonce+asked.content != "" {
		e.looked(check, 1)
		e.fault(check, report.CodeEvidenceMissing, "", "You expect a disclosure for you, and this is not a disclosure.")
	}
	if !unasked[e.kind] {
		for _, requirement := range e.policy.require {
			e.looked(check, 1)
			if !e.meetsRequirement(requirement) {
				e.reject(check, finding{
					code:    report.CodeEvidenceMissing,
					message: "You require evidence that it is " + requirement + ", and the object does not show it to you.", expected: requirement,
				})
			}
		}
	}
	if !asked.isAny && len(e.policy.require) == 0 {
		e.notChecked(check, "you expect no particular stream or range, and require no particular evidence")
	}
}

// coversExpected says whether the range of the object covers the expected one: both events named as its ends are in it,
// as far as the object states its own.
func (e *exam) coversExpected() bool {
	from, to := e.subject.FromSeqNo, e.subject.ToSeqNo
	if from == 0 && to == 0 {
		return false
	}
	holds := func(end int64) bool { return end == 0 || end >= from && (to == 0 || end <= to) }
	return holds(e.policy.expect.from) && holds(e.policy.expect.to)
}

func (e *exam) meetsRequirement(requirement string) bool {
	switch requirement {
	case "included":
		return e.isIncluded
	case "witnessed":
		return e.witnessed.Pinned > 0 && (e.quorum == nil || e.isMet)
	case "published":
		return e.published != "none"
	default:
		return e.anchored == "pinned"
	}
}
