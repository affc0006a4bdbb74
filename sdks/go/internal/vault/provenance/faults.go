package provenance

import (
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/attestation"
	"svc.example/go/internal/vault/envelope"
	"svc.example/go/internal/vault/provider"
	"svc.example/go/report"
)

// Faults returns the faults of form of what a bundle of envelopes has more than others (section 27).
func Faults(object jsonx.Value) (found []finding.Finding) {
	manifest := object.Get("manifest")
	var missing []finding.Finding
	parts := []struct {
		of         jsonx.Value
		path, name string
	}{
		{manifest, "/manifest", "provenance_root"},
		{manifest, "/manifest", "provenance_event_count"},
		{manifest, "/manifest", "vault_key_lifecycle"},
		{manifest.Get("artifact_hashes"), "/manifest/artifact_hashes", "provenance.json"},
		{object.Get("artifacts"), "/artifacts", "provenance.json"},
	}
	for _, part := range parts {
		if !values.Has(part.of, part.name) {
			missing = append(missing, finding.Finding{
				Code: report.CodeMissingMember, Path: part.path + "/" + part.name,
				Message: "The provenance part of a bundle is there whole or not at all.",
			})
		}
	}
	switch {
	case len(missing) < len(parts):
		found = missing
	case values.Has(object, "contents"):
		found = []finding.Finding{{
			Code: report.CodeUnknownMember, Path: "/contents", Message: "Only a bundle over a provenance stream may have contents.",
		}}
	}
	return append(found, lifecycleFaults(manifest, object)...)
}

// lifecycleFaults returns the faults of form of the lifecycle, contents and attestations of a bundle of envelopes.
func lifecycleFaults(manifest, object jsonx.Value) (found []finding.Finding) {
	for i, one := range values.Items(manifest.Get("vault_key_lifecycle")) {
		found = append(found, trust.KeyStatusFaults(one, values.At("/manifest/vault_key_lifecycle", i))...)
	}
	for name, content := range object.Get("contents").Members() {
		id, _ := name.Text()
		found = append(found, envelope.ContentFaults(content, "/contents/"+id)...)
	}
	part := object.At("artifacts", "provenance.json")
	for i, one := range values.Items(part.Get("attestations")) {
		found = append(found, attestation.FaultsAt(one, values.At(partPath+"/attestations", i))...)
	}
	for i, one := range values.Items(part.Get("provider_policies")) {
		found = append(found, provider.PolicyFaults(one, values.At(partPath+"/provider_policies", i))...)
	}
	return found
}
