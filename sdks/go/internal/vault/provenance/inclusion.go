package provenance

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/manifest"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/report"
)

// ShownInclusionForm returns how an inclusion of an envelope beside its manifest is examined.
func ShownInclusionForm() *examination.Form {
	return &examination.Form{Schema: "shown-provenance-inclusion", Faults: shownInclusionFaults, Examine: examineShown}
}

// InclusionForm returns how a bare inclusion of an envelope is examined.
func InclusionForm() *examination.Form {
	return &examination.Form{Schema: "provenance-inclusion", Examine: examineInclusion}
}

var leafLine = digest.LineOf(examination.ProvenanceWord, "leaf")

// examineInclusion examines a bare inclusion of an envelope, which nobody signed (protocol section 27).
func examineInclusion(e *examination.Exam, object jsonx.Value) {
	holdInclusion(e, object, "")
	e.NotChecked(report.CheckBundleSeal, "no manifest here")
	e.Unsigned("Nobody signed the root that the proof leads to.", report.AskManifest)
}

// holdInclusion examines the proof itself, and states the subject.
func holdInclusion(e *examination.Exam, inclusion jsonx.Value, path string) {
	const check = report.CheckProvenance
	seq := values.Number(inclusion, "seq_no")
	e.Subject.ID, e.Subject.StreamID = values.ID(inclusion, "source_ref"), values.Text(inclusion, "stream_id")
	e.Subject.FromSeqNo, e.Subject.ToSeqNo = seq, seq
	e.Looked(check, 1)
	var leaf []byte
	for i, name := range []string{"capsule_root", "envelope_hash", "event_hash", "installation_id", "seq_no", "source_ref", "stream_id"} {
		mark := `,"`
		if i == 0 {
			mark = `{"`
		}
		leaf = values.AppendMember(leaf, mark+name+`":`, inclusion.Get(name))
	}
	data := e.Kernel.Digest(leafLine, append(leaf, '}'))
	hash := e.Kernel.LeafHash(data[:])
	from, to := values.Number(inclusion, "from_seq_no"), values.Number(inclusion, "to_seq_no")
	index, size := values.Number(inclusion, "leaf_index"), values.Number(inclusion, "tree_size")
	holds := hash == values.Hash(inclusion, "leaf_hash") && index == seq-from && size == to-from+1 && e.Kernel.VerifyInclusion(
		hash, uint64(index), uint64(size), values.Hashes(inclusion.Get("inclusion_path")), values.Hash(inclusion, "provenance_root"))
	e.Expect(check, holds, report.CodeInclusionInvalid, path+"/inclusion_path", "The inclusion proof does not hold.")
}

// examineShown examines an inclusion of an envelope beside the sealed manifest of its range.
func examineShown(e *examination.Exam, object jsonx.Value) {
	const check = report.CheckProvenance
	inclusion, stated, path := object.Get("inclusion"), object.Get("manifest"), "/inclusion"
	holdInclusion(e, inclusion, path)
	isVouched := manifest.ExamineSeal(e, stated, object.Get("seal"), "/seal")
	e.Settle()
	isSame := inclusion.Get("stream_id").Equal(stated.Get("stream_id")) &&
		inclusion.Get("from_seq_no").Equal(stated.Get("from_seq_no")) && inclusion.Get("to_seq_no").Equal(stated.Get("to_seq_no"))
	e.Expect(check, isSame, report.CodeProvenanceRangeMismatch, path, "The proof is for another range than the manifest's.")
	e.Expect(check, inclusion.Get("provenance_root").Equal(stated.Get("provenance_root")), report.CodeProvenanceRootMismatch,
		path+"/provenance_root", "The manifest has another root.")
	e.Expect(check, values.Number(stated, "provenance_event_count") == values.Number(stated, "to_seq_no")-values.Number(stated, "from_seq_no")+1,
		report.CodeProvenanceCountMismatch, "/manifest/provenance_event_count", "The count is not that of the range.")
	isTrusted := e.MayVouch(values.Text(object.Get("seal"), "kid"), values.Text(stated, "stream_id"), values.Text(stated, "created_at"))
	inclusionKey(e, inclusion, stated, isTrusted && isVouched())
}

// inclusionKey holds the installation of an inclusion against the manifest's lifecycle and the pins.
func inclusionKey(e *examination.Exam, inclusion, manifest jsonx.Value, isVouched bool) {
	const check = report.CheckProvenance
	id := values.Text(inclusion, "installation_id")
	var statuses []*trust.KeyStatus
	isListed := false
	for i, one := range values.Items(manifest.Get("vault_key_lifecycle")) {
		s := trust.ReadKeyStatus(one, values.At("/manifest/vault_key_lifecycle", i))
		keystatus.HoldKeyID(e, s, report.CheckProvenance)
		statuses = append(statuses, s)
		isListed = isListed || s.Installation == id
	}
	e.Expect(check, isListed, report.CodeVaultLifecycleMismatch, "/manifest/vault_key_lifecycle", "The lifecycle does not have the installation.")
	if !isVouched {
		statuses = nil
	}
	keystatus.Know(e, check, values.Text(manifest, "stream_id"), statuses, nil).Key(id, "/inclusion/installation_id", nil)
}

// shownInclusionFaults returns the faults of form of the manifest beside an inclusion.
func shownInclusionFaults(object jsonx.Value) (found []finding.Finding) {
	stated := object.Get("manifest")
	if values.Number(stated, "to_seq_no") < values.Number(stated, "from_seq_no") {
		found = append(found, finding.Finding{Code: report.CodeMalformed, Path: "/manifest/to_seq_no", Message: "The range ends before it starts."})
	}
	found = append(found, manifest.FrontierFaults(stated.Get("prior_windows"))...)
	for i, one := range values.Items(stated.Get("vault_key_lifecycle")) {
		found = append(found, trust.KeyStatusFaults(one, values.At("/manifest/vault_key_lifecycle", i))...)
	}
	return found
}
