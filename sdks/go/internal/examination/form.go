package examination

import (
	"errors"
	"fmt"

	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A Form is how objects of one sort are examined.
type Form struct {
	Schema string
	List   string
	// Faults returns the faults of form between members; nil where the form has no such rules.
	Faults  func(object jsonx.Value) []finding.Finding
	Examine func(e *Exam, object jsonx.Value)
}

// Parse reads JSON that is at a path, and rejects all else (check json).
func (e *Exam) Parse(wire []byte, path string) *jsonx.Tree {
	tree, err := e.Kernel.ParseJSON(wire, jsonx.Limits{})
	if err == nil {
		e.Looked(report.CheckJSON, 1)
		return tree
	}
	var fault *jsonx.SyntaxError
	if !errors.As(err, &fault) {
		panic(err)
	}
	if fault.Code == jsonx.TooLarge {
		e.Fault(report.CheckShape, report.CodeUnsupportedObject, path, "The object is larger than this program can hold.")
		return nil
	}
	e.Reject(report.CheckJSON, finding.Finding{
		Code: report.Code(fault.Code), Path: path,
		Message: fmt.Sprintf("At byte %d.", fault.Offset), Actual: fmt.Sprint(fault.Offset),
	})
	return nil
}

// Examine examines a parsed object of so many bytes by a form: its shape, keys, and the checks of its kind. It says
// whether it has the shape.
func (e *Exam) Examine(f *Form, tree *jsonx.Tree, length int) bool {
	e.List = f.List
	e.Looked(report.CheckShape, 1)
	if !e.HasForm(f, tree, length) {
		return false
	}
	e.ReadKeys(tree.Root(), "")
	f.Examine(e, tree.Root())
	return true
}

// HasForm holds an object against its form, in two passes. It says whether the object has the form.
func (e *Exam) HasForm(f *Form, tree *jsonx.Tree, length int) bool {
	row := tables.KindOf(string(e.Kind))
	if row.MaxBytes > 0 && length > row.MaxBytes && (e.Kind != report.KindBundle || f.List != "bundle") {
		e.Fault(report.CheckShape, report.CodeUnsupportedObject, "", "An object of this kind is not so long.")
		return false
	}
	found := finding.Shape(f.Schema, tree.Root(), e.Workers)
	found = append(found, finding.DeepPayloads(tree)...)
	if len(found) == 0 && f.Faults != nil {
		found = f.Faults(tree.Root())
	}
	for _, one := range found {
		e.Reject(report.CheckShape, one)
	}
	return len(found) == 0
}
