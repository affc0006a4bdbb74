package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// providerPolicies examines the policies, and holds the providers that envelopes name against them.
func (e *exam) providerPolicies(v *provenanceView) {
	const check = report.CheckProvider
	v.policies = map[string]jsonx.Value{}
	list, path := items(v.part.Get("provider_policies")), provenancePath+"/provider_policies"
	if len(list) == 0 {
		e.notChecked(check, "no provider policy in the bundle")
	}
	e.ascend(check, list, path, byNumber("policyVersion"))
	for i, one := range list {
		kid, updatedAt := text(one.Get("seal"), "kid"), text(one, "updatedAt")
		e.seal(check, providerPolicySeal, one, one.Get("seal"), sealUse{
			path: at(path, i) + "/seal", role: report.RoleProviderPolicy, what: "the provider policy",
			no: number(one, "policyVersion"), stream: v.b.stream, ownTime: updatedAt,
		}, nil)
		if e.mayVouch(kid, v.b.stream, updatedAt) {
			v.policies[hexOf(providerPolicySeal.hash(one))] = one
		}
	}
	// Where nobody trusts the service, no policy by it counts, and the verdict says so already.
	if !v.isTrusted {
		return
	}
	for _, one := range v.shown {
		metadata := one.content.Get("metadata")
		provider := text(metadata, "providerId")
		if provider == "" {
			continue
		}
		e.looked(check, 1)
		path := one.contentPath + "/metadata"
		policy, ok := v.policies[text(metadata, "providerPolicyDigest")]
		if !e.expect(check, ok, report.CodeProviderNotAllowed, path+"/providerPolicyDigest", "The policy that the envelope names is not here.") {
			continue
		}
		e.expect(check, allows(policy, provider, text(metadata, "operation")), report.CodeProviderNotAllowed, path+"/providerId",
			"The policy does not let the provider do this.")
	}
}

// noteProvider notes what is not checked of the provider of an envelope outside of a bundle, which holds no policy.
func (e *exam) noteProvider(content jsonx.Value) {
	switch {
	case !content.Exists():
		e.notChecked(report.CheckProvider, "the content is not here, which may name a provider")
	case content.At("metadata", "providerId").Kind() == jsonx.Null:
		e.notChecked(report.CheckProvider, "it names no provider")
	default:
		e.notChecked(report.CheckProvider, "the provider policy that it names is not here")
	}
}

func allows(policy jsonx.Value, provider, operation string) bool {
	for _, one := range policy.Get("providers").Elements() {
		if text(one, "providerId") != provider {
			continue
		}
		for _, allowed := range textsOf(one.Get("operations")) {
			if allowed == operation {
				return true
			}
		}
	}
	return false
}
