// Package bundle examines bundles, and cuts portable receipts out of them (protocol sections 13 and 14).
package bundle

import (
	"svc.example/go/internal/beside"
	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/fork"
	"svc.example/go/internal/objects/manifest"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/provenance"
	"svc.example/go/report"
)

// Form returns how a bundle is examined.
func Form(object jsonx.Value) *examination.Form {
	list := "bundle"
	if IsOfEnvelopes(object) {
		list = "provenance-bundle"
	}
	return &examination.Form{Schema: "bundle", List: list, Faults: faults, Examine: examine}
}

// A bundle is a bundle, read once (protocol section 14).
type bundle struct {
	manifest.Frame
	records     recordList
	windows     []window.Window
	checkpoints []*checkpoint.Checkpoint
	policies    *witness.Book
	roots       *rootTable
}

const (
	receiptsPath    = "/artifacts/receipts.json"
	windowsPath     = "/artifacts/windows.json"
	checkpointsPath = "/artifacts/checkpoints.json"
	witnessesPath   = "/artifacts/witnesses.json"
	anchorsPath     = "/artifacts/anchors.json"
	forksPath       = "/artifacts/forks.json"
)

// faults returns the faults of form between the members of a bundle.
func faults(object jsonx.Value) (found []finding.Finding) {
	stated, artifacts := object.Get("manifest"), object.Get("artifacts")
	if values.Number(stated, "to_seq_no") < values.Number(stated, "from_seq_no") {
		found = append(found, finding.Finding{Code: report.CodeMalformed, Path: "/manifest/to_seq_no", Message: "The range ends before it starts."})
	}
	prior := stated.Get("prior_windows")
	if checkpoint.ExceedsTree(values.Number(prior, "window_count"), artifacts.Get("windows.json").Len()) {
		found = append(found, finding.Finding{Code: report.CodeMalformed, Path: "/manifest/prior_windows/window_count", Message: checkpoint.NoRoom})
	}
	found = append(found, manifest.FrontierFaults(prior)...)
	for i, one := range artifacts.Get("windows.json").Elements() {
		found = append(found, window.FaultsAt(one, values.At(windowsPath, i))...)
	}
	for i, one := range artifacts.Get("checkpoints.json").Elements() {
		found = append(found, checkpoint.FaultsAt(one, values.At(checkpointsPath, i))...)
	}
	for i, one := range artifacts.At("witnesses.json", "witness_policies").Elements() {
		found = append(found, witness.PolicyFaults(one, values.At(witnessesPath+"/witness_policies", i))...)
	}
	for i, one := range artifacts.Get("forks.json").Elements() {
		found = append(found, fork.FaultsAt(one, values.At(forksPath, i))...)
	}
	if values.Has(artifacts, "forks.json") != values.Has(stated.Get("artifact_hashes"), "forks.json") {
		path := forksPath
		if values.Has(artifacts, "forks.json") {
			path = "/manifest/artifact_hashes/forks.json"
		}
		found = append(found, finding.Finding{Code: report.CodeMissingMember, Path: path, Message: "The fork evidence and its hash come together or not at all."})
	}
	return append(found, provenance.Faults(object)...)
}

// examine examines a bundle.
func examine(e *examination.Exam, object jsonx.Value) {
	b := read(e, object)
	// The hashes take long enough to be made beside the records.
	var hashes []digest.Hash
	beside.All(e.Workers, func() { hashes = b.artifactHashes(e.Kernel) }, func() { examineRecords(e, b) })
	holdArtifacts(e, b, hashes)
	examineWindows(e, b)
	e.Pause()
	completeness(e, b)
	examineCheckpoints(e, b)
	show(e, b)
	checkpointChain(e, b)
	holdPolicies(e, b)
	examineWitnesses(e, b)
	examineAnchors(e, b)
	e.Settle()
	isVouched := manifest.ExamineSeal(e, b.Manifest, object.Get("seal"), "/seal")
	e.Settle()
	if values.Has(b.Artifacts, "provenance.json") {
		isTrusted := e.MayVouch(values.Text(object.Get("seal"), "kid"), b.Stream, values.Text(b.Manifest, "created_at"))
		provenance.Examine(e, &b.Frame, isTrusted, isTrusted && isVouched())
	}
	e.Settle()
	examineForks(e, b)
	e.IsIncluded = b.records.len() > 0 && e.IsClean(
		report.CheckEventHash, report.CheckWindowRoot, report.CheckWindowSeal, report.CheckWindowTiling,
		report.CheckCheckpointRoot, report.CheckCheckpointChain, report.CheckCheckpointSeal, report.CheckNote,
	)
	e.IsComplete = e.IsIncluded && e.IsClean(report.CheckSequence, report.CheckCompleteness, report.CheckBundleSeal)
}

func read(e *examination.Exam, object jsonx.Value) *bundle {
	b := &bundle{Frame: manifest.Read(object)}
	for i, one := range b.Artifacts.Get("checkpoints.json").Elements() {
		b.checkpoints = append(b.checkpoints, checkpoint.Read(one, values.At(checkpointsPath, i)))
	}
	for i, one := range b.Artifacts.Get("windows.json").Elements() {
		b.windows = append(b.windows, *window.Read(one, values.At(windowsPath, i)))
	}
	e.About(values.Text(b.Manifest, "bundle_id"), b.Stream, b.From, b.To)
	if newest := b.newest(); newest != nil {
		e.Subject.Origin, e.Origin = examination.StatedBy(newest.Origin, b.Stream), newest.Origin
	}
	return b
}

// newest returns the last checkpoint; nil for none.
func (b *bundle) newest() *checkpoint.Checkpoint {
	if len(b.checkpoints) == 0 {
		return nil
	}
	return b.checkpoints[len(b.checkpoints)-1]
}

// checkpointOf returns a checkpoint by its number; nil for none.
func (b *bundle) checkpointOf(no int64) *checkpoint.Checkpoint {
	for _, one := range b.checkpoints {
		if one.No == no {
			return one
		}
	}
	return nil
}

// artifactHashes returns the hashes of the artifacts, in their order.
func (b *bundle) artifactHashes(k kernel.Kernel) (hashes []digest.Hash) {
	for _, artifact := range b.Artifacts.Members() {
		hashes = append(hashes, k.Digest(nil, artifact.Canonical()))
	}
	return hashes
}

// holdArtifacts holds every artifact against the hash that the manifest names.
func holdArtifacts(e *examination.Exam, b *bundle, hashes []digest.Hash) {
	named := b.Manifest.Get("artifact_hashes")
	i := 0
	for name := range b.Artifacts.Members() {
		label, _ := name.Text()
		e.ExpectEqual(report.CheckManifest, report.CodeArtifactHashMismatch, values.Text(named, label),
			values.Hex(hashes[i]), "/artifacts/"+label, label+" is not the one that the manifest names.")
		i++
	}
}

// completeness holds the ends of records and windows against the manifest's range.
func completeness(e *examination.Exam, b *bundle) {
	const check = report.CheckCompleteness
	e.Looked(check, b.records.len())
	ends := func(actual, due int64, path, message string) {
		code := report.CodeRangeIncomplete
		if actual > due {
			code = report.CodeSequenceBroken
		}
		if actual != due {
			e.Reject(check, finding.Finding{Code: code, Path: path, Message: message, Expected: values.Itoa(due), Actual: values.Itoa(actual)})
		}
	}
	// The windows are named where both are missing, and nothing is compared with one that is there.
	if len(b.windows) == 0 {
		e.Fault(check, report.CodeRangeIncomplete, windowsPath, "The bundle has no windows.")
		return
	}
	n := b.records.len()
	if n == 0 {
		e.Fault(check, report.CodeRangeIncomplete, receiptsPath, "The bundle has no records.")
		return
	}
	// A first record past the beginning leaves a gap, one before it is more than is stated.
	ends(-b.records.seqNos[0], -b.From, values.At(receiptsPath, 0)+"/seq_no", "The records do not begin where the range does.")
	ends(b.records.seqNos[n-1], b.To, values.At(receiptsPath, n-1)+"/seq_no", "The records do not end where the range does.")
	last := b.windows[len(b.windows)-1]
	ends(last.To, b.To, last.Path+"/to_seq_no", "The windows do not end where the range does.")
}

// IsOfEnvelopes says whether a bundle, of any form, has what only those of envelopes have in manifest or artifacts
// (section 27): its report lists their checks.
func IsOfEnvelopes(object jsonx.Value) bool {
	manifest := object.Get("manifest")
	return values.Has(object.Get("artifacts"), "provenance.json") || values.Has(manifest, "provenance_root") ||
		values.Has(manifest, "provenance_event_count") || values.Has(manifest, "vault_key_lifecycle")
}
