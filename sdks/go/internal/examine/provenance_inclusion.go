package examine

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

var leafLine = digest.LineOf(provenanceWord, "leaf")

// provenanceInclusion examines a bare inclusion of an envelope, which nobody signed (protocol section 27).
func (e *exam) provenanceInclusion(object jsonx.Value) {
	e.inclusionOf(object, "")
	e.notChecked(report.CheckBundleSeal, "no manifest here")
	e.unsigned("Nobody signed the root that the proof leads to.", report.AskManifest)
}

// inclusionOf examines the proof itself, and states the subject.
func (e *exam) inclusionOf(inclusion jsonx.Value, path string) {
	const check = report.CheckProvenance
	seq := number(inclusion, "seq_no")
	e.subject.ID, e.subject.StreamID = idOf(inclusion, "source_ref"), text(inclusion, "stream_id")
	e.subject.FromSeqNo, e.subject.ToSeqNo = seq, seq
	e.looked(check, 1)
	var leaf []byte
	for i, name := range []string{"capsule_root", "envelope_hash", "event_hash", "installation_id", "seq_no", "source_ref", "stream_id"} {
		mark := `,"`
		if i == 0 {
			mark = `{"`
		}
		leaf = appendMember(leaf, mark+name+`":`, inclusion.Get(name))
	}
	data := e.k.Digest(leafLine, append(leaf, '}'))
	hash := e.k.LeafHash(data[:])
	from, to := number(inclusion, "from_seq_no"), number(inclusion, "to_seq_no")
	index, size := number(inclusion, "leaf_index"), number(inclusion, "tree_size")
	holds := hash == hashOf(inclusion, "leaf_hash") && index == seq-from && size == to-from+1 && e.k.VerifyInclusion(
		hash, uint64(index), uint64(size), hashes(inclusion.Get("inclusion_path")), hashOf(inclusion, "provenance_root"))
	e.expect(check, holds, report.CodeInclusionInvalid, path+"/inclusion_path", "The inclusion proof does not hold.")
}

// shownInclusion examines an inclusion of an envelope beside the sealed manifest of its range.
func (e *exam) shownInclusion(object jsonx.Value) {
	const check = report.CheckProvenance
	inclusion, manifest, path := object.Get("inclusion"), object.Get("manifest"), "/inclusion"
	e.inclusionOf(inclusion, path)
	isVouched := e.sealedManifest(manifest, object.Get("seal"), "/seal")
	e.settle()
	isSame := inclusion.Get("stream_id").Equal(manifest.Get("stream_id")) &&
		inclusion.Get("from_seq_no").Equal(manifest.Get("from_seq_no")) && inclusion.Get("to_seq_no").Equal(manifest.Get("to_seq_no"))
	e.expect(check, isSame, report.CodeProvenanceRangeMismatch, path, "The proof is for another range than the manifest's.")
	e.expect(check, inclusion.Get("provenance_root").Equal(manifest.Get("provenance_root")), report.CodeProvenanceRootMismatch,
		path+"/provenance_root", "The manifest has another root.")
	e.expect(check, number(manifest, "provenance_event_count") == number(manifest, "to_seq_no")-number(manifest, "from_seq_no")+1,
		report.CodeProvenanceCountMismatch, "/manifest/provenance_event_count", "The count is not that of the range.")
	isTrusted := e.mayVouch(text(object.Get("seal"), "kid"), text(manifest, "stream_id"), text(manifest, "created_at"))
	e.inclusionKey(inclusion, manifest, isTrusted && isVouched())
}

// inclusionKey holds the installation of an inclusion against the manifest's lifecycle and the pins.
func (e *exam) inclusionKey(inclusion, manifest jsonx.Value, isVouched bool) {
	const check = report.CheckProvenance
	id := text(inclusion, "installation_id")
	var statuses []*keyStatus
	isListed := false
	for i, one := range items(manifest.Get("vault_key_lifecycle")) {
		s := readKeyStatus(one, at("/manifest/vault_key_lifecycle", i))
		e.ownKeyID(s, report.CheckProvenance)
		statuses = append(statuses, s)
		isListed = isListed || s.installation == id
	}
	e.expect(check, isListed, report.CodeVaultLifecycleMismatch, "/manifest/vault_key_lifecycle", "The lifecycle does not have the installation.")
	if !isVouched {
		statuses = nil
	}
	e.knowKeys(check, text(manifest, "stream_id"), statuses, nil).of(id, "/inclusion/installation_id", nil)
}

// shownInclusionFaults returns the faults of form of the manifest beside an inclusion.
func shownInclusionFaults(object jsonx.Value) (found []finding) {
	manifest := object.Get("manifest")
	if number(manifest, "to_seq_no") < number(manifest, "from_seq_no") {
		found = append(found, finding{code: report.CodeMalformed, path: "/manifest/to_seq_no", message: "The range ends before it starts."})
	}
	found = append(found, frontierFaults(manifest.Get("prior_windows"))...)
	for i, one := range items(manifest.Get("vault_key_lifecycle")) {
		found = append(found, keyStatusFaults(one, at("/manifest/vault_key_lifecycle", i))...)
	}
	return found
}
