package examination

import (
	"svc.example/go/internal/finding"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A timeProof is a time, in Unix seconds, at which somebody whom the verifier pins saw a part of the object: the stream
// up to event upTo, or what is sealed at sealPath.
type timeProof struct {
	seconds  int64
	upTo     int64
	sealPath string
}

// A DatedUse is a use of a key with an end.
type DatedUse struct {
	Use     SealUse
	kid     string
	ValidTo string
}

// ProveTime notes that the stream up to an event existed at a time; 0 is no time.
func (e *Exam) ProveTime(seconds, upTo int64) {
	if seconds > 0 {
		e.times = append(e.times, timeProof{seconds: seconds, upTo: upTo})
	}
}

// ProveSealTime notes that the object under a seal existed at a time.
func (e *Exam) ProveSealTime(seconds int64, sealPath string) {
	if seconds > 0 {
		e.times = append(e.times, timeProof{seconds: seconds, upTo: -1, sealPath: sealPath})
	}
}

// IsProvenBefore says whether the stream up to an event is shown before an instant, a service time.
func (e *Exam) IsProvenBefore(instant string, seqNo int64) bool {
	limit := values.Milliseconds(instant)
	for _, proof := range e.times {
		if proof.sealPath == "" && proof.upTo >= seqNo && proof.seconds*1000 < limit {
			return true
		}
	}
	return false
}

// JudgeDated notes the uses of keys that nothing places at or before the end of the key.
func (e *Exam) JudgeDated() {
	for i := range e.Dated {
		dated := &e.Dated[i]
		if e.IsDated(dated) {
			continue
		}
		e.Distrust(report.CheckTrust, finding.Finding{
			Code: report.CodeKeyTimeUnproven, Path: dated.Use.Path + "/kid", KID: dated.kid,
			Message: dated.kid + " is trusted up to " + dated.ValidTo + " only, and nothing you pin shows that " +
				dated.Use.words() + " was sealed by then.",
		}, dated.kid)
		e.Signers.Lower(dated.kid, dated.Use.Role)
	}
}

// IsDated says whether something places the use of a key at or before the end of the key.
func (e *Exam) IsDated(dated *DatedUse) bool {
	limit := values.UnixSeconds(dated.ValidTo)
	for _, proof := range e.times {
		covers := proof.sealPath == dated.Use.Path
		if proof.sealPath == "" {
			covers = dated.Use.EventNo > 0 && proof.upTo >= dated.Use.EventNo
		}
		if covers && proof.seconds <= limit {
			return true
		}
	}
	return false
}
