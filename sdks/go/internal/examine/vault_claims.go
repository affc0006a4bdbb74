package examine

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

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
	if len(list) == 0 {
		e.notChecked(report.CheckAttestation, "no attestation here")
	}
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
	v.indexCarriers()
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
		level, missing := e.claim(v, one, p)
		if level != "L0" {
			p.SubstantiatedBy = "service"
		}
		count := map[string]*int64{"L0": &p.Effective.L0, "L1": &p.Effective.L1, "L2": &p.Effective.L2}[level]
		*count++
		e.levels = append(e.levels, eventLevel{one.seqNo, level, missing})
	}
	e.noteMissing()
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

// claim returns the level at which one event counts, and what it lacks for the next one.
func (e *exam) claim(v *provenanceView, one *boundEnvelope, p *report.Provenance) (level, missing string) {
	const check = report.CheckAssurance
	claimed := claimOf(one.content)
	switch claimed {
	case "":
		p.Claimed.Unknown++
		return "L0", lacksContent
	case "L0":
		p.Claimed.L0++
	case "L1":
		p.Claimed.L1++
	case "L2":
		p.Claimed.L2++
	}
	e.looked(check, 1)
	if claimed == "L0" {
		return "L0", lacksClaim
	}
	if v.isDisclosure && (!one.record.value.Exists() || len(v.carriers.namedBy(one.content.Get("assurance"))) == 0) {
		return "L0", lacksAttestation
	}
	result := v.substantiates(one)
	if !e.expect(check, result != nil, report.CodeProvenanceAssuranceNotSubstantiated, one.contentPath+"/assurance", "Nothing here substantiates the claim.") {
		return "L0", lacksAttestation
	}
	if claimed == "L2" && has(one.value, "startSeal") && !e.startSeal(one, result) {
		return "L0", lacksAttestation
	}
	switch {
	case !result.counts:
		return "L0", lacksSigner
	case flag(result.value, "softwareRoot") && !e.policy.vaults.allowsSoftware:
		return "L0", lacksHardwareRoot
	case e.policy.vaults.hasRoots:
		return "L0", lacksEvidence
	case claimed == "L1":
		return "L1", lacksStart
	default:
		return "L2", lacksOwnCheck
	}
}

// carries says whether a result may carry claims: where nobody trusts the service, results of any signer substantiate a
// claim, since they carry no level and contradict none either.
func (v *provenanceView) carries(r *attested) bool {
	return r.counts || !v.isTrusted && !v.isDisclosure
}

// A carrierKey is how a claim names a result: by the kind of result that its level asks for, and a reference.
type carrierKey struct {
	isCustody bool
	reference string
}

// A carrierIndex has the results that may carry claims, by what claims name: an event must not look at all of them, of
// which there may be many.
type carrierIndex struct {
	named map[carrierKey][]*attested
	// starts are the verified ones of each installation, in the order of time.
	starts map[string][]orderedStart
}

// An orderedStart is a start, and when the newest other one before it was verified; empty for none.
type orderedStart struct{ id, verifiedAt, otherBefore string }

func (v *provenanceView) indexCarriers() {
	v.carriers = carrierIndex{map[carrierKey][]*attested{}, map[string][]orderedStart{}}
	for i := range v.results {
		r := &v.results[i]
		if !v.carries(r) {
			continue
		}
		key := carrierKey{isCustody: text(r.value, "attestationKind") == custodyKind, reference: text(r.value, "startId")}
		if key.isCustody {
			key.reference = text(r.value, "attestationRef")
		}
		v.carriers.named[key] = append(v.carriers.named[key], r)
		if !key.isCustody && flag(r.value, "verified") {
			installation := text(r.value, "installationId")
			start := orderedStart{id: key.reference, verifiedAt: text(r.value, "verifiedAt")}
			v.carriers.starts[installation] = append(v.carriers.starts[installation], start)
		}
	}
	for _, list := range v.carriers.starts {
		slices.SortStableFunc(list, func(a, b orderedStart) int { return strings.Compare(a.verifiedAt, b.verifiedAt) })
		for i := 1; i < len(list); i++ {
			before := list[i-1]
			list[i].otherBefore = before.verifiedAt
			if before.id == list[i].id {
				list[i].otherBefore = before.otherBefore
			}
		}
	}
}

// otherStart returns the newest time, up to this one, at which another start of an installation was verified; empty for
// never.
func (x *carrierIndex) otherStart(installation, id, until string) string {
	list := x.starts[installation]
	end := sort.Search(len(list), func(i int) bool { return list[i].verifiedAt > until })
	switch {
	case end == 0:
		return ""
	case list[end-1].id == id:
		return list[end-1].otherBefore
	default:
		return list[end-1].verifiedAt
	}
}

// namedBy returns the results that a claim above L0 names.
func (x *carrierIndex) namedBy(claim jsonx.Value) []*attested {
	if text(claim, "level") == "L1" {
		return x.named[carrierKey{true, text(claim, "attestationRef")}]
	}
	return x.named[carrierKey{false, text(claim, "startId")}]
}

// startSeal returns whether the seal by the key of a start holds, and rejects otherwise.
func (e *exam) startSeal(one *boundEnvelope, result *attested) bool {
	const check = report.CheckAssurance
	seal := one.value.Get("startSeal")
	kid := text(seal, "kid")
	key := unhex(text(result.value.Get("start"), "startPublicKeyHex"))
	if !e.expect(check, kid == kidOf(key), report.CodeStartSignatureInvalid, one.path+"/startSeal/kid",
		"The start seal is by another key than that of its start.") {
		return false
	}
	holds := e.signatureNow(check, key, startSealForm.message(one.value, kid), unhex(text(seal, "signature")))
	return e.expect(check, holds, report.CodeStartSignatureInvalid, one.path+"/startSeal/signature",
		"The seal by the key of the start does not verify.")
}

// substantiates returns the result that a claim rests on at the time of its event; nil for none.
func (v *provenanceView) substantiates(one *boundEnvelope) *attested {
	claim, when := one.content.Get("assurance"), textOf(one.record.receivedAt)
	// Without a known key, the verdict says so already.
	isOwn := func(r *attested) bool {
		return text(r.value, "installationId") == one.installation && (one.key.key == nil || bytes.Equal(r.key, one.key.key))
	}
	otherStart := ""
	if text(claim, "level") == "L2" {
		otherStart = v.carriers.otherStart(one.installation, text(claim, "startId"), when)
	}
	for _, r := range v.carriers.namedBy(claim) {
		verifiedAt := text(r.value, "verifiedAt")
		if isOwn(r) && flag(r.value, "verified") && verifiedAt <= when && when <= text(r.value, "expiresAt") && verifiedAt >= otherStart {
			return r
		}
	}
	return nil
}
