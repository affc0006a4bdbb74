package examine

import (
	"bytes"
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
	for _, one := range v.results {
		if !one.counts || !flag(one.value, "verified") {
			continue
		}
		p.SoftwareRoot = p.SoftwareRoot || flag(one.value, "softwareRoot")
		if custody := text(one.value, "custody"); custody != "" && p.KeyCustody != "ceremony" {
			p.KeyCustody = custody
		}
	}
	e.provenance = p
}

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
	if v.isDisclosure && (!one.record.value.Exists() || !v.isNamed(one, claimed)) {
		return "L0"
	}
	result := v.substantiates(one, claimed)
	if !e.expect(check, result != nil, report.CodeProvenanceAssuranceNotSubstantiated, one.contentPath+"/assurance", "Nothing here substantiates the claim.") {
		return "L0"
	}
	if claimed == "L2" {
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

// names says whether a claim names a result: one that counts, of this installation and, where it is known, its key.
func (v *provenanceView) names(one *boundEnvelope, claimed string, r *attested) bool {
	if !r.counts && !v.carriesAll() || text(r.value, "installationId") != one.installation {
		return false
	}
	// Without a known key, the verdict says so already.
	if one.key != nil && one.key.key != nil && !bytes.Equal(r.key, one.key.key) {
		return false
	}
	claim := one.content.Get("assurance")
	if text(r.value, "attestationKind") == custodyKind {
		return claimed == "L1" && r.value.Get("attestationRef").Equal(claim.Get("attestationRef"))
	}
	return claimed == "L2" && r.value.Get("startId").Equal(claim.Get("startId"))
}

// isNamed says whether a result that a claim names is here.
func (v *provenanceView) isNamed(one *boundEnvelope, claimed string) bool {
	return slices.ContainsFunc(v.results, func(r attested) bool { return v.names(one, claimed, &r) })
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

// carriesAll says that results of any signer substantiate a claim: where nobody trusts the service, they carry no level
// and contradict none either.
func (v *provenanceView) carriesAll() bool { return !v.isTrusted && !v.isDisclosure }

// substantiates returns the result that a claim rests on at the time of its event; nil for none.
func (v *provenanceView) substantiates(one *boundEnvelope, claimed string) *attested {
	claim, when := one.content.Get("assurance"), textOf(one.record.receivedAt)
	isInForce := func(r *attested) bool {
		return (r.counts || v.carriesAll()) && flag(r.value, "verified") && text(r.value, "installationId") == one.installation &&
			text(r.value, "verifiedAt") <= when
	}
	place := slices.IndexFunc(v.results, func(r attested) bool {
		return v.names(one, claimed, &r) && isInForce(&r) && when <= text(r.value, "expiresAt")
	})
	if place < 0 {
		return nil
	}
	found := &v.results[place]
	if claimed == "L2" {
		for i := range v.results {
			r := &v.results[i]
			if isInForce(r) && text(r.value, "startId") != "" && !r.value.Get("startId").Equal(claim.Get("startId")) &&
				text(r.value, "verifiedAt") > text(found.value, "verifiedAt") {
				return nil
			}
		}
	}
	return found
}
