package examine

import (
	"testing"

	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A check that rejects very often takes no place from one that comes before it in a report.
func TestManyRejections(t *testing.T) {
	e := newExam(kernel.Native, NobodyTrusted(), nil, 1)
	for i := range 70 * tables.MaxProblems {
		e.fault(report.CheckEventHash, report.CodeEventHashMismatch, at(receiptsPath, i), "another event")
	}
	e.fault(report.CheckPayloadHash, report.CodePayloadHashMismatch, "/payload", "another payload")
	problems := e.problems()
	if len(problems) != tables.MaxProblems || problems[0].Code != report.CodePayloadHashMismatch {
		t.Errorf("%d problems, the first of %s", len(problems), problems[0].Code)
	}
}
