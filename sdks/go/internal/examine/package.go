package examine

import (
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
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

// truthPackage examines an archive (protocol section 15).
func (e *exam) truthPackage(in Input) {
	entries, faults := zipx.Read(in.Bytes)
	for _, one := range faults {
		path := ""
		if !one.IsWhole {
			path = "/" + schema.Escape(one.Name)
		}
		e.fault(report.CheckArchive, report.Code(one.Code), path, "The archive is not one that a verifier unpacks.")
	}
	if len(faults) > 0 {
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
	if proofs := contents[proofsEntry]; proofs == nil || !e.proofs(in, proofs, ranges, contents[eventsEntry]) {
		e.notChecked(report.CheckExport, "the bundles cannot be read, so the events are not compared with them")
	}
	e.expectRanges(ranges)
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
	tree := e.parse(content, manifestPath)
	if tree == nil {
		return manifest, false
	}
	manifest = tree.Root()
	e.looked(report.CheckShape, 1)
	found := shapeFindings("truth-package", manifest, e.workers)
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

// rejectIn rejects with a finding whose place is that of a part of the object.
func (e *exam) rejectIn(check report.CheckID, f finding, part jsonx.Value, inPart string) {
	e.reject(check, f)
	last := &e.rejections[len(e.rejections)-1]
	last.part, last.inPart = part, inPart
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

// ManifestOf returns the bytes of a truth package's manifest; ok is false if it cannot be read.
func ManifestOf(k kernel.Kernel, archive []byte) (manifest []byte, ok bool) {
	entries, faults := zipx.Read(archive)
	if len(faults) > 0 {
		return nil, false
	}
	for i := range entries {
		if entries[i].Name == packageManifest {
			return entries[i].Content(k)
		}
	}
	return nil, false
}
