package examine

import (
	"bytes"
	"cmp"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// An attested is a result that fits its record.
type attested struct {
	value  jsonx.Value
	key    []byte
	counts bool
}

func (e *exam) attestations(v *provenanceView) {
	list := items(v.part.Get("attestations"))
	base := provenancePath
	if v.isDisclosure {
		base = ""
	}
	if !v.isDisclosure {
		e.ascend(report.CheckAttestation, list, base+"/attestations", func(before, after jsonx.Value) int {
			return bytes.Compare(before.At("result", "attestationRef").Canonical(), after.At("result", "attestationRef").Canonical())
		})
	}
	for i, one := range list {
		path := at(base+"/attestations", i)
		record, result := one.Get("record"), one.Get("result")
		if e.attestation(one, v.keys, v.b.stream, path, nil) {
			v.results = append(v.results, attested{result, unhex(text(record, "publicKeyHex")), e.isVouched(result, v.b.stream)})
		}
	}
}

// claims decides the level at which each event counts (section 33), and states what the vaults' evidence shows.
func (e *exam) claims(v *provenanceView) {
	p := &report.Provenance{
		Events: int64(len(v.envelopes)), VaultChain: "complete", VaultKeys: v.keys.weakest(), SubstantiatedBy: "none", KeyCustody: "none",
	}
	if len(v.envelopes) == 0 {
		p.VaultChain = "none"
	}
	first := map[string]bool{}
	for _, one := range v.envelopes {
		if !first[one.installation] {
			first[one.installation] = true
			p.Installations++
			if number(one.value, "vaultSeq") != 1 {
				p.VaultChain = "partial"
			}
		}
		level := e.claim(v, one, p)
		if level != "L0" {
			p.SubstantiatedBy = "service"
		}
		count := map[string]*int64{"L0": &p.Effective.L0, "L1": &p.Effective.L1, "L2": &p.Effective.L2}[level]
		*count++
		e.levels = append(e.levels, eventLevel{one.seqNo, level})
	}
	// The best of each installation counts, and then the least.
	custody := map[string]string{}
	for i := range v.results {
		r := &v.results[i]
		if !r.counts {
			continue
		}
		p.SoftwareRoot = p.SoftwareRoot || flag(r.value, "softwareRoot")
		if own, installation := text(r.value, "custody"), text(r.value, "installationId"); flag(r.value, "verified") {
			custody[installation] = custodies[max(slices.Index(custodies, own), slices.Index(custodies, custody[installation]), 0)]
		}
	}
	if len(first) > 0 {
		p.KeyCustody = custodies[len(custodies)-1]
		for installation := range first {
			p.KeyCustody = least(custodies, p.KeyCustody, cmp.Or(custody[installation], "none"))
		}
	}
	e.provenance = p
}

// custodies are the words of a report for where a key is known to live, the weakest first.
var custodies = []string{"none", "ceremony", "x509"}

// claim returns the level at which one event counts.
func (e *exam) claim(v *provenanceView, one *boundEnvelope, p *report.Provenance) string {
	const check = report.CheckAssurance
	claimed := claimOf(one.content)
	switch claimed {
	case "":
		p.Claimed.Unknown++
		return "L0"
	case "L0":
		p.Claimed.L0++
	case "L1":
		p.Claimed.L1++
	case "L2":
		p.Claimed.L2++
	}
	e.looked(check, 1)
	if claimed == "L0" {
		return "L0"
	}
	if v.isDisclosure && (!one.record.value.Exists() || !v.isNamed(one.content.Get("assurance"))) {
		return "L0"
	}
	result := v.substantiates(one)
	if !e.expect(check, result != nil, report.CodeProvenanceAssuranceNotSubstantiated, one.contentPath+"/assurance", "Nothing here substantiates the claim.") {
		return "L0"
	}
	if claimed == "L2" && has(one.value, "startSeal") {
		e.startSeal(one, result)
	}
	if !result.counts {
		return "L0"
	}
	if e.policy.vaults.hasRoots || (flag(result.value, "softwareRoot") && !e.policy.vaults.allowsSoftware) {
		return "L0"
	}
	return claimed
}

// carries says whether a result may carry claims: where nobody trusts the service, results of any signer substantiate a
// claim, since they carry no level and contradict none either.
func (v *provenanceView) carries(r *attested) bool {
	return r.counts || !v.isTrusted && !v.isDisclosure
}

// names says whether a claim names a result that may carry it.
func (v *provenanceView) names(claim jsonx.Value, r *attested) bool {
	isCustody, name := text(r.value, "attestationKind") == custodyKind, "startId"
	if isCustody {
		name = "attestationRef"
	}
	return v.carries(r) && isCustody == (text(claim, "level") == "L1") && r.value.Get(name).Equal(claim.Get(name))
}

// isNamed says whether a result that a claim names is here.
func (v *provenanceView) isNamed(claim jsonx.Value) bool {
	return slices.ContainsFunc(v.results, func(r attested) bool { return v.names(claim, &r) })
}

// startSeal holds the seal by the key of a start.
func (e *exam) startSeal(one *boundEnvelope, result *attested) {
	const check = report.CheckAssurance
	seal := one.value.Get("startSeal")
	kid := text(seal, "kid")
	key := unhex(text(result.value.Get("start"), "startPublicKeyHex"))
	if !e.expect(check, kid == kidOf(key), report.CodeStartSignatureInvalid, one.path+"/startSeal/kid",
		"The start seal is by another key than that of its start.") {
		return
	}
	holds := e.signatureNow(check, key, startSealForm.message(one.value, kid), unhex(text(seal, "signature")))
	e.expect(check, holds, report.CodeStartSignatureInvalid, one.path+"/startSeal/signature",
		"The seal by the key of the start does not verify.")
}

// substantiates returns the result that a claim rests on at the time of its event; nil for none.
func (v *provenanceView) substantiates(one *boundEnvelope) *attested {
	claim, when := one.content.Get("assurance"), textOf(one.record.receivedAt)
	// Without a known key, the verdict says so already.
	isOwn := func(r *attested) bool {
		return text(r.value, "installationId") == one.installation && (one.key.key == nil || bytes.Equal(r.key, one.key.key))
	}
	for i := range v.results {
		r := &v.results[i]
		if v.names(claim, r) && isOwn(r) && flag(r.value, "verified") && text(r.value, "verifiedAt") <= when &&
			when <= text(r.value, "expiresAt") && !v.isSuperseded(one, r) {
			return r
		}
	}
	return nil
}

// isSuperseded says whether another start of the installation was verified after one that a claim names, and by the
// time of its event.
func (v *provenanceView) isSuperseded(one *boundEnvelope, named *attested) bool {
	if text(named.value, "startId") == "" {
		return false
	}
	return slices.ContainsFunc(v.results, func(r attested) bool {
		when := text(r.value, "verifiedAt")
		return v.carries(&r) && flag(r.value, "verified") && text(r.value, "startId") != "" &&
			text(r.value, "installationId") == one.installation && !r.value.Get("startId").Equal(named.value.Get("startId")) &&
			when <= textOf(one.record.receivedAt) && when > text(named.value, "verifiedAt")
	})
}
