package examine

import (
	"strings"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

var (
	envelopeSeal = newSealForm(provenanceWord, "envelope", "seal", "startSeal", "content")
	contentLine  = digest.LineOf(provenanceWord, "content")
)

// envelopeFaults returns the faults of form between the members of an envelope (protocol section 20).
func envelopeFaults(object jsonx.Value) []finding { return envelopeFaultsAt(object, "") }

func envelopeFaultsAt(object jsonx.Value, path string) (found []finding) {
	content := object.Get("content")
	if !content.Exists() {
		return nil
	}
	return append(contentFaults(content, path+"/content"), startSealFaults(object, content, path)...)
}

// startSealFaults returns the faults of a start seal that is missing, or one too many, by the claim of a content.
func startSealFaults(envelope, content jsonx.Value, path string) (found []finding) {
	switch isL2 := claimOf(content) == "L2"; {
	case isL2 && !has(envelope, "startSeal"):
		found = append(found, finding{code: report.CodeMissingMember, path: path + "/startSeal", message: "An envelope of level L2 has a start seal."})
	case !isL2 && has(envelope, "startSeal"):
		found = append(found, finding{code: report.CodeUnknownMember, path: path + "/startSeal", message: "Only an envelope of level L2 has a start seal."})
	}
	return found
}

// contentFaults returns the faults of form between the members of a content.
func contentFaults(content jsonx.Value, path string) (found []finding) {
	claim := content.Get("assurance")
	level := text(claim, "level")
	names, starts := claim.Get("attestationRef").Kind() != jsonx.Null, claim.Get("startId").Kind() != jsonx.Null
	if names != (level == "L1") || starts != (level == "L2") {
		found = append(found, finding{
			code: report.CodeMalformed, path: path + "/assurance", message: "L0 names nothing, L1 an attestation, L2 a start.",
		})
	}
	metadata := content.Get("metadata")
	if (metadata.Get("providerId").Kind() == jsonx.Null) != (metadata.Get("providerPolicyDigest").Kind() == jsonx.Null) {
		found = append(found, finding{
			code: report.CodeProvenanceMetadataNotPermitted, path: path + "/metadata/providerPolicyDigest",
			message: "A provider stands with the policy that allows it, and only then.",
		})
	}
	return found
}

// loneEnvelope examines an envelope by itself.
func (e *exam) loneEnvelope(object jsonx.Value) {
	stream, installation := text(object, "streamId"), text(object, "installationId")
	e.subject.ID, e.subject.StreamID = idOf(object, "sourceRef"), stream
	keys := e.knowKeys(report.CheckVaultKey, stream, nil, nil)
	v := keys.of(installation, "/installationId", nil)
	e.startsRight(object, "")
	e.envelope(object, v, "")
	e.noteUnchecked(object, false)
	content := object.Get("content")
	if content.Exists() {
		e.content(content, object, "/content")
	}
	keys.event(v, datedEvent{}, "/seal")
	e.noteEnd(v)
	e.noteProvider(content)
	p := &report.Provenance{
		Events: 1, Installations: 1, VaultChain: "none", VaultKeys: v.standing(), SubstantiatedBy: "none", KeyCustody: "none",
		Effective: report.Effective{L0: 1},
	}
	level := claimOf(content)
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
		e.looked(report.CheckAssurance, 1)
	}
	e.provenance = p
	e.levels = append(e.levels, eventLevel{level: "L0"})
}

// noteUnchecked notes what is not checked of an envelope outside of a bundle. isStartTold: an attestation here tells
// the key of its start.
func (e *exam) noteUnchecked(envelope jsonx.Value, isStartTold bool) {
	var notes []string
	if !has(envelope, "content") {
		notes = append(notes, "the content is not here")
	}
	if has(envelope, "startSeal") && !isStartTold {
		notes = append(notes, "nothing here tells the key of the start seal, which was not checked")
	}
	if len(notes) > 0 {
		e.notChecked(report.CheckEnvelope, strings.Join(notes, "; "))
	}
}

// claimOf returns the level that a content claims; empty without content.
func claimOf(content jsonx.Value) string { return text(content.Get("assurance"), "level") }

// startsRight holds an envelope that stands alone against its own number.
func (e *exam) startsRight(object jsonx.Value, path string) {
	e.expect(report.CheckEnvelope, isStart(object), report.CodeVaultChainBroken, path+"/previousEnvelopeHash", "Envelope 1 and no other follows 64 zeros.")
}

// isStart says whether an envelope follows 64 zeros exactly if its number is 1.
func isStart(object jsonx.Value) bool {
	return object.Get("previousEnvelopeHash").IsText(zeros) == (number(object, "vaultSeq") == 1)
}

// envelope examines the seal of an envelope.
func (e *exam) envelope(object jsonx.Value, v *vaultKey, path string) {
	const check = report.CheckEnvelope
	e.sealsSeen++
	if v.key == nil {
		e.signatureMissing(check)
		return
	}
	seal := object.Get("seal")
	kid := text(seal, "kid")
	if own := kidOf(v.key); kid != own {
		e.reject(check, finding{
			code: report.CodeEnvelopeSignatureInvalid, path: path + "/seal/kid", message: "Another key sealed the envelope.", expected: own, actual: kid,
		})
		return
	}
	s := signer{kid, v.key, report.RoleVault, v.reached()}
	e.signature(check, v.key, envelopeSeal.message(object, kid), unhex(text(seal, "signature")), func(ok bool) {
		if ok {
			e.signedBy(s)
			return
		}
		e.fault(check, report.CodeEnvelopeSignatureInvalid, path+"/seal/signature", "The seal of the envelope does not verify.")
	})
}

// content holds a content against its envelope.
func (e *exam) content(content, envelope jsonx.Value, path string) {
	const check = report.CheckEnvelope
	if e.k.Digest(contentLine, content.Canonical()) != hashOf(envelope, "contentHash") {
		e.fault(check, report.CodeContentHashMismatch, path, "The content is not the one that the envelope names.")
	}
	if !e.leadsToRoot(content, hashOf(envelope, "capsuleRoot")) {
		e.fault(check, report.CodeCapsulePathInvalid, path+"/capsulePath", "The commitments do not lead to the root of the capsule.")
	}
}

// leadsToRoot says whether the first four commitments and the path of a content give the root of its capsule.
func (e *exam) leadsToRoot(content jsonx.Value, root merkle.Hash) bool {
	commitments := content.Get("commitments")
	var leaves []merkle.Hash
	for _, name := range []string{"content", "context", "output", "policy"} {
		hash := hashOf(commitments, name)
		leaves = append(leaves, e.k.LeafHash(hash[:]))
	}
	path := hashes(content.Get("capsulePath"))
	length := map[int64]int{8: 1, 64: 4, 512: 7}[number(content, "capsuleSize")]
	if len(path) != length {
		return false
	}
	at, _ := e.k.Root(leaves)
	for _, sibling := range path {
		at = merkle.NodeHash(at, sibling)
	}
	return at == root
}

// provenancePartFaults returns the faults of form of what a bundle of envelopes has more than others (section 27).
func provenancePartFaults(object jsonx.Value) (found []finding) {
	manifest := object.Get("manifest")
	var missing []finding
	parts := []struct {
		of         jsonx.Value
		path, name string
	}{
		{manifest, "/manifest", "provenance_root"},
		{manifest, "/manifest", "provenance_event_count"},
		{manifest, "/manifest", "vault_key_lifecycle"},
		{manifest.Get("artifact_hashes"), "/manifest/artifact_hashes", "provenance.json"},
		{object.Get("artifacts"), "/artifacts", "provenance.json"},
	}
	for _, part := range parts {
		if !has(part.of, part.name) {
			missing = append(missing, finding{
				code: report.CodeMissingMember, path: part.path + "/" + part.name,
				message: "The provenance part of a bundle is there whole or not at all.",
			})
		}
	}
	switch {
	case len(missing) < len(parts):
		found = missing
	case has(object, "contents"):
		found = []finding{{
			code: report.CodeUnknownMember, path: "/contents", message: "Contents stand in a bundle over a provenance stream only.",
		}}
	}
	return append(found, lifecycleFaults(manifest, object)...)
}

// lifecycleFaults returns the faults of form of the lifecycle, contents and attestations of a bundle of envelopes.
func lifecycleFaults(manifest, object jsonx.Value) (found []finding) {
	for i, one := range items(manifest.Get("vault_key_lifecycle")) {
		found = append(found, keyStatusFaults(one, at("/manifest/vault_key_lifecycle", i))...)
	}
	for name, content := range object.Get("contents").Members() {
		id, _ := name.Text()
		found = append(found, contentFaults(content, "/contents/"+id)...)
	}
	part := object.At("artifacts", "provenance.json")
	for i, one := range items(part.Get("attestations")) {
		found = append(found, attestationFaultsAt(one, at(provenancePath+"/attestations", i))...)
	}
	for i, one := range items(part.Get("provider_policies")) {
		found = append(found, providerPolicyFaults(one, at(provenancePath+"/provider_policies", i))...)
	}
	return found
}

// providerPolicyFaults returns the first provider of a policy that does not follow the one before it.
func providerPolicyFaults(policy jsonx.Value, path string) []finding {
	before := ""
	for i, one := range items(policy.Get("providers")) {
		id := text(one, "providerId")
		if i > 0 && id <= before {
			return []finding{{
				code: report.CodeMalformed, path: at(path+"/providers", i) + "/providerId",
				message: "Providers ascend by providerId, each once.",
			}}
		}
		before = id
	}
	return nil
}
