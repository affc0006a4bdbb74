// Package attestation examines attestations of vaults (protocol sections 23 to 25).
package attestation

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/report"
)

// Form returns how an attestation is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "vault-attestation", Faults: faults, Examine: examineLone}
}

var (
	recordSeal   = examination.NewSealForm(examination.AttestationWord, "record", "seal", "evidence")
	resultSeal   = examination.NewSealForm(examination.AttestationWord, "result", "seal")
	evidenceLine = digest.LineOf(examination.AttestationWord, "evidence")
	startLine    = digest.LineOf(examination.AttestationWord, "start")
)

// CustodyKind is the kind of attestations of where a key is kept.
const CustodyKind = "pkcs11-key-custody"

// evidenceSchemas holds the schema of the evidence of each kind (protocol sections 24 and 25).
var evidenceSchemas = map[string]string{CustodyKind: "custody-evidence", "tpm2-quote": "quote-evidence"}

// faults returns the faults of form between the members of an attestation (protocol section 23).
func faults(object jsonx.Value) []finding.Finding { return FaultsAt(object, "") }

// FaultsAt returns the faults of form between the members of an attestation that is at a path.
func FaultsAt(object jsonx.Value, path string) (found []finding.Finding) {
	record := object.Get("record")
	if (record.Get("challengeId").Kind() == jsonx.Null) != (record.Get("nonce").Kind() == jsonx.Null) {
		found = append(found, finding.Finding{
			Code: report.CodeMalformed, Path: path + "/record/nonce", Message: "A challenge and its nonce come together or not at all.",
		})
	}
	evidence := record.Get("evidence")
	if !evidence.Exists() {
		return found
	}
	path += "/record/evidence"
	faults := finding.Shape(evidenceSchemas[values.Text(record, "attestationKind")], evidence, 1)
	for _, one := range faults {
		one.Path = path + one.Path
		found = append(found, one)
	}
	if len(faults) == 0 && values.Text(record, "attestationKind") == CustodyKind {
		found = append(found, basisFaults(evidence, path)...)
	}
	return found
}

// basisFaults returns the faults of evidence whose chain or statements do not belong to its basis.
func basisFaults(evidence jsonx.Value, path string) (found []finding.Finding) {
	basis := values.Text(evidence, "basis")
	for _, one := range []struct{ member, basis string }{{"chain", "x509"}, {"ceremony", "ceremony"}} {
		if basis != one.basis && evidence.Get(one.member).Len() > 0 {
			found = append(found, finding.Finding{
				Code: report.CodeMalformed, Path: path + "/" + one.member, Message: "Only another basis has it.",
			})
		}
	}
	return found
}

// examineLone examines an attestation by itself.
func examineLone(e *examination.Exam, object jsonx.Value) {
	record, result := object.Get("record"), object.Get("result")
	hasResult := result.Kind() == jsonx.Object
	e.Subject.ID = values.ID(result, "attestationRef")
	told := []byte(nil)
	isTrusted := hasResult && IsVouched(e, result, "")
	if isTrusted {
		told = values.Unhex(values.Text(record, "publicKeyHex"))
	}
	keys := keystatus.Know(e, report.CheckVaultKey, "", nil, nil)
	isFitting := Examine(e, object, keys, "", "", told)
	e.Settle()
	keystatus.NoteEnd(e, keys.Key(values.Text(record, "installationId"), "/record/installationId", told))
	stateLevel(e, keys, result, isTrusted && isFitting)
}

// Examine examines an attestation, and says whether it has a result that fits. `told`: the key that it tells.
func Examine(e *examination.Exam, object jsonx.Value, keys *keystatus.Keys, stream, path string, told []byte) bool {
	record, result := object.Get("record"), object.Get("result")
	installation := values.Text(record, "installationId")
	v := keys.Key(installation, path+"/record/installationId", told)
	examineRecord(e, record, v, values.Unhex(values.Text(record, "publicKeyHex")), path)
	if result.Kind() == jsonx.Object {
		return examineResult(e, record, result, keys, v, path, stream)
	}
	// Nothing dates a record alone: nobody says that its nonce was fresh.
	keys.HoldEvent(v, keystatus.Event{}, path+"/record/seal")
	if v.Standing() == "service-vouched" {
		e.Distrust(report.CheckVaultKey, finding.Finding{
			Code: report.CodeKeyNotPinned, Path: path + "/result", Message: "Only a pinned key can attest alone.",
		}, installation)
	}
	return false
}

// IsVouched says whether a result names a signer whom trust reaches at its time; whether the seal holds is noted apart.
func IsVouched(e *examination.Exam, result jsonx.Value, stream string) bool {
	return e.MayVouch(values.Text(result.Get("seal"), "kid"), stream, values.Text(result, "verifiedAt"))
}

// examineRecord examines the seal of a record, its key and its evidence.
func examineRecord(e *examination.Exam, record jsonx.Value, v *keystatus.Key, key []byte, path string) {
	path += "/record"
	const check = report.CheckAttestation
	seal := record.Get("seal")
	kid := values.Text(seal, "kid")
	e.SealsSeen++
	if kid != values.KID(key) {
		e.Fault(check, report.CodeAttestationSignatureInvalid, path+"/seal/kid", "Another key sealed the record.")
	} else {
		s := examination.Signer{KID: kid, Key: key, Role: report.RoleVault, Reached: v.Reached()}
		e.Signature(check, key, recordSeal.Message(record, kid), values.Unhex(values.Text(seal, "signature")), func(ok bool) {
			if ok {
				e.SignedBy(s)
				return
			}
			e.Fault(check, report.CodeAttestationSignatureInvalid, path+"/seal/signature", "The seal of the record does not verify.")
		})
	}
	e.Expect(report.CheckVaultKey, v.Key == nil || bytes.Equal(v.Key, key), report.CodeVaultKeyMismatch, path+"/publicKeyHex",
		"The attestation is about another key than the one that is known.")
	evidence := record.Get("evidence")
	if !evidence.Exists() {
		e.NotChecked(check, "the evidence is withheld")
		return
	}
	if e.Kernel.Digest(evidenceLine, evidence.Canonical()) != values.Hash(record, "evidenceHash") {
		e.Fault(check, report.CodeEvidenceHashMismatch, path+"/evidence", "The evidence is not the one that the vault sealed.")
		return
	}
	e.NotChecked(check, "this release judges neither certificates nor quotes")
	e.Distrust(check, finding.Finding{
		Code: report.CodeUnsupportedObject, Path: path + "/evidence", Message: "This release judges neither certificates nor quotes.",
	}, values.Text(record, "evidenceHash"))
}

// examineResult examines the service's result; it says whether it fits the record.
func examineResult(e *examination.Exam, record, result jsonx.Value, keys *keystatus.Keys, v *keystatus.Key, path, stream string) bool {
	path += "/result"
	const check = report.CheckAttestation
	verifiedAt := values.Text(result, "verifiedAt")
	e.Seal(check, resultSeal, result, result.Get("seal"), examination.SealUse{
		Path: path + "/seal", Role: report.RoleResult, Name: "the result", OwnTime: verifiedAt, Stream: stream,
	}, nil)
	// A result is dated by the word of the service.
	keys.HoldEvent(v, keystatus.Event{ReceivedAt: verifiedAt, IsProvenBefore: func(string) bool { return true }}, path+"/verifiedAt")
	member := mismatch(e, record, result)
	return e.Expect(check, member == "", report.CodeAttestationResultMismatch, path+"/"+member,
		"The result is not about this record, or contradicts itself.")
}

// mismatch returns the first member of a result that does not fit its record or the others; empty where all do.
func mismatch(e *examination.Exam, record, result jsonx.Value) string {
	isNull := func(name string) bool { return result.Get(name).Kind() == jsonx.Null }
	for _, name := range []string{"attestationHash", "installationId", "attestationKind"} {
		isSame := result.Get(name).Equal(record.Get(name))
		if name == "attestationHash" {
			isSame = recordSeal.Hash(record) == values.Hash(result, name)
		}
		if !isSame {
			return name
		}
	}
	if start := result.Get("start"); start.Kind() == jsonx.Object && startID(e, record, start) != values.Text(result, "startId") {
		return "startId"
	}
	isCustody, isVerified := values.Text(result, "attestationKind") == CustodyKind, values.Flag(result, "verified")
	capability := "L0"
	if isVerified {
		capability = values.Choice(isCustody, "L1", "L2")
	}
	if values.Text(result, "assuranceCapability") != capability {
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
	created := values.Milliseconds(values.Text(record, "createdAt"))
	verified, expires := values.Milliseconds(values.Text(result, "verifiedAt")), values.Milliseconds(values.Text(result, "expiresAt"))
	if expires <= verified || expires-verified > longest {
		return "expiresAt"
	}
	if verified-created > tables.LatestResultAfterMS || created-verified > tables.EarliestResultBeforeMS {
		return "verifiedAt"
	}
	if evidence := record.Get("evidence"); evidence.Exists() {
		return evidenceMismatch(e, record, result, evidence)
	}
	return ""
}

// evidenceMismatch returns the first member of a result that names something else than the evidence in hand.
func evidenceMismatch(e *examination.Exam, record, result, evidence jsonx.Value) string {
	isOther := func(name, own string) bool {
		return result.Get(name).Kind() != jsonx.Null && values.Text(result, name) != own
	}
	if values.Text(record, "attestationKind") == CustodyKind {
		if isOther("custody", values.Text(evidence, "basis")) {
			return "custody"
		}
		return ""
	}
	certificate, _ := base64.StdEncoding.DecodeString(values.Text(evidence, "ekCertificate"))
	certificateSum, nameSum := sha256.Sum256(certificate), sha256.Sum256(values.Unhex(values.Text(evidence, "akPublic")))
	switch {
	case isOther("startId", startID(e, record, evidence.Get("start"))):
		return "startId"
	case isOther("ekCertificateSha256", values.Hex(certificateSum)):
		return "ekCertificateSha256"
	case isOther("akName", "000b"+values.Hex(nameSum)):
		return "akName"
	}
	return ""
}

// startID returns D("start", ...) of a start and the key that it belongs to.
func startID(e *examination.Exam, record, start jsonx.Value) string {
	var text []byte
	text = values.AppendMember(text, `{"configDigest":`, start.Get("configDigest"))
	text = values.AppendMember(text, `,"installationId":`, record.Get("installationId"))
	text = values.AppendMember(text, `,"publicKeyHex":`, record.Get("publicKeyHex"))
	text = values.AppendMember(text, `,"startPublicKeyHex":`, start.Get("startPublicKeyHex"))
	text = values.AppendMember(text, `,"vaultMeasurement":`, start.Get("vaultMeasurement"))
	return values.Hex(e.Kernel.Digest(startLine, append(text, '}')))
}

// stateLevel states what a lone attestation shows: no event, and its capability once.
func stateLevel(e *examination.Exam, keys *keystatus.Keys, result jsonx.Value, counts bool) {
	p := &report.Provenance{Installations: 1, VaultChain: "none", VaultKeys: keys.Weakest(), SubstantiatedBy: "none", KeyCustody: "none"}
	level := "L0"
	if counts {
		p.SoftwareRoot = values.Flag(result, "softwareRoot")
		if custody := values.Text(result, "custody"); custody != "" && values.Flag(result, "verified") {
			p.KeyCustody = custody
		}
		if !e.Policy.Vaults.HasRoots && (!p.SoftwareRoot || e.Policy.Vaults.AllowsSoftware) {
			level = values.Text(result, "assuranceCapability")
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
	e.Provenance = p
	e.Levels = append(e.Levels, examination.EventLevel{Level: level})
}
