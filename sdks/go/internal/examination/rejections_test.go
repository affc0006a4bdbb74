package examination

import (
	"testing"

	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A check that rejects very often takes no place from one that comes before it in a report, and keeps its own first
// places, whenever they are found.
func TestManyRejections(t *testing.T) {
	e := New(kernel.Native, trust.Nobody(), nil, 1)
	for i := range 200 * tables.MaxProblems {
		e.Fault(report.CheckEventHash, report.CodeEventHashMismatch, values.At("/artifacts/receipts.json", 200*tables.MaxProblems-1-i), "another event")
	}
	e.Fault(report.CheckPayloadHash, report.CodePayloadHashMismatch, "/payload", "another payload")
	if len(e.Rejections) > 65*tables.MaxProblems {
		t.Errorf("%d rejections are kept", len(e.Rejections))
	}
	problems := e.Problems()
	if len(problems) != tables.MaxProblems || problems[0].Code != report.CodePayloadHashMismatch {
		t.Fatalf("%d problems, the first of %s", len(problems), problems[0].Code)
	}
	for i, one := range problems[1:] {
		if one.Path != values.At("/artifacts/receipts.json", i) {
			t.Fatalf("problem %d at %s", i+1, one.Path)
		}
	}
}
