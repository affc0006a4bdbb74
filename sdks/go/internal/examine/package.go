package examine

import (
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/zipx"
	"svc.example/go/report"
)

const (
	packageManifest = "svc.truth-package.manifest.json"
	proofsEntry     = "proofs.json"
	eventsEntry     = "events.csv"
	manifestPath    = "/" + packageManifest
	proofsPath      = "/" + proofsEntry
)

// A packageRange is a range that was asked for.
type packageRange struct {
	stream   string
	from, to int64
	bundle   *packageBundle
}

// A packageBundle is a bundle of a truth package.
type packageBundle struct {
	value  jsonx.Value
	path   string
	stream string
	exam   *exam
	report *report.Report
}

// truthPackage examines an archive (protocol section 15).
func (e *exam) truthPackage(in Input) {
	entries, fault := zipx.Read(in.Bytes)
	if fault != nil {
		path := ""
		if !fault.IsWhole {
			path = "/" + schema.Escape(fault.Name)
		}
		e.fault(report.CheckArchive, report.Code(fault.Code), path, "The archive is not one that a verifier unpacks.")
		return
	}
	e.looked(report.CheckArchive, len(entries))
	find := func(name string) *zipx.Entry {
		for i := range entries {
			if entries[i].Name == name {
				return &entries[i]
			}
		}
		return nil
	}
	manifest, ok := e.packageManifest(find(packageManifest))
	if !ok || !e.isComplement(entries, find) {
		return
	}
	id := text(manifest, "export_id")
	e.subject.ID = &id
	if ranges := items(manifest.Get("ranges")); len(ranges) == 1 {
		e.subject.StreamID = text(ranges[0], "stream_id")
		e.subject.FromSeqNo, e.subject.ToSeqNo = number(ranges[0], "from_seq_no"), number(ranges[0], "to_seq_no")
	}
	contents := e.packageArtifacts(manifest, find)
	ranges := readRanges(manifest)
	e.readKeys(manifest, manifestPath)
	e.seal(report.CheckBundleSeal, packageSeal, manifest, manifest.Get("seal"), sealUse{
		path: manifestPath + "/seal", role: report.RoleTruthPackage, what: "the package's manifest", ownTime: text(manifest, "created_at"),
	}, nil)
	if proofs := contents[proofsEntry]; proofs != nil {
		e.proofs(in, proofs, ranges, contents[eventsEntry])
	}
}

// packageManifest reads the manifest of a package and its shape.
func (e *exam) packageManifest(entry *zipx.Entry) (manifest jsonx.Value, ok bool) {
	if entry == nil {
		e.fault(report.CheckArchive, report.CodeArchiveEntryMissing, manifestPath, "The manifest is missing.")
		return manifest, false
	}
	content, ok := entry.Content(e.k)
	if !ok {
		e.fault(report.CheckArchive, report.CodeArchiveMalformed, manifestPath, "The content is not as declared.")
		return manifest, false
	}
	tree := e.parseAt(content, manifestPath)
	if tree == nil {
		return manifest, false
	}
	manifest = tree.Root()
	e.looked(report.CheckShape, 1)
	found := shapeFindings("truth-package", manifest)
	if len(found) == 0 {
		found = packageFaults(manifest)
	}
	for _, one := range found {
		one.path = manifestPath + one.path
		e.rejectIn(report.CheckShape, one, manifest, one.path[len(manifestPath):])
	}
	if len(found) > 0 {
		return manifest, false
	}
	e.manifestValue = manifest
	return manifest, true
}

// rejectIn rejects with a finding whose place is told by a part of the object.
func (e *exam) rejectIn(check report.CheckID, f finding, part jsonx.Value, inPart string) {
	e.reject(check, f)
	if last := len(e.rejections) - 1; last >= 0 {
		e.rejections[last].part, e.rejections[last].inPart = part, inPart
	}
}

// parseAt reads JSON of an entry.
func (e *exam) parseAt(wire []byte, path string) *jsonx.Tree {
	count := len(e.rejections)
	tree := e.parse(wire)
	for i := count; i < len(e.rejections); i++ {
		e.rejections[i].finding.path = path
	}
	return tree
}

// packageFaults returns the faults of form between the members of a package's manifest.
func packageFaults(manifest jsonx.Value) (found []finding) {
	var before jsonx.Value
	for i, one := range items(manifest.Get("ranges")) {
		isGood := number(one, "from_seq_no") <= number(one, "to_seq_no")
		if before.Exists() {
			order := before.Get("stream_id").Compare(one.Get("stream_id"))
			isGood = isGood && (order < 0 || (order == 0 && number(before, "to_seq_no") < number(one, "from_seq_no")))
		}
		if !isGood {
			found = append(found, finding{
				code: report.CodeMalformed, path: at("/ranges", i), message: "Ranges ascend, do not overlap, and hold an event.",
			})
		}
		before = one
	}
	order := []string{eventsEntry, "manifest.json", proofsEntry}
	for i, one := range items(manifest.Get("artifacts")) {
		if text(one, "path") != order[i] {
			found = append(found, finding{code: report.CodeMalformed, path: at("/artifacts", i) + "/path", message: "Another artifact stands here."})
		}
	}
	return found
}

// isComplement says whether the manifest and its artifacts are there, and nothing else is.
func (e *exam) isComplement(entries []zipx.Entry, find func(string) *zipx.Entry) bool {
	wanted := []string{packageManifest, eventsEntry, "manifest.json", proofsEntry}
	isGood := true
	for _, name := range wanted {
		isGood = e.expect(report.CheckArchive, find(name) != nil, report.CodeArchiveEntryMissing, "/"+name, "The entry is missing.") && isGood
	}
	for i := range entries {
		name := entries[i].Name
		isGood = e.expect(report.CheckArchive, slices.Contains(wanted, name), report.CodeArchiveEntryUnlisted,
			"/"+schema.Escape(name), "The manifest does not list the entry.") && isGood
	}
	return isGood
}

// packageArtifacts unpacks the artifacts, and holds each against the manifest.
func (e *exam) packageArtifacts(manifest jsonx.Value, find func(string) *zipx.Entry) map[string][]byte {
	contents := map[string][]byte{}
	for _, one := range items(manifest.Get("artifacts")) {
		name := text(one, "path")
		path := "/" + name
		content, ok := find(name).Content(e.k)
		if !ok {
			e.fault(report.CheckArchive, report.CodeArchiveMalformed, path, "The content is not as declared.")
			continue
		}
		if content == nil {
			content = []byte{}
		}
		contents[name] = content
		e.looked(report.CheckManifest, 1)
		isSame := hexOf(e.k.Digest(nil, content)) == text(one, "sha256")
		e.expect(report.CheckManifest, isSame, report.CodeArtifactHashMismatch, path, name+" is not the one that the manifest names.")
		isSame = int64(len(content)) == number(one, "size_bytes")
		e.expect(report.CheckManifest, isSame, report.CodeArtifactHashMismatch, path, name+" is not the one that the manifest names.")
	}
	return contents
}

func readRanges(manifest jsonx.Value) (ranges []*packageRange) {
	for _, one := range items(manifest.Get("ranges")) {
		ranges = append(ranges, &packageRange{stream: text(one, "stream_id"), from: number(one, "from_seq_no"), to: number(one, "to_seq_no")})
	}
	return ranges
}

// proofs examines the bundles of a package, and holds them and the table against the ranges.
func (e *exam) proofs(in Input, wire []byte, ranges []*packageRange, table []byte) {
	tree := e.parseAt(wire, proofsPath)
	if tree == nil {
		return
	}
	if tree.Root().Kind() != jsonx.Array {
		e.fault(report.CheckShape, report.CodeMalformed, proofsPath, "The proofs are a list of bundles.")
		return
	}
	if !e.expect(report.CheckExport, tree.Root().Len() <= len(ranges), report.CodeExportMismatch, proofsPath,
		"There are more bundles than ranges.") {
		return
	}
	bundles, ok := e.packageBundles(in, tree)
	e.adoptBundles(bundles)
	if !ok {
		return
	}
	for i := 1; i < len(bundles); i++ {
		e.expect(report.CheckShape, bundles[i-1].stream < bundles[i].stream, report.CodeMalformed,
			bundles[i].path+"/manifest/stream_id", "The bundles ascend by stream, and there is one for each.")
	}
	e.export(bundles, ranges, table)
	e.sumAssurance(bundles)
	e.expectRanges(ranges)
}

// packageBundles examines each bundle by itself. ok is false where one has not the shape of a bundle.
func (e *exam) packageBundles(in Input, tree *jsonx.Tree) (bundles []*packageBundle, ok bool) {
	ok = true
	deep := deepPayloads(tree)
	for i, value := range tree.Root().Elements() {
		b := &packageBundle{value: value, path: at(proofsPath, i), stream: text(value.Get("manifest"), "stream_id")}
		bundles = append(bundles, b)
		part := newExam(e.k, e.policy, nil, e.workers)
		part.context = e.context
		part.kind, part.value = report.KindBundle, value
		f := part.formOf(value)
		part.list = f.list
		part.looked(report.CheckShape, 1)
		found := shapeFindings(f.schema, value)
		if len(found) == 0 && len(deep) == 0 {
			found = f.faults(value)
		}
		for _, one := range found {
			part.reject(report.CheckShape, one)
		}
		b.exam = part
		if len(found) > 0 || len(deep) > 0 {
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
	for _, one := range deep {
		one.path = proofsPath + one.path
		e.reject(report.CheckShape, one)
	}
	return bundles, ok
}

// adoptBundles takes over what the bundles have noted.
func (e *exam) adoptBundles(bundles []*packageBundle) {
	// Nothing in a bundle dates the package's own seal.
	e.settle()
	e.judgeDated()
	e.dated = nil
	for _, b := range bundles {
		b.report = b.exam.report()
		e.adopt(b.exam, b.path)
		if b.exam.list == "provenance-bundle" {
			e.list = "provenance-package"
		}
	}
}

// adopt takes over everything that a part has noted; its paths stand below `base`. Call it after the part's report.
func (e *exam) adopt(part *exam, base string) {
	move := func(one noted) noted {
		if !isTrustPath(one.finding.path) {
			if !one.part.Exists() {
				one.part, one.inPart = part.value, one.finding.path
			}
			one.finding.path = base + one.finding.path
		}
		return one
	}
	for _, one := range part.rejections {
		e.rejections = append(e.rejections, move(one))
	}
	for check, t := range part.tallies {
		own := e.tally(check)
		own.hasFailed = own.hasFailed || t.hasFailed
		if check != report.CheckTrust {
			own.count += t.count
			own.unevaluated += t.unevaluated
		}
		if own.note == "" && check != report.CheckTrust {
			own.note = t.note
		}
		if own.found == "" {
			own.found = t.found
		}
	}
	e.adoptSigners(part, move)
	e.isBroken = e.isBroken || part.isBroken
	e.levels = append(e.levels, part.levels...)
}

// adoptSigners takes over how trust reaches the signers of a part.
func (e *exam) adoptSigners(part *exam, move func(noted) noted) {
	for _, one := range part.distrusts {
		key := string(one.finding.code) + " " + one.finding.kid
		if !e.distrusted[key] {
			e.distrusted[key] = true
			e.distrusts = append(e.distrusts, move(one))
		}
	}
	e.signers.adopt(&part.signers)
	e.sealsSeen += part.sealsSeen
	e.missing += part.missing
}

// sumAssurance states of the package what the bundle shows that shows least.
func (e *exam) sumAssurance(bundles []*packageBundle) {
	if len(bundles) == 0 {
		return
	}
	first := bundles[0].report.Assurance
	e.isIncluded, e.isComplete = true, !e.failed(report.CheckExport)
	e.witnessed, e.published, e.anchored = first.Witnessed, first.Published, first.Anchored
	e.subject.Origin = bundles[0].report.Subject.Origin
	for _, b := range bundles {
		a := b.report.Assurance
		e.isIncluded, e.isComplete = e.isIncluded && a.Included, e.isComplete && a.Complete
		e.witnessed.Required = max(e.witnessed.Required, a.Witnessed.Required)
		e.witnessed.Valid = min(e.witnessed.Valid, a.Witnessed.Valid)
		e.witnessed.Pinned = min(e.witnessed.Pinned, a.Witnessed.Pinned)
		e.published = least([]string{"none", "included", "witnessed"}, e.published, a.Published)
		e.anchored = least([]string{"none", "pending", "unpinned", "pinned"}, e.anchored, a.Anchored)
		e.redacted += a.Redacted
		if b.report.Subject.Origin != e.subject.Origin {
			e.subject.Origin = ""
		}
	}
}

// least returns the one of two words that stands first in their order.
func least(order []string, a, b string) string {
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// expectRanges holds the ranges of each stream against the expected one: bundles are wider than what was asked for.
func (e *exam) expectRanges(ranges []*packageRange) {
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
