// Package truthpackage examines truth packages: archives of bundles, with the table of their events (protocol section
// 15).
package truthpackage

import (
	"slices"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/values"
	"svc.example/go/internal/zipx"
	"svc.example/go/report"
)

var sealForm = examination.NewSealForm(examination.ProtocolWord, "truth-package", "seal", "key_hints", "key_endorsements")

const (
	manifestEntry = "svc.truth-package.manifest.json"
	proofsEntry   = "proofs.json"
	eventsEntry   = "events.csv"
	manifestPath  = "/" + manifestEntry
	proofsPath    = "/" + proofsEntry
)

// Examine examines an archive (protocol section 15).
func Examine(e *examination.Exam, wire []byte, links [][]byte) {
	entries, faults := zipx.Read(wire)
	for _, one := range faults {
		path := ""
		if !one.IsWhole {
			path = "/" + schema.Escape(one.Name)
		}
		e.Fault(report.CheckArchive, report.Code(one.Code), path, "The archive is not one that a verifier unpacks.")
	}
	if len(faults) > 0 {
		return
	}
	e.Looked(report.CheckArchive, len(entries))
	find := func(name string) *zipx.Entry {
		for i := range entries {
			if entries[i].Name == name {
				return &entries[i]
			}
		}
		return nil
	}
	manifest, ok := readManifest(e, find(manifestEntry))
	if !ok || !isComplement(e, entries, find) {
		return
	}
	id := values.Text(manifest, "export_id")
	e.Subject.ID = &id
	if ranges := values.Items(manifest.Get("ranges")); len(ranges) == 1 {
		e.Subject.StreamID = values.Text(ranges[0], "stream_id")
		e.Subject.FromSeqNo, e.Subject.ToSeqNo = values.Number(ranges[0], "from_seq_no"), values.Number(ranges[0], "to_seq_no")
	}
	contents := holdArtifacts(e, manifest, find)
	ranges := readRanges(manifest)
	e.ReadKeys(manifest, manifestPath)
	e.Seal(report.CheckBundleSeal, sealForm, manifest, manifest.Get("seal"), examination.SealUse{
		Path: manifestPath + "/seal", Role: report.RoleTruthPackage, Name: "the package's manifest", OwnTime: values.Text(manifest, "created_at"),
	}, nil)
	if proofs := contents[proofsEntry]; proofs == nil || !examineProofs(e, proofs, links, ranges, contents[eventsEntry]) {
		e.NotChecked(report.CheckExport, "the bundles cannot be read, so the events are not compared with them")
	}
	expectRanges(e, ranges)
}

// readManifest reads the manifest of a package and its shape.
func readManifest(e *examination.Exam, entry *zipx.Entry) (manifest jsonx.Value, ok bool) {
	if entry == nil {
		e.Fault(report.CheckArchive, report.CodeArchiveEntryMissing, manifestPath, "The manifest is missing.")
		return manifest, false
	}
	content, ok := entry.Content(e.Kernel)
	if !ok {
		e.Fault(report.CheckArchive, report.CodeArchiveMalformed, manifestPath, "The content is not as declared.")
		return manifest, false
	}
	tree := e.Parse(content, manifestPath)
	if tree == nil {
		return manifest, false
	}
	manifest = tree.Root()
	e.Looked(report.CheckShape, 1)
	found := finding.Shape("truth-package", manifest, e.Workers)
	if len(found) == 0 {
		found = faults(manifest)
	}
	for _, one := range found {
		one.Path = manifestPath + one.Path
		e.RejectIn(report.CheckShape, one, manifest, one.Path[len(manifestPath):])
	}
	if len(found) > 0 {
		return manifest, false
	}
	e.Inner, e.InnerPath = manifest, manifestPath
	return manifest, true
}

// faults returns the faults of form between the members of a package's manifest.
func faults(manifest jsonx.Value) (found []finding.Finding) {
	var before jsonx.Value
	for i, one := range values.Items(manifest.Get("ranges")) {
		isGood := values.Number(one, "from_seq_no") <= values.Number(one, "to_seq_no")
		if before.Exists() {
			order := before.Get("stream_id").Compare(one.Get("stream_id"))
			isGood = isGood && (order < 0 || (order == 0 && values.Number(before, "to_seq_no") < values.Number(one, "from_seq_no")))
		}
		if !isGood {
			found = append(found, finding.Finding{
				Code: report.CodeMalformed, Path: values.At("/ranges", i), Message: "Ranges ascend, do not overlap, and hold an event.",
			})
		}
		before = one
	}
	order := []string{eventsEntry, "manifest.json", proofsEntry}
	for i, one := range values.Items(manifest.Get("artifacts")) {
		if values.Text(one, "path") != order[i] {
			found = append(found, finding.Finding{
				Code: report.CodeMalformed, Path: values.At("/artifacts", i) + "/path", Message: "Another artifact is expected here.",
			})
		}
	}
	return found
}

// isComplement says whether the manifest and its artifacts are there, and nothing else is.
func isComplement(e *examination.Exam, entries []zipx.Entry, find func(string) *zipx.Entry) bool {
	wanted := []string{manifestEntry, eventsEntry, "manifest.json", proofsEntry}
	isGood := true
	for _, name := range wanted {
		isGood = e.Expect(report.CheckArchive, find(name) != nil, report.CodeArchiveEntryMissing, "/"+name, "The entry is missing.") && isGood
	}
	for i := range entries {
		name := entries[i].Name
		isGood = e.Expect(report.CheckArchive, slices.Contains(wanted, name), report.CodeArchiveEntryUnlisted,
			"/"+schema.Escape(name), "The manifest does not list the entry.") && isGood
	}
	return isGood
}

// holdArtifacts unpacks the artifacts, and holds each against the manifest.
func holdArtifacts(e *examination.Exam, manifest jsonx.Value, find func(string) *zipx.Entry) map[string][]byte {
	contents := map[string][]byte{}
	for _, one := range values.Items(manifest.Get("artifacts")) {
		name := values.Text(one, "path")
		path := "/" + name
		content, ok := find(name).Content(e.Kernel)
		if !ok {
			e.Fault(report.CheckArchive, report.CodeArchiveMalformed, path, "The content is not as declared.")
			continue
		}
		if content == nil {
			content = []byte{}
		}
		contents[name] = content
		e.Looked(report.CheckManifest, 1)
		isSame := values.Hex(e.Kernel.Digest(nil, content)) == values.Text(one, "sha256")
		e.Expect(report.CheckManifest, isSame, report.CodeArtifactHashMismatch, path, name+" is not the one that the manifest names.")
		isSame = int64(len(content)) == values.Number(one, "size_bytes")
		e.Expect(report.CheckManifest, isSame, report.CodeArtifactHashMismatch, path, name+" is not the one that the manifest names.")
	}
	return contents
}

// Manifest returns the bytes of a truth package's manifest; ok is false if it cannot be read.
func Manifest(k kernel.Kernel, archive []byte) (manifest []byte, ok bool) {
	entries, faults := zipx.Read(archive)
	if len(faults) > 0 {
		return nil, false
	}
	for i := range entries {
		if entries[i].Name == manifestEntry {
			return entries[i].Content(k)
		}
	}
	return nil, false
}
