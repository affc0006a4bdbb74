package provenance

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/provider"
	"svc.example/go/report"
)

// providerPolicies examines the policies, and holds the providers that envelopes name against them.
func providerPolicies(e *examination.Exam, v *View) {
	const check = report.CheckProvider
	v.policies = map[string]jsonx.Value{}
	list, path := values.Items(v.Part.Get("provider_policies")), partPath+"/provider_policies"
	if len(list) == 0 {
		e.NotChecked(check, "no provider policy in the bundle")
	}
	e.Ascend(check, list, path, examination.ByNumber("policyVersion"))
	for i, one := range list {
		kid, updatedAt := values.Text(one.Get("seal"), "kid"), values.Text(one, "updatedAt")
		e.Seal(check, provider.PolicySeal, one, one.Get("seal"), examination.SealUse{
			Path: values.At(path, i) + "/seal", Role: report.RoleProviderPolicy, Name: "the provider policy",
			No: values.Number(one, "policyVersion"), Stream: v.Bundle.Stream, OwnTime: updatedAt,
		}, nil)
		if e.MayVouch(kid, v.Bundle.Stream, updatedAt) {
			v.policies[values.Hex(provider.PolicySeal.Hash(one))] = one
		}
	}
	// Where nobody trusts the service, no policy by it counts, and the verdict says so already.
	if !v.isTrusted {
		return
	}
	for _, one := range v.shown {
		metadata := one.Content.Get("metadata")
		named := values.Text(metadata, "providerId")
		if named == "" {
			continue
		}
		e.Looked(check, 1)
		path := one.ContentPath + "/metadata"
		policy, ok := v.policies[values.Text(metadata, "providerPolicyDigest")]
		if !e.Expect(check, ok, report.CodeProviderNotAllowed, path+"/providerPolicyDigest", "The policy that the envelope names is not here.") {
			continue
		}
		e.Expect(check, provider.Allows(policy, named, values.Text(metadata, "operation")), report.CodeProviderNotAllowed, path+"/providerId",
			"The policy does not let the provider do this.")
	}
}
