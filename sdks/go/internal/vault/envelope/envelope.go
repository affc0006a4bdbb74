// Package envelope examines envelopes and their content (protocol section 20).
package envelope

import (
	"strings"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/internal/vault/provider"
	"svc.example/go/report"
)

// Form returns how an envelope is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "envelope", Faults: faults, Examine: examine}
}

var (
	// SealForm is the form of the seal of an envelope.
	SealForm    = examination.NewSealForm(examination.ProvenanceWord, "envelope", "seal", "startSeal", "content")
	contentLine = digest.LineOf(examination.ProvenanceWord, "content")
)

// faults returns the faults of form between the members of an envelope (protocol section 20).
func faults(object jsonx.Value) []finding.Finding { return FaultsAt(object, "") }

// FaultsAt returns the faults of form between the members of an envelope that is at a path.
func FaultsAt(object jsonx.Value, path string) (found []finding.Finding) {
	content := object.Get("content")
	if !content.Exists() {
		return nil
	}
	return append(ContentFaults(content, path+"/content"), StartSealFaults(object, content, path)...)
}

// StartSealFaults returns the faults of a start seal that is missing, or one too many, by the claim of a content.
func StartSealFaults(envelope, content jsonx.Value, path string) (found []finding.Finding) {
	switch isL2 := Claim(content) == "L2"; {
	case isL2 && !values.Has(envelope, "startSeal"):
		found = append(found, finding.Finding{
			Code: report.CodeMissingMember, Path: path + "/startSeal", Message: "An envelope of level L2 has a start seal.",
		})
	case !isL2 && values.Has(envelope, "startSeal"):
		found = append(found, finding.Finding{
			Code: report.CodeUnknownMember, Path: path + "/startSeal", Message: "Only an envelope of level L2 has a start seal.",
		})
	}
	return found
}

// ContentFaults returns the faults of form between the members of a content.
func ContentFaults(content jsonx.Value, path string) (found []finding.Finding) {
	claim := content.Get("assurance")
	level := values.Text(claim, "level")
	names, starts := claim.Get("attestationRef").Kind() != jsonx.Null, claim.Get("startId").Kind() != jsonx.Null
	if names != (level == "L1") || starts != (level == "L2") {
		found = append(found, finding.Finding{
			Code: report.CodeMalformed, Path: path + "/assurance", Message: "L0 names nothing, L1 an attestation, L2 a start.",
		})
	}
	metadata := content.Get("metadata")
	if (metadata.Get("providerId").Kind() == jsonx.Null) != (metadata.Get("providerPolicyDigest").Kind() == jsonx.Null) {
		found = append(found, finding.Finding{
			Code: report.CodeProvenanceMetadataNotPermitted, Path: path + "/metadata/providerPolicyDigest",
			Message: "A provider and the policy that allows it come together or not at all.",
		})
	}
	return found
}

// examine examines an envelope by itself.
func examine(e *examination.Exam, object jsonx.Value) {
	stream, installation := values.Text(object, "streamId"), values.Text(object, "installationId")
	e.Subject.ID, e.Subject.StreamID = values.ID(object, "sourceRef"), stream
	keys := keystatus.Know(e, report.CheckVaultKey, stream, nil, nil)
	v := keys.Key(installation, "/installationId", nil)
	HoldStart(e, object, "")
	ExamineSeal(e, object, v, "")
	NoteUnchecked(e, object, false)
	content := object.Get("content")
	if content.Exists() {
		HoldContent(e, content, object, "/content")
	}
	keys.HoldEvent(v, keystatus.Event{}, "/seal")
	keystatus.NoteEnd(e, v)
	provider.NoteUnchecked(e, content)
	p := &report.Provenance{
		Events: 1, Installations: 1, VaultChain: "none", VaultKeys: v.Standing(), SubstantiatedBy: "none", KeyCustody: "none",
		Effective: report.Effective{L0: 1},
	}
	level := Claim(content)
	switch level {
	case "L0":
		p.Claimed.L0 = 1
	case "L1":
		p.Claimed.L1 = 1
	case "L2":
		p.Claimed.L2 = 1
	default:
		p.Claimed.Unknown = 1
	}
	if level != "" {
		e.Looked(report.CheckAssurance, 1)
	}
	e.Provenance = p
	e.Levels = append(e.Levels, examination.EventLevel{Level: "L0"})
}

// NoteUnchecked notes what is not checked of an envelope outside of a bundle. isStartTold: an attestation here tells
// the key of its start.
func NoteUnchecked(e *examination.Exam, envelope jsonx.Value, isStartTold bool) {
	var notes []string
	if !values.Has(envelope, "content") {
		notes = append(notes, "the content is not here")
	}
	if values.Has(envelope, "startSeal") && !isStartTold {
		notes = append(notes, "nothing here tells the key of the start seal, which was not checked")
	}
	if len(notes) > 0 {
		e.NotChecked(report.CheckEnvelope, strings.Join(notes, "; "))
	}
}

// Claim returns the level that a content claims; empty without content.
func Claim(content jsonx.Value) string { return values.Text(content.Get("assurance"), "level") }

// HoldStart holds an envelope that stands alone against its own number.
func HoldStart(e *examination.Exam, object jsonx.Value, path string) {
	e.Expect(report.CheckEnvelope, IsStart(object), report.CodeVaultChainBroken, path+"/previousEnvelopeHash",
		"Envelope 1 and no other follows 64 zeros.")
}

// IsStart says whether an envelope follows 64 zeros exactly if its number is 1.
func IsStart(object jsonx.Value) bool {
	return object.Get("previousEnvelopeHash").IsText(values.Zeros) == (values.Number(object, "vaultSeq") == 1)
}

// ExamineSeal examines the seal of an envelope.
func ExamineSeal(e *examination.Exam, object jsonx.Value, v *keystatus.Key, path string) {
	const check = report.CheckEnvelope
	e.SealsSeen++
	if v.Key == nil {
		e.SignatureMissing(check)
		return
	}
	seal := object.Get("seal")
	kid := values.Text(seal, "kid")
	if own := values.KID(v.Key); kid != own {
		e.Reject(check, finding.Finding{
			Code: report.CodeEnvelopeSignatureInvalid, Path: path + "/seal/kid", Message: "Another key sealed the envelope.", Expected: own, Actual: kid,
		})
		return
	}
	s := examination.Signer{KID: kid, Key: v.Key, Role: report.RoleVault, Reached: v.Reached()}
	e.Signature(check, v.Key, SealForm.Message(object, kid), values.Unhex(values.Text(seal, "signature")), func(ok bool) {
		if ok {
			e.SignedBy(s)
			return
		}
		e.Fault(check, report.CodeEnvelopeSignatureInvalid, path+"/seal/signature", "The seal of the envelope does not verify.")
	})
}

// HoldContent holds a content against its envelope.
func HoldContent(e *examination.Exam, content, envelope jsonx.Value, path string) {
	const check = report.CheckEnvelope
	if e.Kernel.Digest(contentLine, content.Canonical()) != values.Hash(envelope, "contentHash") {
		e.Fault(check, report.CodeContentHashMismatch, path, "The content is not the one that the envelope names.")
	}
	if !leadsToRoot(e, content, values.Hash(envelope, "capsuleRoot")) {
		e.Fault(check, report.CodeCapsulePathInvalid, path+"/capsulePath", "The commitments do not lead to the root of the capsule.")
	}
}

// leadsToRoot says whether the first four commitments and the path of a content give the root of its capsule.
func leadsToRoot(e *examination.Exam, content jsonx.Value, root merkle.Hash) bool {
	commitments := content.Get("commitments")
	var leaves []merkle.Hash
	for _, name := range []string{"content", "context", "output", "policy"} {
		hash := values.Hash(commitments, name)
		leaves = append(leaves, e.Kernel.LeafHash(hash[:]))
	}
	path := values.Hashes(content.Get("capsulePath"))
	length := map[int64]int{8: 1, 64: 4, 512: 7}[values.Number(content, "capsuleSize")]
	if len(path) != length {
		return false
	}
	at, _ := e.Kernel.Root(leaves)
	for _, sibling := range path {
		at = merkle.NodeHash(at, sibling)
	}
	return at == root
}
