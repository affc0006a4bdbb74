package examination

import (
	"fmt"

	"svc.example/go/report"
)

// A Refusal says why a producer makes nothing: a code of docs/conformance.md.
type Refusal struct {
	Code string
	// Offset is that of a fault of JSON; -1 for any other.
	Offset int
	// Reason is a sentence for people; empty where the code says all.
	Reason string
	// Report is that of a result that does not hold; nil otherwise.
	Report *report.Report
}

// Error names the code.
func (r *Refusal) Error() string { return "svc: " + r.Code }

// Refuse returns the refusal with a code that says all.
func Refuse(code string) *Refusal { return &Refusal{Code: code, Offset: -1} }

// Missing says that an object lacks what a call names.
func Missing(code, format string, values ...any) *Refusal {
	return &Refusal{Code: code, Offset: -1, Reason: fmt.Sprintf(format, values...)}
}
