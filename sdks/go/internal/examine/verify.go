// Package examine decides what is right or wrong about an object of the protocol: it finds the kind of the object, lets
// the package of that kind examine it, and makes the report. It also decodes, redacts and cuts evidence, and searches
// for forks.
package examine

import (
	"context"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/truthpackage"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
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
func KIDOf(key []byte) string { return values.KID(key) }

// IsKind says whether a kind is one of the protocol's.
func IsKind(kind report.Kind) bool { return tables.KindOf(string(kind)) != nil }

// Verify examines bytes, and returns the report (the order of work of section 16). The error is that of the context.
func Verify(in Input) (r *report.Report, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			end, ok := failure.(examination.Stopped)
			if !ok {
				panic(failure)
			}
			r, err = nil, end.Err
		}
	}()
	return verify(in), nil
}

func verify(in Input) *report.Report {
	e := examination.New(in.Kernel, in.Policy, nil, in.Workers)
	e.Context = in.Context
	for _, fault := range in.Policy.Refused {
		e.Reject(report.CheckTrust, fault)
	}
	e.Kind = in.Kind
	if in.Kind == report.KindTruthPackage || (in.Kind == "" && len(in.Bytes) >= 2 && string(in.Bytes[:2]) == "PK") {
		e.Kind = report.KindTruthPackage
		truthpackage.Examine(e, in.Bytes, in.Links)
		return reportTo(e, in)
	}
	tree := e.Parse(in.Bytes, "")
	if tree != nil {
		e.Value = tree.Root()
		whole(e, in, tree)
	}
	return reportTo(e, in)
}

// reportTo makes the report, and hands out what the object shows.
func reportTo(e *examination.Exam, in Input) *report.Report {
	r := e.Report()
	if in.Shown != nil && r.Verdict != report.Rejected {
		in.Shown(e.Histories)
	}
	return r
}

// whole examines a parsed object: its kind, shape, keys, and the checks of its kind.
func whole(e *examination.Exam, in Input, tree *jsonx.Tree) {
	f := formOf(e, tree.Root())
	if f == nil {
		return
	}
	e.Links = in.Links
	if !e.Examine(f, tree, len(in.Bytes)) {
		return
	}
	e.ShowRoots()
	e.Settle()
	e.HoldLevel()
	checkpoint.HoldKnown(e, in.Links)
	e.HoldExpectations()
}
