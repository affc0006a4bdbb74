package examine

import (
	"context"
	"errors"
	"fmt"

	"svc.example/go/internal/histories"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// An Input is what is verified, and how.
type Input struct {
	Bytes []byte
	// Kind is the kind asked for; empty where it is found from the members.
	Kind report.Kind
	// Policy is never nil.
	Policy *Policy
	// Links is evidence that is handed in beside the object.
	Links   [][]byte
	Kernel  kernel.Kernel
	Workers int
	// Context is looked at between parts.
	Context context.Context
	// Shown takes what an object that is not rejected shows of the histories of streams; it may be nil.
	Shown func([]*histories.History)
}

// KIDOf returns the key identifier of a raw public key (protocol section 3).
func KIDOf(key []byte) string { return kidOf(key) }

// IsKind says whether a kind is one of the protocol's.
func IsKind(kind report.Kind) bool { return tables.KindOf(string(kind)) != nil }

// A stopped is what an examination panics with whose context has ended.
type stopped struct{ err error }

// Verify examines bytes, and returns the report (the order of work of section 16). The error is that of the context.
func Verify(in Input) (r *report.Report, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			end, ok := failure.(stopped)
			if !ok {
				panic(failure)
			}
			r, err = nil, end.err
		}
	}()
	return verify(in), nil
}

// pause ends the examination if its context has ended.
func (e *exam) pause() {
	if e.context == nil {
		return
	}
	if err := e.context.Err(); err != nil {
		panic(stopped{err})
	}
}

func verify(in Input) *report.Report {
	e := newExam(in.Kernel, in.Policy, nil, in.Workers)
	e.context = in.Context
	for _, fault := range in.Policy.faults {
		e.reject(report.CheckTrust, fault)
	}
	e.kind = in.Kind
	if in.Kind == report.KindTruthPackage || (in.Kind == "" && len(in.Bytes) >= 2 && string(in.Bytes[:2]) == "PK") {
		e.kind = report.KindTruthPackage
		e.truthPackage(in)
		return e.reportTo(in)
	}
	tree := e.parse(in.Bytes, "")
	if tree != nil {
		e.value = tree.Root()
		e.whole(in, tree)
	}
	return e.reportTo(in)
}

// reportTo makes the report, and hands out what the object shows.
func (e *exam) reportTo(in Input) *report.Report {
	r := e.report()
	if in.Shown != nil && r.Verdict != report.Rejected {
		in.Shown(e.histories)
	}
	return r
}

// parse reads JSON that stands at a path, and rejects all else (check json).
func (e *exam) parse(wire []byte, path string) *jsonx.Tree {
	tree, err := e.k.ParseJSON(wire, jsonx.Limits{})
	if err == nil {
		e.looked(report.CheckJSON, 1)
		return tree
	}
	var fault *jsonx.SyntaxError
	if !errors.As(err, &fault) {
		panic(err)
	}
	if fault.Code == jsonx.TooLarge {
		e.fault(report.CheckShape, report.CodeUnsupportedObject, path, "The object is larger than this program can hold.")
		return nil
	}
	e.reject(report.CheckJSON, finding{
		code: report.Code(fault.Code), path: path,
		message: fmt.Sprintf("At byte %d.", fault.Offset), actual: fmt.Sprint(fault.Offset),
	})
	return nil
}

// A form is how objects of one sort are examined.
type form struct {
	schema string
	list   string
	// faults returns the faults of form between members; nil where the form has no such rules.
	faults  func(object jsonx.Value) []finding
	examine func(e *exam, object jsonx.Value)
}

// whole examines a parsed object: its kind, shape, keys, and the checks of its kind.
func (e *exam) whole(in Input, tree *jsonx.Tree) {
	object := tree.Root()
	f := e.formOf(object)
	if f == nil {
		return
	}
	e.list = f.list
	e.looked(report.CheckShape, 1)
	if !e.shape(f, tree, len(in.Bytes)) {
		return
	}
	e.readKeys(object, "")
	e.wires = in.Links
	f.examine(e, object)
	e.showRoots()
	e.settle()
	e.holdLevel()
	e.holdKnown(in.Links)
	e.holdExpectations()
}

// shape holds an object against its form, in two passes.
func (e *exam) shape(f *form, tree *jsonx.Tree, length int) bool {
	row := tables.KindOf(string(e.kind))
	if row.MaxBytes > 0 && length > row.MaxBytes && (e.kind != report.KindBundle || f.list != "bundle") {
		e.fault(report.CheckShape, report.CodeUnsupportedObject, "", "An object of this kind is not so long.")
		return false
	}
	found := shapeFindings(f.schema, tree.Root(), e.workers)
	found = append(found, deepPayloads(tree)...)
	if len(found) == 0 && f.faults != nil {
		found = f.faults(tree.Root())
	}
	for _, one := range found {
		e.reject(report.CheckShape, one)
	}
	return len(found) == 0
}
