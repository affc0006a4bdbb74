package provenance

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/attestation"
	"svc.example/go/internal/vault/envelope"
	"svc.example/go/report"
)

// An attested is a result that fits its record.
type attested struct {
	value  jsonx.Value
	key    []byte
	counts bool
}

// ExamineAttestations examines the attestations beside the envelopes.
func ExamineAttestations(e *examination.Exam, v *View) {
	list := values.Items(v.Part.Get("attestations"))
	if len(list) == 0 {
		e.NotChecked(report.CheckAttestation, "no attestation here")
	}
	base := partPath
	if v.IsDisclosure {
		base = ""
	}
	if !v.IsDisclosure {
		e.Ascend(report.CheckAttestation, list, base+"/attestations", func(before, after jsonx.Value) int {
			return bytes.Compare(before.At("result", "attestationRef").Canonical(), after.At("result", "attestationRef").Canonical())
		})
	}
	for i, one := range list {
		path := values.At(base+"/attestations", i)
		record, result := one.Get("record"), one.Get("result")
		if attestation.Examine(e, one, v.Keys, v.Bundle.Stream, path, nil) {
			v.results = append(v.results, attested{
				result, values.Unhex(values.Text(record, "publicKeyHex")), attestation.IsVouched(e, result, v.Bundle.Stream),
			})
		}
	}
	v.indexCarriers()
}

// JudgeClaims decides the level at which each event counts (section 33), and states what the vaults' evidence shows.
func JudgeClaims(e *examination.Exam, v *View) {
	p := &report.Provenance{
		Events: int64(len(v.Envelopes)), VaultChain: "complete", VaultKeys: v.Keys.Weakest(), SubstantiatedBy: "none", KeyCustody: "none",
	}
	if len(v.Envelopes) == 0 {
		p.VaultChain = "none"
	}
	first := map[string]bool{}
	for _, one := range v.Envelopes {
		if !first[one.Installation] {
			first[one.Installation] = true
			p.Installations++
			if values.Number(one.Value, "vaultSeq") != 1 {
				p.VaultChain = "partial"
			}
		}
		level, missing := claim(e, v, one, p)
		if level != "L0" {
			p.SubstantiatedBy = "service"
		}
		count := map[string]*int64{"L0": &p.Effective.L0, "L1": &p.Effective.L1, "L2": &p.Effective.L2}[level]
		*count++
		e.Levels = append(e.Levels, examination.EventLevel{SeqNo: one.SeqNo, Level: level, Missing: missing})
	}
	noteMissing(e)
	// The best of each installation counts, and then the least.
	custody := map[string]string{}
	for i := range v.results {
		r := &v.results[i]
		if !r.counts {
			continue
		}
		p.SoftwareRoot = p.SoftwareRoot || values.Flag(r.value, "softwareRoot")
		if own, installation := values.Text(r.value, "custody"), values.Text(r.value, "installationId"); values.Flag(r.value, "verified") {
			custody[installation] = custodies[max(slices.Index(custodies, own), slices.Index(custodies, custody[installation]), 0)]
		}
	}
	if len(first) > 0 {
		p.KeyCustody = custodies[len(custodies)-1]
		for installation := range first {
			p.KeyCustody = values.Least(custodies, p.KeyCustody, cmp.Or(custody[installation], "none"))
		}
	}
	e.Provenance = p
}

// custodies are the words of a report for where a key is known to live, the weakest first.
var custodies = []string{"none", "ceremony", "x509"}

// claim returns the level at which one event counts, and what it lacks for the next one.
func claim(e *examination.Exam, v *View, one *Bound, p *report.Provenance) (level, missing string) {
	const check = report.CheckAssurance
	claimed := envelope.Claim(one.Content)
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
	e.Looked(check, 1)
	if claimed == "L0" {
		return "L0", lacksClaim
	}
	if v.IsDisclosure && (!one.Record.Value.Exists() || len(v.carriers.namedBy(one.Content.Get("assurance"))) == 0) {
		return "L0", lacksAttestation
	}
	result := v.substantiates(one)
	if !e.Expect(check, result != nil, report.CodeProvenanceAssuranceNotSubstantiated, one.ContentPath+"/assurance",
		"Nothing here substantiates the claim.") {
		return "L0", lacksAttestation
	}
	if claimed == "L2" && values.Has(one.Value, "startSeal") && !startSeal(e, one, result) {
		return "L0", lacksAttestation
	}
	switch {
	case !result.counts:
		return "L0", lacksSigner
	case values.Flag(result.value, "softwareRoot") && !e.Policy.Vaults.AllowsSoftware:
		return "L0", lacksHardwareRoot
	case e.Policy.Vaults.HasRoots:
		return "L0", lacksEvidence
	case claimed == "L1":
		return "L1", lacksStart
	default:
		return "L2", lacksOwnCheck
	}
}

// carries says whether a result may carry claims: where nobody trusts the service, results of any signer substantiate a
// claim, since they carry no level and contradict none either.
func (v *View) carries(r *attested) bool {
	return r.counts || !v.isTrusted && !v.IsDisclosure
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

func (v *View) indexCarriers() {
	v.carriers = carrierIndex{map[carrierKey][]*attested{}, map[string][]orderedStart{}}
	for i := range v.results {
		r := &v.results[i]
		if !v.carries(r) {
			continue
		}
		key := carrierKey{isCustody: values.Text(r.value, "attestationKind") == attestation.CustodyKind, reference: values.Text(r.value, "startId")}
		if key.isCustody {
			key.reference = values.Text(r.value, "attestationRef")
		}
		v.carriers.named[key] = append(v.carriers.named[key], r)
		if !key.isCustody && values.Flag(r.value, "verified") {
			installation := values.Text(r.value, "installationId")
			start := orderedStart{id: key.reference, verifiedAt: values.Text(r.value, "verifiedAt")}
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
	if values.Text(claim, "level") == "L1" {
		return x.named[carrierKey{true, values.Text(claim, "attestationRef")}]
	}
	return x.named[carrierKey{false, values.Text(claim, "startId")}]
}

// startSeal returns whether the seal by the key of a start holds, and rejects otherwise.
func startSeal(e *examination.Exam, one *Bound, result *attested) bool {
	const check = report.CheckAssurance
	seal := one.Value.Get("startSeal")
	kid := values.Text(seal, "kid")
	key := values.Unhex(values.Text(result.value.Get("start"), "startPublicKeyHex"))
	if !e.Expect(check, kid == values.KID(key), report.CodeStartSignatureInvalid, one.Path+"/startSeal/kid",
		"The start seal is by another key than that of its start.") {
		return false
	}
	holds := e.SignatureNow(check, key, startSealForm.Message(one.Value, kid), values.Unhex(values.Text(seal, "signature")))
	return e.Expect(check, holds, report.CodeStartSignatureInvalid, one.Path+"/startSeal/signature",
		"The seal by the key of the start does not verify.")
}

// substantiates returns the result that a claim rests on at the time of its event; nil for none.
func (v *View) substantiates(one *Bound) *attested {
	claim, when := one.Content.Get("assurance"), values.TextOf(one.Record.ReceivedAt)
	// Without a known key, the verdict says so already.
	isOwn := func(r *attested) bool {
		return values.Text(r.value, "installationId") == one.Installation && (one.Key.Key == nil || bytes.Equal(r.key, one.Key.Key))
	}
	otherStart := ""
	if values.Text(claim, "level") == "L2" {
		otherStart = v.carriers.otherStart(one.Installation, values.Text(claim, "startId"), when)
	}
	for _, r := range v.carriers.namedBy(claim) {
		verifiedAt := values.Text(r.value, "verifiedAt")
		if isOwn(r) && values.Flag(r.value, "verified") && verifiedAt <= when && when <= values.Text(r.value, "expiresAt") && verifiedAt >= otherStart {
			return r
		}
	}
	return nil
}
