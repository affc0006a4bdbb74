package examine

import (
	"time"

	"svc.example/go/report"
)

// A timeProof is a time, in Unix seconds, at which somebody whom the verifier pins saw a part of the object: the stream
// up to event upTo, or what is sealed at sealPath.
type timeProof struct {
	seconds  int64
	upTo     int64
	sealPath string
}

// A datedUse is a use of a key with an end.
type datedUse struct {
	use     sealUse
	kid     string
	validTo string
}

// proveTime notes that the stream up to an event existed at a time; 0 is no time.
func (e *exam) proveTime(seconds, upTo int64) {
	if seconds > 0 {
		e.times = append(e.times, timeProof{seconds: seconds, upTo: upTo})
	}
}

// proveSealTime notes that the object under a seal existed at a time.
func (e *exam) proveSealTime(seconds int64, sealPath string) {
	if seconds > 0 {
		e.times = append(e.times, timeProof{seconds: seconds, upTo: -1, sealPath: sealPath})
	}
}

// isProvenBefore says whether the stream up to an event is shown before an instant, a service time.
func (e *exam) isProvenBefore(instant string, seqNo int64) bool {
	limit := milliseconds(instant)
	for _, proof := range e.times {
		if proof.sealPath == "" && proof.upTo >= seqNo && proof.seconds*1000 < limit {
			return true
		}
	}
	return false
}

// judgeDated notes the uses of keys that nothing places at or before the end of the key.
func (e *exam) judgeDated() {
	for i := range e.dated {
		dated := &e.dated[i]
		if e.isDated(dated) {
			continue
		}
		e.distrust(report.CheckTrust, finding{
			code: report.CodeKeyTimeUnproven, path: dated.use.path + "/kid", kid: dated.kid,
			message: dated.kid + " is trusted up to " + dated.validTo + " only, and nothing you pin shows that " +
				dated.use.words() + " was sealed by then.",
		}, dated.kid)
		e.signers.lower(dated.kid, dated.use.role)
	}
}

func (e *exam) isDated(dated *datedUse) bool {
	limit := unixSeconds(dated.validTo)
	for _, proof := range e.times {
		covers := proof.sealPath == dated.use.path
		if proof.sealPath == "" {
			covers = dated.use.eventNo > 0 && proof.upTo >= dated.use.eventNo
		}
		if covers && proof.seconds <= limit {
			return true
		}
	}
	return false
}

// milliseconds returns a service time in Unix milliseconds; it has been held against its form before.
func milliseconds(text string) int64 {
	at, err := time.Parse("2006-01-02T15:04:05.000Z", text)
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}

// unixSeconds returns a service time in Unix seconds, rounded down.
func unixSeconds(text string) int64 {
	ms := milliseconds(text)
	seconds := ms / 1000
	if ms%1000 < 0 {
		seconds--
	}
	return seconds
}
