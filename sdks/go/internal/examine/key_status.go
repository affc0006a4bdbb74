package examine

import (
	"bytes"
	"slices"
	"strings"

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

// ownKeyID holds the name that a status gives its key against that key.
func (e *exam) ownKeyID(s *keyStatus) {
	e.expect(report.CheckVaultKey, kidOf(s.key) == text(s.value, "keyId"), report.CodeKidMismatch, s.path+"/keyId",
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
	isSuperseded := s.reason == "superseded"
	switch s.state {
	case "active":
		fits(s.revokedAt == "", "revokedAt")
		fits(s.reason == "", "revocationReason")
		fits(s.successor == "", "replacedByInstallationId")
		fits(!s.isReconstructed, "revocationInstantReconstructed")
	case "replaced":
		fits(s.revokedAt != "", "revokedAt")
		fits(isSuperseded, "revocationReason")
		fits(s.successor != "" && s.successor != s.installation, "replacedByInstallationId")
		fits(!s.isReconstructed, "revocationInstantReconstructed")
	case "revoked":
		fits(s.revokedAt != "", "revokedAt")
		fits(s.reason != "" && !isSuperseded, "revocationReason")
		fits(s.successor == "", "replacedByInstallationId")
	}
	fits(s.revokedAt == "" || s.revokedAt >= s.enrolledAt, "revokedAt")
	before := s.revokedAt
	if before == "" {
		before = s.enrolledAt
	}
	fits(s.statusAt >= before, "statusAt")
	return found
}

// A vaultKey is what is known of the key of one installation.
type vaultKey struct {
	installation string
	key          []byte
	isPinned     bool
	// latest is the status that applies; nil for none.
	latest *keyStatus
	// toldAt is the earliest statusAt of a status that has an end; empty for none.
	toldAt string
}

// standing says in a report's words how trust reaches the key.
func (v *vaultKey) standing() string {
	switch {
	case v.key == nil:
		return "none"
	case v.isPinned:
		return "pinned"
	default:
		return "service-vouched"
	}
}

func (v *vaultKey) reached() report.Reached {
	switch {
	case v.key == nil:
		return report.None
	case v.isPinned:
		return report.Pinned
	default:
		return report.Endorsed
	}
}

// countingStatuses returns the statuses of the trust policy about an installation that count for an object.
func (e *exam) countingStatuses(installation, stream string) (list []*keyStatus) {
	for i, value := range e.policy.vaults.statuses {
		s := readKeyStatus(value, at("trust:/key_status", i))
		if s.installation != installation {
			continue
		}
		seal := value.Get("seal")
		kid := text(seal, "kid")
		standing := e.keys.standing(kid, scope{stream: stream, origin: e.origin})
		key := e.keys.publicKey(kid)
		if standing.code != "" || standing.validTo != "" || s.statusAt < standing.validFrom || key == nil {
			continue
		}
		if e.k.Verify(key, keyStatusSeal.message(value, kid), unhex(text(seal, "signature"))) {
			list = append(list, s)
		}
	}
	return list
}

// vaultKey decides which key an installation has, by its pin and the statuses that count, and what is wrong about them.
func (e *exam) vaultKey(installation string, statuses []*keyStatus, path string) *vaultKey {
	return e.toldVaultKey(installation, statuses, nil, path)
}

// toldVaultKey is vaultKey for an installation of which the service has told a key by other means than a status.
func (e *exam) toldVaultKey(installation string, statuses []*keyStatus, told []byte, path string) *vaultKey {
	const check = report.CheckVaultKey
	e.looked(check, 1)
	v := &vaultKey{installation: installation, key: told}
	slices.SortStableFunc(statuses, func(a, b *keyStatus) int { return strings.Compare(a.statusAt, b.statusAt) })
	for i, s := range statuses {
		if i > 0 && conflicts(statuses[i-1], s) {
			e.fault(check, report.CodeVaultLifecycleConflict, s.path, "The service told two stories of one key.")
		}
		if s.revokedAt != "" && v.toldAt == "" {
			v.toldAt = s.statusAt
		}
		v.latest = s
	}
	if pin, ok := e.policy.vaults.vaults[installation]; ok {
		v.key, v.isPinned = pin.key, true
		for _, s := range statuses {
			e.expect(check, bytes.Equal(s.key, pin.key), report.CodeVaultKeyMismatch, s.path+"/publicKeyHex", "You pin another key.")
		}
	} else if v.latest != nil {
		v.key = v.latest.key
	}
	if v.key != nil && e.isHandedOver != nil && e.isHandedOver(v.key) {
		v.isPinned = true
	}
	e.trustVaultKey(v, path)
	return v
}

// conflicts says whether a later status contradicts the one before it.
func conflicts(before, s *keyStatus) bool {
	if !bytes.Equal(before.key, s.key) || before.enrolledAt != s.enrolledAt {
		return true
	}
	if before.statusAt == s.statusAt {
		return before.state != s.state || before.revokedAt != s.revokedAt || before.reason != s.reason ||
			before.successor != s.successor || before.isReconstructed != s.isReconstructed
	}
	rank := map[string]int{"active": 0, "replaced": 1, "revoked": 2}
	return rank[s.state] < rank[before.state] || (before.revokedAt != "" && s.revokedAt > before.revokedAt)
}

// trustVaultKey notes what keeps trust from the key of an installation.
func (e *exam) trustVaultKey(v *vaultKey, path string) {
	const check = report.CheckVaultKey
	unreached := func(code report.Code, message, action string) {
		e.distrust(check, finding{code: code, path: path, message: message, action: action}, v.installation)
		e.tally(report.CheckTrust).unevaluated++
	}
	switch {
	case v.key == nil:
		unreached(report.CodeKeyNotPinned, "Nobody whom you trust has told the key of "+v.installation+".", "")
	case e.policy.vaults.hasVaults && !v.isPinned:
		unreached(report.CodeKeyNotPinned, "You pin keys of vaults, and none of "+v.installation+".", report.AskOwner)
	}
	if v.key != nil && e.policy.revoked[kidOf(v.key)] {
		unreached(report.CodeKeyRevoked, "You revoke the key of "+v.installation+".", "")
	}
	if notBefore := e.policy.vaults.notBefore; notBefore != "" && (v.latest == nil || v.latest.statusAt < notBefore) {
		e.distrust(check, finding{code: report.CodeVaultStatusStale, path: path, message: "No status is as new as you want it."}, v.installation)
	}
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
	statuses := e.countingStatuses(s.installation, "")
	if e.statusCounts(s, "") {
		statuses = append([]*keyStatus{s}, statuses...)
	}
	e.vaultKey(s.installation, statuses, "")
}

// statusCounts examines the seal of a status in the object, and says whether the status counts.
func (e *exam) statusCounts(s *keyStatus, stream string) bool {
	seal := s.value.Get("seal")
	holds := false
	reached := e.seal(report.CheckVaultKey, keyStatusSeal, s.value, seal, sealUse{
		path: s.path + "/seal", role: report.RoleKeyStatus, what: "the key status", stream: stream, ownTime: s.statusAt,
	}, func(ok bool) { holds = ok })
	e.settle()
	return reached != report.None && holds
}
