package examine

import (
	"cmp"

	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

var keyStatusSeal = newSealForm(provenanceWord, "key-status", "seal")

// A keyStatus is the service's word about the key of one installation (protocol section 26).
type keyStatus struct {
	value        jsonx.Value
	path         string
	installation string
	key          []byte
	state        string
	enrolledAt   string
	// revokedAt, reason and successor are empty where they are null.
	revokedAt, reason, successor string
	isReconstructed              bool
	statusAt                     string
}

func readKeyStatus(value jsonx.Value, path string) *keyStatus {
	return &keyStatus{
		value: value, path: path, installation: text(value, "installationId"), key: unhex(text(value, "publicKeyHex")),
		state: text(value, "status"), enrolledAt: text(value, "enrolledAt"), revokedAt: text(value, "revokedAt"),
		reason: text(value, "revocationReason"), successor: text(value, "replacedByInstallationId"),
		isReconstructed: flag(value, "revocationInstantReconstructed"), statusAt: text(value, "statusAt"),
	}
}

// ownKeyID holds the name that a status gives its key against that key, under a check that the object's kind has.
func (e *exam) ownKeyID(s *keyStatus, check report.CheckID) {
	e.expect(check, kidOf(s.key) == text(s.value, "keyId"), report.CodeKidMismatch, s.path+"/keyId",
		"It is not the identifier of the key beside it.")
}

// keyStatusFaults returns the faults of form between the members of a key status.
func keyStatusFaults(value jsonx.Value, path string) (found []finding) {
	s := readKeyStatus(value, path)
	fits := func(isGood bool, member string) {
		if !isGood {
			found = append(found, finding{
				code: report.CodeMalformed, path: path + "/" + member, message: "The member does not fit a key that is " + s.state + ".",
			})
		}
	}
	isActive, isReplaced := s.state == "active", s.state == "replaced"
	if isActive {
		fits(s.revokedAt == "", "revokedAt")
		fits(s.reason == "", "revocationReason")
		fits(s.successor == "", "replacedByInstallationId")
	} else {
		fits(s.revokedAt != "" && s.enrolledAt <= s.revokedAt, "revokedAt")
		fits(s.reason != "" && isReplaced == (s.reason == "superseded"), "revocationReason")
		fits(!isReplaced || s.successor != "" && s.successor != s.installation, "replacedByInstallationId")
	}
	fits(s.state == "revoked" || !s.isReconstructed, "revocationInstantReconstructed")
	fits(cmp.Or(s.revokedAt, s.enrolledAt) <= s.statusAt, "statusAt")
	return found
}

// loneKeyStatus examines a key status by itself.
func (e *exam) loneKeyStatus(object jsonx.Value) {
	s := readKeyStatus(object, "")
	e.subject.ID = &s.installation
	kid := text(object, "keyId")
	if actual := kidOf(s.key); actual != kid {
		e.reject(report.CheckVaultKey, finding{
			code: report.CodeKidMismatch, path: "/keyId", message: kid + " is not the identifier of the key beside it.", expected: actual, actual: kid,
		})
	}
	e.knowKeys(report.CheckVaultKey, "", e.statusThatCounts(s, ""), nil).of(s.installation, "", nil)
}

// statusThatCounts examines the seal of a status in the object, and returns the status if it counts.
func (e *exam) statusThatCounts(s *keyStatus, stream string) []*keyStatus {
	seal := s.value.Get("seal")
	holds := false
	e.seal(report.CheckVaultKey, keyStatusSeal, s.value, seal, sealUse{
		path: s.path + "/seal", role: report.RoleKeyStatus, what: "the key status", stream: stream, ownTime: s.statusAt,
	}, func(ok bool) { holds = ok })
	e.settle()
	if holds && e.mayVouch(text(seal, "kid"), stream, s.statusAt) {
		return []*keyStatus{s}
	}
	return nil
}
