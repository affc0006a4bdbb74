// Package disclosure examines fields of a capsule that its holder opens (protocol sections 19 and 28).
package disclosure

import (
	"slices"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/manifest"
	"svc.example/go/internal/objects/portable"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/attestation"
	"svc.example/go/internal/vault/envelope"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/internal/vault/provenance"
	"svc.example/go/internal/vault/provider"
	"svc.example/go/report"
)

// Form returns how a disclosure is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "disclosure", Faults: faults, Examine: examine}
}

var (
	sealForm       = examination.NewSealForm(examination.ProvenanceWord, "disclosure", "seal", "envelope", "receipt", "keyStatus", "attestations")
	commitmentLine = digest.LineOf(examination.ProvenanceWord, "commitment")
	slotLine       = digest.LineOf(examination.ProvenanceWord, "slot")
	withoutContent = jsonx.NewEdit([]string{"content"}, nil)
)

// firstNames are the names of the first places of a capsule.
var firstNames = []string{"content", "context", "output", "policy"}

// faults returns the faults of form between the members of a disclosure (protocol section 28).
func faults(object jsonx.Value) (found []finding.Finding) {
	sealed := object.Get("envelope")
	isAsked := object.Get("fields").Len() > 0 || object.Get("attestations").Len() > 0
	if isAsked && !values.Has(sealed, "content") {
		found = append(found, finding.Finding{
			Code: report.CodeMissingMember, Path: "/envelope/content",
			Message: "Without the content nothing can be opened, and no attestation carries a claim.",
		})
	}
	if object.Get("seal").Kind() == jsonx.Null {
		for _, name := range []string{"audience", "nonce"} {
			if object.Get(name).Kind() != jsonx.Null {
				found = append(found, finding.Finding{
					Code: report.CodeMalformed, Path: "/" + name, Message: "Without a seal nothing binds a disclosure to a reader.",
				})
			}
		}
	}
	found = append(found, envelope.FaultsAt(sealed, "/envelope")...)
	if receipt := object.Get("receipt"); receipt.Kind() == jsonx.Object {
		found = append(found, portable.FaultsAt(receipt, "/receipt")...)
	}
	if status := object.Get("keyStatus"); status.Kind() == jsonx.Object {
		found = append(found, trust.KeyStatusFaults(status, "/keyStatus")...)
	}
	for i, one := range values.Items(object.Get("attestations")) {
		found = append(found, attestation.FaultsAt(one, values.At("/attestations", i))...)
	}
	return found
}

// examine examines fields of a capsule that its holder opens.
func examine(e *examination.Exam, object jsonx.Value) {
	sealed := object.Get("envelope")
	installation, stream := values.Text(sealed, "installationId"), values.Text(sealed, "streamId")
	var p *portable.Receipt
	if receipt := object.Get("receipt"); receipt.Kind() == jsonx.Object {
		e.ReadKeys(receipt, "/receipt")
		p = portable.Examine(e, receipt, "/receipt")
		e.Subject.FromSeqNo, e.Subject.ToSeqNo = p.Record.SeqNo, p.Record.SeqNo
		// The stream is the envelope's, and so is what of an origin is the service's.
		if e.Subject.Origin != nil {
			e.Subject.Origin = examination.StatedBy(e.Origin, stream)
		}
	}
	e.Subject.StreamID = stream
	e.Subject.ID = values.ID(object, "disclosureId")
	one := &provenance.Bound{
		Value: sealed, Path: "/envelope", Installation: installation, Content: sealed.Get("content"), ContentPath: "/envelope/content",
	}
	if p != nil {
		one.Record, one.SeqNo = p.Record, p.Record.SeqNo
	}
	keys := disclosedKeys(e, object, installation, stream)
	one.Key = keys.Key(installation, "/envelope/installationId", nil)
	envelope.HoldStart(e, sealed, "/envelope")
	envelope.ExamineSeal(e, sealed, one.Key, "/envelope")
	envelope.NoteUnchecked(e, sealed, p != nil && isStartTold(object))
	if one.Content.Exists() {
		envelope.HoldContent(e, one.Content, sealed, "/envelope/content")
	}
	if p != nil {
		boundToReceipt(e, p, one)
	}
	v := &provenance.View{
		Bundle: &manifest.Frame{Stream: stream}, Part: object, Envelopes: []*provenance.Bound{one}, Keys: keys,
		IsDisclosure: true,
	}
	e.Settle()
	provenance.HoldEvents(e, v)
	keystatus.NoteEnd(e, one.Key)
	provider.NoteUnchecked(e, one.Content)
	holdFields(e, object, one)
	examineSeal(e, object, one.Key)
	holdReader(e, object)
	provenance.ExamineAttestations(e, v)
	e.Settle()
	provenance.JudgeClaims(e, v)
	e.Provenance.VaultChain = "none"
}

// isStartTold says whether an attestation beside a disclosed envelope is of the start that its content names.
func isStartTold(object jsonx.Value) bool {
	start := object.At("envelope", "content", "assurance", "startId")
	return slices.ContainsFunc(values.Items(object.Get("attestations")), func(one jsonx.Value) bool {
		return start.Exists() && one.At("result", "startId").Equal(start)
	})
}

// disclosedKeys gathers what is known of the key of a disclosure.
func disclosedKeys(e *examination.Exam, object jsonx.Value, installation, stream string) *keystatus.Keys {
	var carried []*trust.KeyStatus
	if value := object.Get("keyStatus"); value.Kind() == jsonx.Object {
		s := trust.ReadKeyStatus(value, "/keyStatus")
		e.Expect(report.CheckVaultKey, s.Installation == installation, report.CodeVaultKeyMismatch,
			"/keyStatus/installationId", "The status is of another installation.")
		keystatus.HoldKeyID(e, s, report.CheckVaultKey)
		carried = keystatus.Counting(e, s, stream)
	}
	return keystatus.Know(e, report.CheckVaultKey, stream, carried, nil)
}

// boundToReceipt holds the envelope against the payload of the receipt.
func boundToReceipt(e *examination.Exam, p *portable.Receipt, one *provenance.Bound) {
	const check = report.CheckEnvelope
	r := &p.Record
	if !e.Expect(check, r.Payload.Exists(), report.CodeProvenanceEnvelopeMissing, "/receipt/receipt/payload", "The receipt has no payload.") {
		return
	}
	e.Looked(check, 1)
	e.Expect(check, isPayload(e, one.Value, r), report.CodeEnvelopeRecordMismatch,
		"/envelope", "The envelope is not the payload of the receipt.")
	e.Expect(check, one.Value.Get("sourceRef").Equal(r.SourceRef), report.CodeEnvelopeRecordMismatch, "/envelope/sourceRef",
		"The record has another reference.")
	e.Expect(check, one.Value.Get("streamId").Equal(r.Stream), report.CodeEnvelopeRecordMismatch, "/envelope/streamId",
		"The record is of another stream.")
	if content := one.Content; content.Exists() {
		e.Expect(check, content.Get("eventType").Equal(r.EventType), report.CodeEnvelopeRecordMismatch, "/envelope/content/eventType",
			"The record has another type.")
		e.Expect(check, content.Get("occurredAt").Equal(r.OccurredAt), report.CodeEnvelopeRecordMismatch, "/envelope/content/occurredAt",
			"The record has another time.")
		ahead := values.Milliseconds(values.Text(content, "sealedAt")) - values.Milliseconds(values.TextOf(r.ReceivedAt))
		e.Expect(check, ahead <= tables.MaxVaultAheadMS, report.CodeVaultClockAhead, "/envelope/content/sealedAt",
			"The vault's clock is ahead of the service's.")
	}
}

// isPayload says whether an envelope without its content is the payload that a record names.
func isPayload(e *examination.Exam, envelope jsonx.Value, r *receipt.Record) bool {
	return receipt.PayloadHash(e.Kernel, withoutContent.Append(nil, envelope), r.PayloadSalt) == values.ParseHash(values.TextOf(r.PayloadHash))
}

// examineSeal examines the seal of a disclosure, where it has one.
func examineSeal(e *examination.Exam, object jsonx.Value, v *keystatus.Key) {
	const check = report.CheckDisclosure
	seal := object.Get("seal")
	if seal.Kind() != jsonx.Object {
		return
	}
	e.SealsSeen++
	if v.Key == nil {
		e.SignatureMissing(check)
		return
	}
	if status := v.Latest; status != nil && status.RevokedAt != "" {
		isLate := status.State == "revoked" || values.Text(object, "disclosedAt") >= status.RevokedAt
		e.Expect(report.CheckVaultKey, !isLate, report.CodeVaultKeyRevoked, "/seal/kid", "The key had ended when the disclosure was sealed.")
	}
	kid := values.Text(seal, "kid")
	if !e.Expect(check, kid == values.KID(v.Key), report.CodeDisclosureSignatureInvalid, "/seal/kid", "Another key sealed the disclosure.") {
		return
	}
	s := examination.Signer{KID: kid, Key: v.Key, Role: report.RoleVault, Reached: v.Reached()}
	e.Signature(check, v.Key, sealForm.Message(object, kid), values.Unhex(values.Text(seal, "signature")), func(ok bool) {
		if ok {
			e.SignedBy(s)
			return
		}
		e.Fault(check, report.CodeDisclosureSignatureInvalid, "/seal/signature", "The seal of the disclosure does not verify.")
	})
}

// holdReader holds a disclosure against what its reader expects.
func holdReader(e *examination.Exam, object jsonx.Value) {
	const check = report.CheckExpectation
	asked := &e.Policy.Expect
	for _, one := range []struct{ name, expected string }{{"audience", asked.Audience}, {"nonce", asked.Nonce}} {
		if one.expected == "" {
			continue
		}
		e.Looked(check, 1)
		e.Expect(check, object.Get(one.name).IsText(one.expected), report.CodeDisclosureAudienceMismatch, "/"+one.name,
			"The disclosure is not sealed for this.")
	}
	if asked.Content == "" {
		return
	}
	e.Looked(check, 1)
	for i, field := range values.Items(object.Get("fields")) {
		if values.Text(field, "name") == "content" {
			e.Expect(check, field.At("value", "sha256").IsText(asked.Content), report.CodeContentMismatch,
				values.At("/fields", i)+"/value/sha256", "The disclosure is of another content.")
			return
		}
	}
	e.Fault(check, report.CodeEvidenceMissing, "/fields", "The content is not opened.")
}
