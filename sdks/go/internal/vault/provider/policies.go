package provider

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// PolicySeal is the form of the seal of a provider policy.
var PolicySeal = examination.NewSealForm(examination.ProvenanceWord, "provider-policy", "seal")

// NoteUnchecked notes what is not checked of the provider of an envelope outside of a bundle, which holds no policy.
func NoteUnchecked(e *examination.Exam, content jsonx.Value) {
	switch {
	case !content.Exists():
		e.NotChecked(report.CheckProvider, "the content is not here, which may name a provider")
	case content.At("metadata", "providerId").Kind() == jsonx.Null:
		e.NotChecked(report.CheckProvider, "it names no provider")
	default:
		e.NotChecked(report.CheckProvider, "the provider policy that it names is not here")
	}
}

// Allows says whether a policy lets a provider do an operation.
func Allows(policy jsonx.Value, provider, operation string) bool {
	for _, one := range policy.Get("providers").Elements() {
		if values.Text(one, "providerId") != provider {
			continue
		}
		for _, allowed := range values.Texts(one.Get("operations")) {
			if allowed == operation {
				return true
			}
		}
	}
	return false
}

// PolicyFaults returns the first provider of a policy that does not follow the one before it.
func PolicyFaults(policy jsonx.Value, path string) []finding.Finding {
	before := ""
	for i, one := range values.Items(policy.Get("providers")) {
		id := values.Text(one, "providerId")
		if i > 0 && id <= before {
			return []finding.Finding{{
				Code: report.CodeMalformed, Path: values.At(path+"/providers", i) + "/providerId",
				Message: "Providers ascend by providerId, each once.",
			}}
		}
		before = id
	}
	return nil
}
