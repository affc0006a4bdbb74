package examination

import (
	"strings"

	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// ServiceOf returns the service's own origin, from that of a stream; the origin itself where there is no stream.
func ServiceOf(origin, stream string) string {
	if stream == "" {
		return origin
	}
	return strings.TrimSuffix(origin, "/"+stream)
}

// StatedBy returns the origin of a report's subject, from that of a stream.
func StatedBy(origin, stream string) *string {
	own := ServiceOf(origin, stream)
	return &own
}

// NotePayloads notes how many payloads are left out, and so not checked.
func (e *Exam) NotePayloads() {
	if e.Redacted > 0 {
		e.NotChecked(report.CheckPayloadHash, "payloads that are left out: "+values.Itoa(e.Redacted))
	}
}

// About states the subject; a number of 0 is not stated.
func (e *Exam) About(id, stream string, from, to int64) {
	e.Subject.ID, e.Subject.StreamID, e.Subject.FromSeqNo, e.Subject.ToSeqNo = &id, stream, from, to
}
