// Package finding has the type of what is wrong with an object, and finds what is wrong with its form.
package finding

import "svc.example/go/report"

// A Finding is one problem, before the report has put it in its place.
type Finding struct {
	Code             report.Code
	Path             string
	Message          string
	Expected, Actual string
	KID              string
	SeqNo            int64
	// Action is the next step of a single cause; empty for that of the code.
	Action string
}
