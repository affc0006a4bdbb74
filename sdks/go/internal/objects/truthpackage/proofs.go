package truthpackage

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/bundle"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// An eventRange is a range that was asked for.
type eventRange struct {
	stream   string
	from, to int64
}

// A shownBundle is a bundle of a truth package.
type shownBundle struct {
	value  jsonx.Value
	path   string
	stream string
	exam   *examination.Exam
	report *report.Report
}

func readRanges(manifest jsonx.Value) (ranges []eventRange) {
	for _, one := range values.Items(manifest.Get("ranges")) {
		ranges = append(ranges, eventRange{
			stream: values.Text(one, "stream_id"), from: values.Number(one, "from_seq_no"), to: values.Number(one, "to_seq_no"),
		})
	}
	return ranges
}

// examineProofs examines the bundles of a package, and holds them and the table against the ranges. It says whether it
// could.
func examineProofs(e *examination.Exam, wire []byte, links [][]byte, ranges []eventRange, table []byte) bool {
	tree := e.Parse(wire, proofsPath)
	if tree == nil {
		return false
	}
	if tree.Root().Kind() != jsonx.Array {
		e.Fault(report.CheckShape, report.CodeMalformed, proofsPath, "The proofs are a list of bundles.")
		return false
	}
	if !e.Expect(report.CheckExport, tree.Root().Len() <= len(ranges), report.CodeExportMismatch, proofsPath,
		"There are more bundles than ranges.") {
		return false
	}
	bundles, ok := examineBundles(e, tree, links)
	adoptBundles(e, bundles)
	if ok {
		for i := 1; i < len(bundles); i++ {
			e.Expect(report.CheckShape, bundles[i-1].stream < bundles[i].stream, report.CodeMalformed,
				bundles[i].path+"/manifest/stream_id", "The bundles ascend by stream, and there is one for each.")
		}
		holdExport(e, bundles, ranges, table)
	}
	sumAssurance(e, bundles)
	return ok
}

// examineBundles examines each bundle by itself. ok is false where one has not the shape of a bundle.
func examineBundles(e *examination.Exam, tree *jsonx.Tree, links [][]byte) (bundles []*shownBundle, ok bool) {
	ok = true
	isDeep := tree.Depth() > tables.MaxPayloadDepth
	for i, value := range tree.Root().Elements() {
		b := &shownBundle{value: value, path: values.At(proofsPath, i), stream: values.Text(value.Get("manifest"), "stream_id")}
		bundles = append(bundles, b)
		part := examination.New(e.Kernel, e.Policy, nil, e.Workers)
		part.Context = e.Context
		part.Kind, part.Value = report.KindBundle, value
		f := bundle.Form(value)
		part.List = f.List
		part.Looked(report.CheckShape, 1)
		found := finding.Shape(f.Schema, value, e.Workers)
		if isDeep {
			found = append(found, finding.DeepPayloadsOf(value)...)
		}
		if len(found) == 0 {
			found = f.Faults(value)
		}
		for _, one := range found {
			part.Reject(report.CheckShape, one)
		}
		b.exam = part
		if len(found) > 0 {
			ok = false
			continue
		}
		part.ReadKeys(value, "")
		f.Examine(part, value)
		part.Settle()
		part.HoldLevel()
		checkpoint.HoldKnown(part, links)
		part.HoldExpectations()
	}
	return bundles, ok
}

// expectRanges holds the ranges of each stream against the expected one, whatever the proofs hold: bundles are wider
// than what was asked for.
func expectRanges(e *examination.Exam, ranges []eventRange) {
	asked := &e.Policy.Expect
	if asked.From == 0 && asked.To == 0 {
		return
	}
	e.Looked(report.CheckExpectation, 1)
	covered := map[string]bool{}
	for _, one := range ranges {
		covered[one.stream] = covered[one.stream] || asked.IsCoveredBy(one.from, one.to)
	}
	for _, isCovered := range covered {
		if !isCovered {
			e.Fault(report.CheckExpectation, report.CodeRangeIncomplete, "", "The ranges of the package do not cover the one that you expect.")
			return
		}
	}
}
