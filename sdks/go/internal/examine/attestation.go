package examine

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

var (
	recordSeal   = newSealForm(attestationWord, "record", "seal", "evidence")
	resultSeal   = newSealForm(attestationWord, "result", "seal")
	evidenceLine = digest.LineOf(attestationWord, "evidence")
	startLine    = digest.LineOf(attestationWord, "start")
)

const custodyKind = "pkcs11-key-custody"

// evidenceSchemas holds the schema of the evidence of each kind (protocol sections 24 and 25).
var evidenceSchemas = map[string]string{custodyKind: "custody-evidence", "tpm2-quote": "quote-evidence"}

// attestationFaults returns the faults of form between the members of an attestation (protocol section 23).
func attestationFaults(object jsonx.Value) []finding { return attestationFaultsAt(object, "") }

func attestationFaultsAt(object jsonx.Value, path string) (found []finding) {
	record := object.Get("record")
	if (record.Get("challengeId").Kind() == jsonx.Null) != (record.Get("nonce").Kind() == jsonx.Null) {
		found = append(found, finding{
			code: report.CodeMalformed, path: path + "/record/nonce", message: "A challenge and its nonce stand together.",
		})
	}
	evidence := record.Get("evidence")
	if !evidence.Exists() {
		return found
	}
	path += "/record/evidence"
	faults := shapeFindings(evidenceSchemas[text(record, "attestationKind")], evidence, 1)
	for _, one := range faults {
		one.path = path + one.path
		found = append(found, one)
	}
	if len(faults) == 0 && text(record, "attestationKind") == custodyKind {
		found = append(found, basisFaults(evidence, path)...)
	}
	return found
}

// basisFaults returns the faults of evidence whose chain or statements do not belong to its basis.
func basisFaults(evidence jsonx.Value, path string) (found []finding) {
	basis := text(evidence, "basis")
	for _, one := range []struct{ member, basis string }{{"chain", "x509"}, {"ceremony", "ceremony"}} {
		if basis != one.basis && evidence.Get(one.member).Len() > 0 {
			found = append(found, finding{
				code: report.CodeMalformed, path: path + "/" + one.member, message: "It stands with another basis only.",
			})
		}
	}
	return found
}

// loneAttestation examines an attestation by itself.
func (e *exam) loneAttestation(object jsonx.Value) {
	record, result := object.Get("record"), object.Get("result")
	hasResult := result.Kind() == jsonx.Object
	e.subject.ID = idOf(result, "attestationRef")
	told := []byte(nil)
	isTrusted := hasResult && e.isVouched(result, "")
	if isTrusted {
		told = unhex(text(record, "publicKeyHex"))
	}
	keys := e.knowKeys(report.CheckVaultKey, "", nil, nil)
	isFitting := e.attestation(object, keys, "", "", told)
	e.settle()
	e.noteEnd(keys.of(text(record, "installationId"), "/record/installationId", told))
	e.attestedLevel(keys, result, isTrusted && isFitting)
}

// attestation examines an attestation, and says whether it has a result that fits. `told`: the key that it tells.
func (e *exam) attestation(object jsonx.Value, keys *knownKeys, stream, path string, told []byte) bool {
	record, result := object.Get("record"), object.Get("result")
	installation := text(record, "installationId")
	v := keys.of(installation, path+"/record/installationId", told)
	e.attestationRecord(record, v, unhex(text(record, "publicKeyHex")), path)
	if result.Kind() == jsonx.Object {
		return e.attestationResult(record, result, keys, v, path, stream)
	}
	// Nothing dates a record alone: nobody says that its nonce was fresh.
	keys.event(v, datedEvent{}, path+"/record/seal")
	if v.standing() == "service-vouched" {
		e.distrust(report.CheckVaultKey, finding{code: report.CodeKeyNotPinned, path: path + "/result", message: "Only a pinned key can attest alone."}, installation)
	}
	return false
}

// isVouched says whether a result names a signer whom trust reaches at its time; whether the seal holds is noted apart.
func (e *exam) isVouched(result jsonx.Value, stream string) bool {
	return e.mayVouch(text(result.Get("seal"), "kid"), stream, text(result, "verifiedAt"))
}

// mayVouch says whether trust reaches a key for a stream at a time. The time of its seal is proven apart.
func (e *exam) mayVouch(kid, stream, at string) bool {
	standing := e.keys.standing(kid, scope{stream: stream, origin: e.origin})
	return standing.code == "" && standing.validFrom <= at && (standing.validTo == "" || at <= standing.validTo)
}

// attestationRecord examines the seal of a record, its key and its evidence.
func (e *exam) attestationRecord(record jsonx.Value, v *vaultKey, key []byte, path string) {
	path += "/record"
	const check = report.CheckAttestation
	seal := record.Get("seal")
	kid := text(seal, "kid")
	e.sealsSeen++
	if kid != kidOf(key) {
		e.fault(check, report.CodeAttestationSignatureInvalid, path+"/seal/kid", "Another key sealed the record.")
	} else {
		s := signer{kid, key, report.RoleVault, v.reached()}
		e.signature(check, key, recordSeal.message(record, kid), unhex(text(seal, "signature")), func(ok bool) {
			if ok {
				e.signedBy(s)
				return
			}
			e.fault(check, report.CodeAttestationSignatureInvalid, path+"/seal/signature", "The seal of the record does not verify.")
		})
	}
	e.expect(report.CheckVaultKey, v.key == nil || bytes.Equal(v.key, key), report.CodeVaultKeyMismatch, path+"/publicKeyHex",
		"The attestation is about another key than the one that is known.")
	evidence := record.Get("evidence")
	if !evidence.Exists() {
		e.notChecked(check, "the evidence is withheld")
		return
	}
	if e.k.Digest(evidenceLine, evidence.Canonical()) != hashOf(record, "evidenceHash") {
		e.fault(check, report.CodeEvidenceHashMismatch, path+"/evidence", "The evidence is not the one that the vault sealed.")
		return
	}
	e.notChecked(check, "this release judges neither certificates nor quotes")
	e.distrust(check, finding{
		code: report.CodeUnsupportedObject, path: path + "/evidence", message: "This release judges neither certificates nor quotes.",
	}, text(record, "evidenceHash"))
}

// attestationResult examines the service's result; it says whether it fits the record.
func (e *exam) attestationResult(record, result jsonx.Value, keys *knownKeys, v *vaultKey, path, stream string) bool {
	path += "/result"
	const check = report.CheckAttestation
	verifiedAt := text(result, "verifiedAt")
	e.seal(check, resultSeal, result, result.Get("seal"), sealUse{
		path: path + "/seal", role: report.RoleResult, what: "the result", ownTime: verifiedAt, stream: stream,
	}, nil)
	// A result is dated by the word of the service.
	keys.event(v, datedEvent{verifiedAt, func(string) bool { return true }}, path+"/verifiedAt")
	member := e.mismatch(record, result)
	return e.expect(check, member == "", report.CodeAttestationResultMismatch, path+"/"+member,
		"The result is not about this record, or contradicts itself.")
}

// mismatch returns the first member of a result that does not fit its record or the others; empty where all do.
func (e *exam) mismatch(record, result jsonx.Value) string {
	isNull := func(name string) bool { return result.Get(name).Kind() == jsonx.Null }
	for _, name := range []string{"attestationHash", "installationId", "attestationKind"} {
		isSame := result.Get(name).Equal(record.Get(name))
		if name == "attestationHash" {
			isSame = recordSeal.hash(record) == hashOf(result, name)
		}
		if !isSame {
			return name
		}
	}
	if start := result.Get("start"); start.Kind() == jsonx.Object && e.startID(record, start) != text(result, "startId") {
		return "startId"
	}
	isCustody, isVerified := text(result, "attestationKind") == custodyKind, flag(result, "verified")
	capability := "L0"
	if isVerified {
		capability = choice(isCustody, "L1", "L2")
	}
	if text(result, "assuranceCapability") != capability {
		return "assuranceCapability"
	}
	if isVerified != isNull("reason") {
		return "reason"
	}
	own, others := []string{"custody"}, []string{"startId", "start", "ekCertificateSha256", "akName", "referenceValuesDigest"}
	longest := int64(tables.LongestResultMSPkcs11KeyCustody)
	if !isCustody {
		own, others, longest = others, own, tables.LongestResultMSTpm2Quote
	}
	for _, name := range others {
		if !isNull(name) {
			return name
		}
	}
	for _, name := range own {
		if isVerified && isNull(name) {
			return name
		}
	}
	created, verified, expires := milliseconds(text(record, "createdAt")), milliseconds(text(result, "verifiedAt")), milliseconds(text(result, "expiresAt"))
	if expires <= verified || expires-verified > longest {
		return "expiresAt"
	}
	if verified-created > tables.LatestResultAfterMS || created-verified > tables.EarliestResultBeforeMS {
		return "verifiedAt"
	}
	if evidence := record.Get("evidence"); evidence.Exists() {
		return e.evidenceMismatch(record, result, evidence)
	}
	return ""
}

// evidenceMismatch returns the first member of a result that names something else than the evidence in hand.
func (e *exam) evidenceMismatch(record, result, evidence jsonx.Value) string {
	isOther := func(name, own string) bool {
		return result.Get(name).Kind() != jsonx.Null && text(result, name) != own
	}
	if text(record, "attestationKind") == custodyKind {
		if isOther("custody", text(evidence, "basis")) {
			return "custody"
		}
		return ""
	}
	certificate, _ := base64.StdEncoding.DecodeString(text(evidence, "ekCertificate"))
	certificateSum, nameSum := sha256.Sum256(certificate), sha256.Sum256(unhex(text(evidence, "akPublic")))
	switch {
	case isOther("startId", e.startID(record, evidence.Get("start"))):
		return "startId"
	case isOther("ekCertificateSha256", hexOf(certificateSum)):
		return "ekCertificateSha256"
	case isOther("akName", "000b"+hexOf(nameSum)):
		return "akName"
	}
	return ""
}

// startID returns D("start", ...) of a start and the key that it belongs to.
func (e *exam) startID(record, start jsonx.Value) string {
	var text []byte
	text = appendMember(text, `{"configDigest":`, start.Get("configDigest"))
	text = appendMember(text, `,"installationId":`, record.Get("installationId"))
	text = appendMember(text, `,"publicKeyHex":`, record.Get("publicKeyHex"))
	text = appendMember(text, `,"startPublicKeyHex":`, start.Get("startPublicKeyHex"))
	text = appendMember(text, `,"vaultMeasurement":`, start.Get("vaultMeasurement"))
	return hexOf(e.k.Digest(startLine, append(text, '}')))
}

// attestedLevel states what a lone attestation shows: no event, and its capability once.
func (e *exam) attestedLevel(keys *knownKeys, result jsonx.Value, counts bool) {
	p := &report.Provenance{Installations: 1, VaultChain: "none", VaultKeys: keys.weakest(), SubstantiatedBy: "none", KeyCustody: "none"}
	level := "L0"
	if counts {
		p.SoftwareRoot = flag(result, "softwareRoot")
		if custody := text(result, "custody"); custody != "" && flag(result, "verified") {
			p.KeyCustody = custody
		}
		if !e.policy.vaults.hasRoots && (!p.SoftwareRoot || e.policy.vaults.allowsSoftware) {
			level = text(result, "assuranceCapability")
		}
	}
	switch level {
	case "L1":
		p.Effective.L1 = 1
	case "L2":
		p.Effective.L2 = 1
	default:
		p.Effective.L0 = 1
	}
	if level != "L0" {
		p.SubstantiatedBy = "service"
	}
	e.provenance = p
	e.levels = append(e.levels, eventLevel{level: level})
}
