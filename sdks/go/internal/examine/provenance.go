package examine

import (
	"bytes"
	"maps"
	"slices"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

const provenancePath = "/artifacts/provenance.json"

var (
	handoverSeal       = newSealForm(attestationWord, "handover", "seal")
	providerPolicySeal = newSealForm(provenanceWord, "provider-policy", "seal")
	startSealForm      = newSealForm(provenanceWord, "envelope-start", "seal", "startSeal", "content")
)

// A boundEnvelope is an envelope of a bundle beside its record (protocol section 27).
type boundEnvelope struct {
	value, salt  jsonx.Value
	path         string
	seqNo        int64
	installation string
	record       record
	hash         digest.Hash
	key          *vaultKey
	content      jsonx.Value
	contentPath  string
}

// A provenanceView is what a bundle of envelopes has more than others, read once.
type provenanceView struct {
	b         *bundle
	part      jsonx.Value
	envelopes []*boundEnvelope
	keys      map[string]*vaultKey
	handovers map[string]string
	policies  map[string]jsonx.Value
	results   []attested
	// isDisclosure says that a claim without its attestation counts L0, and rejects nothing.
	isDisclosure bool
}

// provenancePart examines what a bundle of envelopes has more than others. `isVouched`: a signer whom trust reaches
// sealed the manifest, so that its lifecycle counts.
func (e *exam) provenancePart(b *bundle, isVouched bool) {
	v := &provenanceView{b: b, part: b.artifacts.Get("provenance.json"), keys: map[string]*vaultKey{}}
	e.bindEnvelopes(v)
	e.lifecycle(v)
	e.readHandovers(v)
	e.installationKeys(v, isVouched)
	e.contents(v)
	e.envelopeSeals(v)
	e.vaultChain(v)
	e.provenanceRoot(v)
	e.providerPolicies(v)
	e.attestations(v)
	e.settle()
	e.eventsOfKeys(v)
	e.claims(v)
}

// bindEnvelopes joins envelopes and records by number.
func (e *exam) bindEnvelopes(v *provenanceView) {
	const check = report.CheckEnvelope
	list := items(v.part.Get("envelopes"))
	path := provenancePath + "/envelopes"
	e.ascend(check, list, path, byNumber("seq_no"))
	bySeq := map[int64]record{}
	for _, value := range v.b.artifacts.Get("receipts.json").Elements() {
		r := readRecord(value)
		bySeq[r.seqNo] = r
	}
	left := maps.Clone(bySeq)
	for i, one := range list {
		envelope := one.Get("envelope")
		bound := &boundEnvelope{
			value: envelope, salt: one.Get("payload_salt"), path: at(path, i) + "/envelope", seqNo: number(one, "seq_no"),
			installation: text(envelope, "installationId"), hash: envelopeSeal.hash(envelope),
		}
		r, ok := bySeq[bound.seqNo]
		if !e.expect(check, ok, report.CodeProvenanceEnvelopeMissing, at(path, i)+"/seq_no", "The envelope is of no record here.") {
			continue
		}
		delete(left, bound.seqNo)
		bound.record = r
		v.envelopes = append(v.envelopes, bound)
		e.looked(check, 1)
		e.expect(check, payloadHashOf(e.k, envelope, bound.salt) == hashText(textOf(r.payloadHash)), report.CodeEnvelopeRecordMismatch,
			bound.path, "The envelope is not the payload of its record.")
		e.expect(check, envelope.Get("sourceRef").Equal(r.sourceRef), report.CodeEnvelopeRecordMismatch, bound.path+"/sourceRef",
			"The record has another reference.")
		e.expect(check, envelope.Get("streamId").Equal(r.stream), report.CodeEnvelopeRecordMismatch, bound.path+"/streamId",
			"The record is of another stream.")
	}
	e.expect(check, len(left) == 0, report.CodeProvenanceEnvelopeMissing, path, "There is not one envelope for each record.")
}

// lifecycle holds the manifest's statuses against the installations of the range.
func (e *exam) lifecycle(v *provenanceView) {
	const check, path = report.CheckVaultKey, "/manifest/vault_key_lifecycle"
	wanted := map[string]bool{}
	for _, one := range v.part.Get("envelopes").Elements() {
		wanted[text(one.Get("envelope"), "installationId")] = true
	}
	list := items(v.b.manifest.Get("vault_key_lifecycle"))
	keys := map[string]bool{}
	isGood := len(list) == len(wanted)
	for i, one := range list {
		s := readKeyStatus(one, at(path, i))
		isGood = isGood && wanted[s.installation] && s.statusAt == text(v.b.manifest, "created_at") && !keys[string(s.key)] &&
			(i == 0 || text(list[i-1], "installationId") < s.installation)
		keys[string(s.key)] = true
		e.expect(check, kidOf(s.key) == text(one, "keyId"), report.CodeKidMismatch, s.path+"/keyId", "It is not the identifier of the key beside it.")
	}
	e.expect(check, isGood, report.CodeVaultLifecycleMismatch, path, "The lifecycle has other installations, order or time.")
}

// readHandovers checks the seals of handovers, and keeps those that hold: from the old key to the new one.
func (e *exam) readHandovers(v *provenanceView) {
	const check = report.CheckVaultKey
	v.handovers = map[string]string{}
	list := items(v.part.Get("handovers"))
	for i, one := range list {
		path := at(provenancePath+"/handovers", i)
		old, successor := unhex(text(one, "publicKeyHex")), unhex(text(one, "newPublicKeyHex"))
		seal := one.Get("seal")
		kid := text(seal, "kid")
		if !e.expect(check, kid == kidOf(old), report.CodeHandoverInvalid, path+"/seal/kid", "Another key sealed the handover.") {
			continue
		}
		holds := e.signatureNow(check, old, handoverSeal.message(one, kid), unhex(text(seal, "signature")))
		if !e.expect(check, holds, report.CodeHandoverInvalid, path+"/seal/signature", "The seal of the handover does not verify.") {
			continue
		}
		if other, ok := v.handovers[string(old)]; ok && other != string(successor) {
			e.fault(check, report.CodeHandoverInvalid, path, "A key hands over to two.")
			continue
		}
		v.handovers[string(old)] = string(successor)
	}
}

// installationKeys decides which key each installation has.
func (e *exam) installationKeys(v *provenanceView, isVouched bool) {
	statuses := map[string][]*keyStatus{}
	byKey := map[string]*keyStatus{}
	for i, one := range items(v.b.manifest.Get("vault_key_lifecycle")) {
		s := readKeyStatus(one, at("/manifest/vault_key_lifecycle", i))
		if isVouched {
			statuses[s.installation] = append(statuses[s.installation], s)
			byKey[string(s.key)] = s
		}
	}
	keyOf := func(installation string) []byte {
		if pin, ok := e.policy.vaults.vaults[installation]; ok {
			return pin.key
		}
		if list := statuses[installation]; len(list) > 0 {
			return list[0].key
		}
		return nil
	}
	reached := map[string]bool{}
	for _, pin := range e.policy.vaults.vaults {
		at := string(pin.key)
		for range tables.MaxHandoverChain + 1 {
			reached[at] = true
			next, ok := v.handovers[at]
			s := byKey[at]
			isEnded := s != nil && s.revokedAt != ""
			if !ok || e.policy.revoked[kidOf([]byte(at))] ||
				(isEnded && (s.reason == "key_compromise" || string(keyOf(s.successor)) != next)) {
				break
			}
			at = next
		}
	}
	for _, one := range v.envelopes {
		if known := v.keys[one.installation]; known != nil {
			one.key = known
			continue
		}
		all := append(statuses[one.installation], e.countingStatuses(one.installation, v.b.stream)...)
		e.isHandedOver = func(key []byte) bool { return reached[string(key)] }
		one.key = e.vaultKey(one.installation, all, one.path+"/installationId")
		e.isHandedOver = nil
		v.keys[one.installation] = one.key
	}
}

// contents joins contents to envelopes, and holds each against its envelope and record.
func (e *exam) contents(v *provenanceView) {
	const check = report.CheckEnvelope
	byID := map[string]*boundEnvelope{}
	for _, one := range v.envelopes {
		if one.record.value.Exists() {
			byID[textOf(one.record.eventID)] = one
		}
	}
	for name, content := range v.b.value.Get("contents").Members() {
		id, _ := name.Text()
		path := "/contents/" + id
		one := byID[id]
		if !e.expect(check, one != nil, report.CodeMalformed, path, "The content is of no record here.") {
			continue
		}
		one.content, one.contentPath = content, path
		e.content(content, one.value, path)
		e.expect(check, content.Get("eventType").Equal(one.record.eventType), report.CodeEnvelopeRecordMismatch, path+"/eventType", "The record has another type.")
		e.expect(check, content.Get("occurredAt").Equal(one.record.occurredAt), report.CodeEnvelopeRecordMismatch, path+"/occurredAt", "The record has another time.")
		ahead := milliseconds(text(content, "sealedAt")) - milliseconds(textOf(one.record.receivedAt))
		e.expect(check, ahead <= tables.MaxVaultAheadMS, report.CodeVaultClockAhead, path+"/sealedAt", "The vault's clock is ahead of the service's.")
	}
}

func (e *exam) envelopeSeals(v *provenanceView) {
	for _, one := range v.envelopes {
		e.envelope(one.value, one.key, one.path)
	}
}

// vaultChain holds the envelopes of each installation against each other.
func (e *exam) vaultChain(v *provenanceView) {
	const check = report.CheckVaultChain
	references := map[string]bool{}
	before := map[string]*boundEnvelope{}
	for _, one := range v.envelopes {
		e.looked(check, 1)
		reference := text(one.value, "sourceRef")
		e.expect(check, !references[reference], report.CodeProvenanceSourceRefConflict, one.path+"/sourceRef", "A reference stands twice.")
		references[reference] = true
		last := before[one.installation]
		before[one.installation] = one
		seq := number(one.value, "vaultSeq")
		if last == nil {
			e.expect(check, v.b.from != 1 || seq == 1, report.CodeVaultChainBroken, one.path+"/vaultSeq", "The first envelope of an installation has another number.")
			continue
		}
		if !e.expect(check, seq == number(last.value, "vaultSeq")+1, report.CodeVaultChainBroken, one.path+"/vaultSeq", "The numbers do not follow one another.") {
			continue
		}
		e.expect(check, one.value.Get("previousEnvelopeHash").IsText(hexOf(last.hash)), report.CodeVaultChainBroken,
			one.path+"/previousEnvelopeHash", "The envelope does not name the one before it.")
	}
}

// provenanceRoot holds the leaves of the envelopes against the manifest's root.
func (e *exam) provenanceRoot(v *provenanceView) {
	const check = report.CheckProvenance
	var leaves []merkle.Hash
	for _, one := range v.envelopes {
		e.looked(check, 1)
		if !one.record.value.Exists() {
			continue
		}
		var leaf []byte
		leaf = appendMember(leaf, `{"capsule_root":`, one.value.Get("capsuleRoot"))
		leaf = append(leaf, `,"envelope_hash":"`+hexOf(one.hash)+`"`...)
		leaf = appendMember(leaf, `,"event_hash":`, one.record.eventHash)
		leaf = appendMember(leaf, `,"installation_id":`, one.value.Get("installationId"))
		leaf = appendMember(leaf, `,"seq_no":`, one.record.seq)
		leaf = appendMember(leaf, `,"source_ref":`, one.value.Get("sourceRef"))
		leaf = appendMember(leaf, `,"stream_id":`, one.record.stream)
		data := e.k.Digest(leafLine, append(leaf, '}'))
		leaves = append(leaves, e.k.LeafHash(data[:]))
	}
	root, ok := e.k.Root(leaves)
	e.expect(check, ok && root == hashOf(v.b.manifest, "provenance_root"), report.CodeProvenanceRootMismatch,
		"/manifest/provenance_root", "The envelopes give another root.")
	e.expect(check, number(v.b.manifest, "provenance_event_count") == v.b.to-v.b.from+1, report.CodeProvenanceCountMismatch,
		"/manifest/provenance_event_count", "The count is not that of the range.")
}

// eventsOfKeys holds each event against the life of its key (section 26).
func (e *exam) eventsOfKeys(v *provenanceView) {
	const check = report.CheckVaultKey
	for _, one := range v.envelopes {
		k := one.key
		if k == nil || k.latest == nil || !one.record.value.Exists() {
			continue
		}
		s, when := k.latest, textOf(one.record.receivedAt)
		uncertain := finding{code: report.CodeVaultRevocationTimeUncertain, path: one.path, message: "The end of the key was stated backwards."}
		isLost := s.reason == "key_compromise" || s.reason == "unspecified"
		switch {
		case when < s.enrolledAt:
			e.fault(check, report.CodeVaultKeyNotYetEnrolled, one.path, "The key was not yet enrolled.")
		case s.revokedAt == "":
		case when >= s.revokedAt && s.isReconstructed && when < k.toldAt:
			e.distrust(check, uncertain, k.installation)
		case when >= s.revokedAt:
			e.fault(check, report.CodeVaultKeyRevoked, one.path, "The key had ended.")
		case e.isProvenBefore(s.revokedAt, one.seqNo):
			e.found(check, "events before the end of a key are shown to be so")
		case s.isReconstructed && isLost:
			e.distrust(check, uncertain, k.installation)
		case e.policy.vaults.isProven:
			e.distrust(check, finding{code: report.CodeKeyTimeUnproven, path: one.path, message: "Nothing shows the event before the end of its key."}, k.installation)
		}
	}
}

// providerPolicies examines the policies, and holds the providers that envelopes name against them.
func (e *exam) providerPolicies(v *provenanceView) {
	const check = report.CheckProvider
	v.policies = map[string]jsonx.Value{}
	for i, one := range items(v.part.Get("provider_policies")) {
		before := len(e.distrusts) + len(e.rejections)
		holds := false
		e.seal(check, providerPolicySeal, one, one.Get("seal"), sealUse{
			path: at(provenancePath+"/provider_policies", i) + "/seal", role: report.RoleProviderPolicy, what: "the provider policy",
			no: number(one, "policyVersion"), stream: v.b.stream, ownTime: text(one, "updatedAt"),
		}, func(ok bool) { holds = ok })
		e.settle()
		if holds && len(e.distrusts)+len(e.rejections) == before {
			v.policies[hexOf(providerPolicySeal.hash(one))] = one
		}
	}
	for _, one := range v.envelopes {
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
	e.ascend(report.CheckAttestation, list, base+"/attestations", func(before, after jsonx.Value) int {
		return bytes.Compare(before.At("result", "attestationRef").Canonical(), after.At("result", "attestationRef").Canonical())
	})
	for i, one := range list {
		path := at(base+"/attestations", i)
		record, result := one.Get("record"), one.Get("result")
		key, installation := unhex(text(record, "publicKeyHex")), text(record, "installationId")
		known := v.keys[installation]
		if known == nil {
			known = e.vaultKey(installation, e.countingStatuses(installation, v.b.stream), path+"/record/installationId")
			v.keys[installation] = known
		}
		e.attestationRecord(record, known, key, path)
		if result.Kind() == jsonx.Object && e.attestationResult(record, result, known, path, v.b.stream) {
			v.results = append(v.results, attested{result, key, e.isVouched(result, v.b.stream)})
		}
	}
}

// claims decides the level at which each event counts (section 33), and states what the vaults' evidence shows.
func (e *exam) claims(v *provenanceView) {
	p := &report.Provenance{
		Events: int64(len(v.envelopes)), VaultChain: "complete", VaultKeys: "pinned", SubstantiatedBy: "none", KeyCustody: "none",
	}
	if len(v.envelopes) == 0 {
		p.VaultChain, p.VaultKeys = "none", "none"
	}
	first := map[string]bool{}
	ranks := []string{"none", "service-vouched", "pinned"}
	for _, one := range v.envelopes {
		if !first[one.installation] {
			first[one.installation] = true
			p.Installations++
			p.VaultKeys = least(ranks, p.VaultKeys, one.key.standing())
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
	if v.isDisclosure && (!one.record.value.Exists() || !v.names(one)) {
		return "L0"
	}
	result := v.substantiates(one, claimed)
	if !e.expect(check, result != nil, report.CodeProvenanceAssuranceNotSubstantiated, one.contentPath+"/assurance", "Nothing here substantiates the claim.") {
		return "L0"
	}
	if claimed == "L2" {
		e.startSeal(one, result)
	}
	if e.policy.vaults.hasRoots || (flag(result.value, "softwareRoot") && !e.policy.vaults.allowsSoftware) {
		return "L0"
	}
	return claimed
}

// names says whether an attestation that a claim names is here.
func (v *provenanceView) names(one *boundEnvelope) bool {
	claim := one.content.Get("assurance")
	for _, attestation := range v.part.Get("attestations").Elements() {
		result := attestation.Get("result")
		if claim.Get("attestationRef").Kind() == jsonx.String && result.Get("attestationRef").Equal(claim.Get("attestationRef")) ||
			claim.Get("startId").Kind() == jsonx.String && result.Get("startId").Equal(claim.Get("startId")) {
			return true
		}
	}
	return false
}

// startSeal holds the seal by the key of a start.
func (e *exam) startSeal(one *boundEnvelope, result *attested) {
	const check = report.CheckAssurance
	seal := one.value.Get("startSeal")
	kid := text(seal, "kid")
	key := unhex(text(result.value.Get("start"), "startPublicKeyHex"))
	holds := e.signatureNow(check, key, startSealForm.message(one.value, kid), unhex(text(seal, "signature")))
	e.expect(check, holds && kid == kidOf(key), report.CodeStartSignatureInvalid, one.path+"/startSeal/signature",
		"The seal by the key of the start does not verify.")
}

// substantiates returns the result that a claim rests on at the time of its event; nil for none.
func (v *provenanceView) substantiates(one *boundEnvelope, claimed string) *attested {
	claim, when := one.content.Get("assurance"), textOf(one.record.receivedAt)
	isInForce := func(r *attested) bool {
		return r.counts && flag(r.value, "verified") && text(r.value, "installationId") == one.installation &&
			text(r.value, "verifiedAt") <= when
	}
	place := slices.IndexFunc(v.results, func(r attested) bool {
		if !isInForce(&r) || when > text(r.value, "expiresAt") || one.key == nil || !bytes.Equal(r.key, one.key.key) {
			return false
		}
		if claimed == "L1" {
			return text(r.value, "attestationKind") == custodyKind && r.value.Get("attestationRef").Equal(claim.Get("attestationRef"))
		}
		return text(r.value, "attestationKind") != custodyKind && r.value.Get("startId").Equal(claim.Get("startId"))
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
