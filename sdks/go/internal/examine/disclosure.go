package examine

import (
	"encoding/binary"
	"slices"
	"strings"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

var (
	disclosureSeal = newSealForm(provenanceWord, "disclosure", "seal", "envelope", "receipt", "keyStatus", "attestations")
	commitmentLine = digest.LineOf(provenanceWord, "commitment")
	slotLine       = digest.LineOf(provenanceWord, "slot")
	withoutContent = jsonx.NewEdit([]string{"content"}, nil)
)

// firstNames are the names of the first places of a capsule.
var firstNames = []string{"content", "context", "output", "policy"}

// disclosureFaults returns the faults of form between the members of a disclosure (protocol section 28).
func disclosureFaults(object jsonx.Value) (found []finding) {
	envelope := object.Get("envelope")
	isAsked := object.Get("fields").Len() > 0 || object.Get("attestations").Len() > 0
	if isAsked && !has(envelope, "content") {
		found = append(found, finding{
			code: report.CodeMissingMember, path: "/envelope/content",
			message: "Without the content nothing can be opened, and no attestation carries a claim.",
		})
	}
	if object.Get("seal").Kind() == jsonx.Null {
		for _, name := range []string{"audience", "nonce"} {
			if object.Get(name).Kind() != jsonx.Null {
				found = append(found, finding{code: report.CodeMalformed, path: "/" + name, message: "Without a seal nothing binds a disclosure to a reader."})
			}
		}
	}
	found = append(found, envelopeFaultsAt(envelope, "/envelope")...)
	if receipt := object.Get("receipt"); receipt.Kind() == jsonx.Object {
		found = append(found, portableFaultsAt(receipt, "/receipt")...)
	}
	if status := object.Get("keyStatus"); status.Kind() == jsonx.Object {
		found = append(found, keyStatusFaults(status, "/keyStatus")...)
	}
	for i, one := range items(object.Get("attestations")) {
		found = append(found, attestationFaultsAt(one, at("/attestations", i))...)
	}
	return found
}

// disclosure examines fields of a capsule that its holder opens.
func (e *exam) disclosure(object jsonx.Value) {
	envelope := object.Get("envelope")
	installation, stream := text(envelope, "installationId"), text(envelope, "streamId")
	var p *portable
	if receipt := object.Get("receipt"); receipt.Kind() == jsonx.Object {
		e.readKeys(receipt, "/receipt")
		p = e.portable(receipt, "/receipt")
		e.subject.FromSeqNo, e.subject.ToSeqNo = p.record.seqNo, p.record.seqNo
		// The stream is the envelope's, and so is what of an origin is the service's.
		e.subject.Origin = serviceOf(e.origin, stream)
	}
	e.subject.StreamID = stream
	e.subject.ID = idOf(object, "disclosureId")
	one := &boundEnvelope{value: envelope, path: "/envelope", installation: installation, content: envelope.Get("content"), contentPath: "/envelope/content"}
	if p != nil {
		one.record, one.seqNo = p.record, p.record.seqNo
	}
	keys := e.disclosedKeys(object, installation, stream)
	one.key = keys.of(installation, "/envelope/installationId", nil)
	e.startsRight(envelope, "/envelope")
	e.envelope(envelope, one.key, "/envelope")
	e.noteUnchecked(envelope, p != nil && isStartTold(object))
	if one.content.Exists() {
		e.content(one.content, envelope, "/envelope/content")
	}
	if p != nil {
		e.boundToReceipt(p, one)
	}
	v := &provenanceView{
		b: &bundle{stream: stream}, part: object, envelopes: []*boundEnvelope{one}, keys: keys,
		isDisclosure: true,
	}
	e.settle()
	e.eventsOfKeys(v)
	e.noteEnd(one.key)
	e.noteProvider(one.content)
	e.opened(object, one)
	e.disclosureSealed(object, one.key)
	e.reader(object)
	e.attestations(v)
	e.settle()
	e.claims(v)
	e.provenance.VaultChain = "none"
}

// isStartTold says whether an attestation beside a disclosed envelope is of the start that its content names.
func isStartTold(object jsonx.Value) bool {
	start := object.At("envelope", "content", "assurance", "startId")
	return slices.ContainsFunc(items(object.Get("attestations")), func(one jsonx.Value) bool {
		return start.Exists() && one.At("result", "startId").Equal(start)
	})
}

// disclosedKeys gathers what is known of the key of a disclosure.
func (e *exam) disclosedKeys(object jsonx.Value, installation, stream string) *knownKeys {
	var carried []*keyStatus
	if value := object.Get("keyStatus"); value.Kind() == jsonx.Object {
		s := readKeyStatus(value, "/keyStatus")
		e.expect(report.CheckVaultKey, s.installation == installation, report.CodeVaultKeyMismatch,
			"/keyStatus/installationId", "The status is of another installation.")
		e.ownKeyID(s)
		carried = e.statusThatCounts(s, stream)
	}
	return e.knowKeys(report.CheckVaultKey, stream, carried, nil)
}

// boundToReceipt holds the envelope against the payload of the receipt.
func (e *exam) boundToReceipt(p *portable, one *boundEnvelope) {
	const check = report.CheckEnvelope
	r := &p.record
	if !e.expect(check, r.payload.Exists(), report.CodeProvenanceEnvelopeMissing, "/receipt/receipt/payload", "The receipt has no payload.") {
		return
	}
	e.looked(check, 1)
	e.expect(check, e.isPayload(one.value, r), report.CodeEnvelopeRecordMismatch,
		"/envelope", "The envelope is not the payload of the receipt.")
	e.expect(check, one.value.Get("sourceRef").Equal(r.sourceRef), report.CodeEnvelopeRecordMismatch, "/envelope/sourceRef", "The record has another reference.")
	e.expect(check, one.value.Get("streamId").Equal(r.stream), report.CodeEnvelopeRecordMismatch, "/envelope/streamId", "The record is of another stream.")
	if content := one.content; content.Exists() {
		e.expect(check, content.Get("eventType").Equal(r.eventType), report.CodeEnvelopeRecordMismatch, "/envelope/content/eventType", "The record has another type.")
		e.expect(check, content.Get("occurredAt").Equal(r.occurredAt), report.CodeEnvelopeRecordMismatch, "/envelope/content/occurredAt", "The record has another time.")
		ahead := milliseconds(text(content, "sealedAt")) - milliseconds(textOf(r.receivedAt))
		e.expect(check, ahead <= tables.MaxVaultAheadMS, report.CodeVaultClockAhead, "/envelope/content/sealedAt", "The vault's clock is ahead of the service's.")
	}
}

// isPayload says whether an envelope without its content is the payload that a record names.
func (e *exam) isPayload(envelope jsonx.Value, r *record) bool {
	sum := e.k.Digest(payloadLine, []byte(`{"payload":`), withoutContent.Append(nil, envelope), []byte(`,"salt":`), r.payloadSalt.Canonical(), []byte(`}`))
	return sum == hashText(textOf(r.payloadHash))
}

// opened holds the opened fields against the capsule (section 19).
func (e *exam) opened(object jsonx.Value, one *boundEnvelope) {
	const check = report.CheckDisclosure
	hash := envelopeSeal.hash(one.value)
	e.expect(check, object.Get("envelopeHash").IsText(hexOf(hash)), report.CodeCommitmentMismatch, "/envelopeHash", "The envelope is not the one named.")
	size := number(one.content, "capsuleSize")
	further, last := 0, int64(-1)
	for i, field := range items(object.Get("fields")) {
		e.looked(check, 1)
		path := at("/fields", i)
		index, name := number(field, "index"), text(field, "name")
		isOwn := index == e.placeOf(one.content, name, size)
		e.expect(check, isOwn && index > last, report.CodeDisclosureFieldInvalid, path+"/index", "The field stands at another index than its name's, or out of order.")
		last = index
		if !slices.Contains(firstNames, name) {
			further++
		}
		e.expect(check, isCapsuleValue(field.Get("value")), report.CodeDisclosureFieldInvalid, path+"/value", "It is no value that a capsule holds.")
		e.commitment(one, field, index, size, path)
		if name == "providerResult" {
			e.openedResult(field.Get("value"), path+"/value")
		}
	}
	e.noteOpened(object, size)
	most := map[int64]int{8: tables.MaxFurtherNames8, 64: tables.MaxFurtherNames64, 512: tables.MaxFurtherNames512}[size]
	e.expect(check, further <= most || size == 0, report.CodeDisclosureFieldInvalid, "/fields", "There are more names than a capsule holds.")
}

// noteOpened notes what is opened, and for whom. size: of the capsule; 0 without content.
func (e *exam) noteOpened(object jsonx.Value, size int64) {
	const mostNames = 8
	fields := items(object.Get("fields"))
	note := "no field is opened"
	if len(fields) > 0 && size > 0 {
		var names []string
		for _, field := range fields[:min(len(fields), mostNames)] {
			names = append(names, text(field, "name"))
		}
		if len(fields) > mostNames {
			names = append(names, "…")
		}
		note = itoa(int64(len(fields))) + " of " + itoa(size) + " places are opened: " + strings.Join(names, ", ")
	}
	switch {
	case object.Get("seal").Kind() == jsonx.Null:
		note += "; not sealed, so that anybody can pass it on"
	case object.Get("audience").Kind() == jsonx.Null:
		note += "; sealed for no reader in particular"
	default:
		note += "; sealed for the reader " + string(object.Get("audience").Canonical())
	}
	if object.Get("nonce").Kind() == jsonx.String {
		note += ", on the occasion " + string(object.Get("nonce").Canonical())
	}
	e.found(report.CheckDisclosure, note)
}

// placeOf returns the only index of a name in a capsule.
func (e *exam) placeOf(content jsonx.Value, name string, size int64) int64 {
	for i, first := range firstNames {
		if first == name {
			return int64(i)
		}
	}
	if size <= int64(len(firstNames)) {
		return -1
	}
	sum := e.k.Digest(slotLine, unhex(text(content, "slotSalt")), []byte(name))
	return int64(len(firstNames)) + int64(binary.BigEndian.Uint64(sum[:8])%uint64(size-int64(len(firstNames))))
}

// isCapsuleValue says whether a capsule may hold a value. The form of content and output is the vault's word.
func isCapsuleValue(value jsonx.Value) bool {
	return value.Depth() <= tables.MaxValueDepth && len(value.Canonical()) <= tables.MaxValueBytes
}

// commitment holds the commitment of a field against the envelope's, and its path against the root.
func (e *exam) commitment(one *boundEnvelope, field jsonx.Value, index, size int64, path string) {
	const check = report.CheckDisclosure
	var preimage []byte
	preimage = appendMember(preimage, `{"blind":`, field.Get("blind"))
	preimage = appendMember(preimage, `,"index":`, field.Get("index"))
	preimage = appendMember(preimage, `,"installationId":`, one.value.Get("installationId"))
	preimage = appendMember(preimage, `,"name":`, field.Get("name"))
	preimage = appendMember(preimage, `,"sourceRef":`, one.value.Get("sourceRef"))
	preimage = appendMember(preimage, `,"value":`, field.Get("value"))
	sum := e.k.Digest(commitmentLine, append(preimage, '}'))
	isListed := index >= int64(len(firstNames)) || sum == hashOf(one.content.Get("commitments"), firstNames[index])
	proof := hashes(field.Get("path"))
	isOfLength := e.expect(check, len(proof) == map[int64]int{8: 3, 64: 6, 512: 9}[size], report.CodeCapsulePathInvalid, path+"/path",
		"The path has another length than the size demands.")
	leads := e.k.VerifyInclusion(e.k.LeafHash(sum[:]), uint64(index), uint64(size), proof, hashOf(one.value, "capsuleRoot"))
	e.expect(check, isListed && (leads || !isOfLength), report.CodeCommitmentMismatch, path, "The field is not the one that was committed to.")
}

// openedResult holds an opened provider's result against itself.
func (e *exam) openedResult(value jsonx.Value, path string) {
	schema := "provider-result"
	if value.Get("version").IsText("0.1") {
		schema = "earlier-provider-result"
	}
	if faults := shapeFindings(schema, value, 1); len(faults) > 0 {
		for _, fault := range faults {
			fault.path = path + fault.path
			e.reject(report.CheckProvider, fault)
		}
		return
	}
	e.providerResult(value, func(member string) (string, string) {
		return path + "/" + member, string(report.CodeProviderResultInconsistent)
	})
}

// disclosureSealed examines the seal of a disclosure, where it has one.
func (e *exam) disclosureSealed(object jsonx.Value, v *vaultKey) {
	const check = report.CheckDisclosure
	seal := object.Get("seal")
	if seal.Kind() != jsonx.Object {
		return
	}
	e.sealsSeen++
	if v.key == nil {
		e.signatureMissing(check)
		return
	}
	if status := v.latest; status != nil && status.revokedAt != "" {
		isLate := status.state == "revoked" || text(object, "disclosedAt") >= status.revokedAt
		e.expect(report.CheckVaultKey, !isLate, report.CodeVaultKeyRevoked, "/seal/kid", "The key had ended when the disclosure was sealed.")
	}
	kid := text(seal, "kid")
	if !e.expect(check, kid == kidOf(v.key), report.CodeDisclosureSignatureInvalid, "/seal/kid", "Another key sealed the disclosure.") {
		return
	}
	s := signer{kid, v.key, report.RoleVault, v.reached()}
	e.signature(check, v.key, disclosureSeal.message(object, kid), unhex(text(seal, "signature")), func(ok bool) {
		if ok {
			e.signedBy(s)
			return
		}
		e.fault(check, report.CodeDisclosureSignatureInvalid, "/seal/signature", "The seal of the disclosure does not verify.")
	})
}

// reader holds a disclosure against what its reader expects.
func (e *exam) reader(object jsonx.Value) {
	const check = report.CheckExpectation
	asked := &e.policy.expect
	for _, one := range []struct{ name, expected string }{{"audience", asked.audience}, {"nonce", asked.nonce}} {
		if one.expected == "" {
			continue
		}
		e.looked(check, 1)
		e.expect(check, object.Get(one.name).IsText(one.expected), report.CodeDisclosureAudienceMismatch, "/"+one.name,
			"The disclosure is not sealed for this.")
	}
	if asked.content == "" {
		return
	}
	e.looked(check, 1)
	for i, field := range items(object.Get("fields")) {
		if text(field, "name") == "content" {
			e.expect(check, field.At("value", "sha256").IsText(asked.content), report.CodeContentMismatch,
				at("/fields", i)+"/value/sha256", "The disclosure is of another content.")
			return
		}
	}
	e.fault(check, report.CodeEvidenceMissing, "/fields", "The content is not opened.")
}
