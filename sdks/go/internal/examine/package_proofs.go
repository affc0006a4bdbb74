package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A packageRange is a range that was asked for.
type packageRange struct {
	stream   string
	from, to int64
}

// A packageBundle is a bundle of a truth package.
type packageBundle struct {
	value  jsonx.Value
	path   string
	stream string
	exam   *exam
	report *report.Report
}

func readRanges(manifest jsonx.Value) (ranges []packageRange) {
	for _, one := range items(manifest.Get("ranges")) {
		ranges = append(ranges, packageRange{stream: text(one, "stream_id"), from: number(one, "from_seq_no"), to: number(one, "to_seq_no")})
	}
	return ranges
}

// proofs examines the bundles of a package, and holds them and the table against the ranges; it says whether it could.
func (e *exam) proofs(in Input, wire []byte, ranges []packageRange, table []byte) bool {
	tree := e.parse(wire, proofsPath)
	if tree == nil {
		return false
	}
	if tree.Root().Kind() != jsonx.Array {
		e.fault(report.CheckShape, report.CodeMalformed, proofsPath, "The proofs are a list of bundles.")
		return false
	}
	if !e.expect(report.CheckExport, tree.Root().Len() <= len(ranges), report.CodeExportMismatch, proofsPath,
		"There are more bundles than ranges.") {
		return false
	}
	bundles, ok := e.packageBundles(in, tree)
	e.adoptBundles(bundles)
	if ok {
		for i := 1; i < len(bundles); i++ {
			e.expect(report.CheckShape, bundles[i-1].stream < bundles[i].stream, report.CodeMalformed,
				bundles[i].path+"/manifest/stream_id", "The bundles ascend by stream, and there is one for each.")
		}
		e.export(bundles, ranges, table)
	}
	e.sumAssurance(bundles)
	return ok
}

// packageBundles examines each bundle by itself. ok is false where one has not the shape of a bundle.
func (e *exam) packageBundles(in Input, tree *jsonx.Tree) (bundles []*packageBundle, ok bool) {
	ok = true
	isDeep := tree.Depth() > tables.MaxPayloadDepth
	for i, value := range tree.Root().Elements() {
		b := &packageBundle{value: value, path: at(proofsPath, i), stream: text(value.Get("manifest"), "stream_id")}
		bundles = append(bundles, b)
		part := newExam(e.k, e.policy, nil, e.workers)
		part.context = e.context
		part.kind, part.value = report.KindBundle, value
		f := part.formOf(value)
		part.list = f.list
		part.looked(report.CheckShape, 1)
		found := shapeFindings(f.schema, value, e.workers)
		if isDeep {
			found = append(found, deepPayloadsOf(value)...)
		}
		if len(found) == 0 {
			found = f.faults(value)
		}
		for _, one := range found {
			part.reject(report.CheckShape, one)
		}
		b.exam = part
		if len(found) > 0 {
			ok = false
			continue
		}
		part.readKeys(value, "")
		f.examine(part, value)
		part.settle()
		part.holdLevel()
		part.holdKnown(in.Links)
		part.holdExpectations()
	}
	return bundles, ok
}

// expectRanges holds the ranges of each stream against the expected one, whatever the proofs hold: bundles are wider
// than what was asked for.
func (e *exam) expectRanges(ranges []packageRange) {
	asked := &e.policy.expect
	if asked.from == 0 && asked.to == 0 {
		return
	}
	e.looked(report.CheckExpectation, 1)
	covered := map[string]bool{}
	for _, one := range ranges {
		part := exam{policy: e.policy, subject: report.Subject{FromSeqNo: one.from, ToSeqNo: one.to}}
		covered[one.stream] = covered[one.stream] || part.coversExpected()
	}
	for _, isCovered := range covered {
		if !isCovered {
			e.fault(report.CheckExpectation, report.CodeRangeIncomplete, "", "The ranges of the package do not cover the one that you expect.")
			return
		}
	}
}
