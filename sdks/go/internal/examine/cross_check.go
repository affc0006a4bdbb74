package examine

import (
	"reflect"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// Agree says whether two reports differ in nothing but the verifier.
func Agree(a, b *report.Report) bool {
	left, right := *a, *b
	left.Verifier, right.Verifier = report.Verifier{}, report.Verifier{}
	return reflect.DeepEqual(left, right)
}

// Disagreement returns the report where two kernels disagree (section 16, cross-check): rejected, with nothing shown.
func Disagreement(of *report.Report) *report.Report {
	r := &report.Report{
		Verdict: report.Rejected, Kind: of.Kind, Verifier: of.Verifier, Signers: []report.Signer{},
		Assurance: report.Assurance{Published: "none", Anchored: "none"},
		Problems: []report.Problem{{
			Code: report.CodeKernelsDisagree, Message: "The two kernels disagree: one of them is wrong.", Action: report.CodeKernelsDisagree.Action(),
		}},
	}
	for _, check := range of.Checks {
		r.Checks = append(r.Checks, report.Check{ID: check.ID, Status: report.CannotEvaluate})
	}
	e := examination.New(nil, NobodyTrusted(), nil, 1)
	e.Value = jsonx.Value{}
	e.Say(r, true)
	return r
}
