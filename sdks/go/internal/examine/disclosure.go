package examine

import (
	"slices"

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
		if e.subject.Origin != nil {
			e.subject.Origin = statedBy(e.origin, stream)
		}
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
		e.ownKeyID(s, report.CheckVaultKey)
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
