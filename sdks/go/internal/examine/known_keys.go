package examine

import (
	"bytes"
	"slices"
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A vaultKey is what is known of the key of one installation.
type vaultKey struct {
	installation string
	key          []byte
	isPinned     bool
	// isRevoked says whether the verifier revokes the key, which then nothing reaches.
	isRevoked bool
	// latest is the status that applies; nil for none.
	latest *keyStatus
	// toldAt is the earliest statusAt of a status that has an end; empty for none.
	toldAt string
}

// noteEnd notes what is known of the end of a key, for an object that is about one event.
func (e *exam) noteEnd(v *vaultKey) {
	switch {
	case v.key == nil:
	case v.latest == nil:
		e.found(report.CheckVaultKey, "no status of the key is here, so that nothing says whether it had ended")
	case v.latest.revokedAt == "":
		e.found(report.CheckVaultKey, "by its status of "+v.latest.statusAt+" the key is active")
	default:
		e.found(report.CheckVaultKey, "by its status of "+v.latest.statusAt+" the key ended at "+v.latest.revokedAt)
	}
}

// standing says in a report's words how trust reaches the key.
func (v *vaultKey) standing() string {
	switch {
	case v.key == nil, v.isRevoked:
		return "none"
	case v.isPinned:
		return "pinned"
	default:
		return "service-vouched"
	}
}

func (v *vaultKey) reached() report.Reached {
	switch {
	case v.key == nil, v.isRevoked:
		return report.None
	case v.isPinned:
		return report.Pinned
	default:
		return report.Endorsed
	}
}

// knownKeys are the keys of the installations of one object, as this verifier knows them (protocol section 26).
type knownKeys struct {
	e *exam
	// check notes what is found.
	check report.CheckID
	// statuses that count, by installation, the latest last.
	statuses  map[string][]*keyStatus
	handovers []handover
	known     map[string]*vaultKey
	// reached are the keys that handovers lead to from a pinned one; nil until somebody asks.
	reached map[string]bool
}

// A handover is one whose seal holds.
type handover struct{ old, successor string }

// knowKeys gathers what is known of keys. `carried`: the statuses of the object that count.
func (e *exam) knowKeys(check report.CheckID, stream string, carried []*keyStatus, handovers []handover) *knownKeys {
	k := &knownKeys{e: e, check: check, statuses: map[string][]*keyStatus{}, handovers: handovers, known: map[string]*vaultKey{}}
	for _, s := range append(carried, e.sealedStatuses(stream)...) {
		k.statuses[s.installation] = append(k.statuses[s.installation], s)
	}
	for _, list := range k.statuses {
		slices.SortStableFunc(list, func(a, b *keyStatus) int { return strings.Compare(a.statusAt, b.statusAt) })
	}
	return k
}

// sealedStatuses returns the statuses of the trust policy that count for a stream. Nothing dates them, so that one by a
// key with an end may have been made yesterday.
func (e *exam) sealedStatuses(stream string) (list []*keyStatus) {
	for i, value := range e.policy.vaults.statuses {
		s := readKeyStatus(value, at("trust:/key_status", i))
		seal := value.Get("seal")
		kid := text(seal, "kid")
		standing, key := e.keys.standing(kid, scope{stream: stream, origin: e.origin}), e.keys.publicKey(kid)
		if key == nil || standing.validTo != "" || !e.mayVouch(kid, stream, s.statusAt) {
			continue
		}
		if e.k.Verify(key, keyStatusSeal.message(value, kid), unhex(text(seal, "signature"))) {
			list = append(list, s)
		}
	}
	return list
}

// of returns the key of an installation. The first call checks what is known of it. `path`: of the installation in the
// object. `told`: the key that a result tells, which counts where nothing else does.
func (k *knownKeys) of(installation, path string, told []byte) *vaultKey {
	if v := k.known[installation]; v != nil {
		return v
	}
	e := k.e
	e.looked(k.check, 1)
	v := &vaultKey{installation: installation, key: told, latest: k.latest(installation)}
	k.known[installation] = v
	pin, isPinned := e.policy.vaults.vaults[installation]
	if isPinned {
		v.key = pin.key
	} else if v.latest != nil {
		v.key = v.latest.key
	}
	v.isRevoked = v.key != nil && e.policy.revoked[kidOf(v.key)]
	v.isPinned = !v.isRevoked && (isPinned || v.key != nil && k.isReached(v.key))
	var other *keyStatus
	for i, s := range k.statuses[installation] {
		if i > 0 && conflicts(k.statuses[installation][i-1], s) {
			e.fault(k.check, report.CodeVaultLifecycleConflict, s.path, "Two statuses of one key exclude each other.")
		}
		if s.revokedAt != "" && v.toldAt == "" {
			v.toldAt = s.statusAt
		}
		if other == nil && isPinned && !bytes.Equal(s.key, pin.key) {
			other = s
		}
	}
	if other != nil {
		e.fault(k.check, report.CodeVaultKeyMismatch, other.path+"/publicKeyHex", "You pin another key.")
	}
	k.trust(v, path)
	return v
}

// latest returns the latest status of an installation; nil for none.
func (k *knownKeys) latest(installation string) *keyStatus {
	list := k.statuses[installation]
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// weakest returns the weakest standing of all keys that were asked for.
func (k *knownKeys) weakest() string {
	if len(k.known) == 0 {
		return standings[0]
	}
	weakest := standings[len(standings)-1]
	for _, v := range k.known {
		weakest = least(standings, weakest, v.standing())
	}
	return weakest
}

// standings are the words of a report for how trust reaches a key, the weakest first.
var standings = []string{"none", "service-vouched", "pinned"}

// isReached says whether handovers that count lead to a key from a pinned one.
func (k *knownKeys) isReached(key []byte) bool {
	if k.reached == nil {
		k.reached = map[string]bool{}
		edge := map[string]bool{}
		for _, pin := range k.e.policy.vaults.vaults {
			edge[string(pin.key)] = true
		}
		for length := 0; length < tables.MaxHandoverChain && len(edge) > 0; length++ {
			next := map[string]bool{}
			for _, one := range k.handovers {
				if edge[one.old] && !k.reached[one.successor] && k.counts(one) {
					next[one.successor] = true
				}
			}
			for successor := range next {
				k.reached[successor] = true
			}
			edge = next
		}
	}
	return k.reached[string(key)]
}

// counts says whether a handover counts: the old key is not revoked, and where a status of it is known, it is active,
// or its successor has the new key and no thief can have made the handover.
func (k *knownKeys) counts(one handover) bool {
	if k.e.policy.revoked[kidOf([]byte(one.old))] {
		return false
	}
	for installation := range k.statuses {
		s := k.latest(installation)
		if string(s.key) != one.old || s.state == "active" {
			continue
		}
		if s.reason == "key_compromise" || s.successor == "" {
			return false
		}
		var key []byte
		if pin, ok := k.e.policy.vaults.vaults[s.successor]; ok {
			key = pin.key
		} else if latest := k.latest(s.successor); latest != nil {
			key = latest.key
		}
		if string(key) != one.successor {
			return false
		}
	}
	return true
}

// conflicts says whether a later status contradicts the one before it.
func conflicts(before, s *keyStatus) bool {
	if !bytes.Equal(before.key, s.key) || before.enrolledAt != s.enrolledAt {
		return true
	}
	if before.statusAt == s.statusAt {
		return before.state != s.state || before.revokedAt != s.revokedAt || before.reason != s.reason ||
			before.successor != s.successor || before.isReconstructed != s.isReconstructed ||
			text(before.value, "keyId") != text(s.value, "keyId")
	}
	rank := map[string]int{"active": 0, "replaced": 1, "revoked": 2}
	return rank[s.state] < rank[before.state] || (before.revokedAt != "" && s.revokedAt > before.revokedAt)
}

// trust notes what keeps trust from the key of an installation.
func (k *knownKeys) trust(v *vaultKey, path string) {
	e := k.e
	unreached := func(code report.Code, message, action string) {
		e.distrust(k.check, finding{code: code, path: path, message: message, action: action}, v.installation)
	}
	switch {
	case v.key == nil:
		unreached(report.CodeKeyNotPinned, "Nobody whom you trust has told the key of "+v.installation+".", "")
	case v.isRevoked:
		unreached(report.CodeKeyRevoked, "You revoke the key of "+v.installation+".", "")
	case e.policy.vaults.hasVaults && !v.isPinned:
		unreached(report.CodeKeyNotPinned, "You pin keys of vaults, and none of "+v.installation+".", report.AskOwner)
	}
	if notBefore := e.policy.vaults.notBefore; notBefore != "" && (v.latest == nil || v.latest.statusAt < notBefore) {
		unreached(report.CodeVaultStatusStale, "No status is as new as you want it.", "")
	}
}

// A datedEvent is what a vault's key sealed, or a result says of it.
type datedEvent struct {
	// receivedAt is empty where nothing dates it.
	receivedAt string
	// isProvenBefore says whether time evidence places it before an instant.
	isProvenBefore func(instant string) bool
}

// event holds an event of a key against the key's enrolment and end (protocol section 26).
func (k *knownKeys) event(v *vaultKey, event datedEvent, path string) {
	s := v.latest
	if s == nil {
		return
	}
	e, when := k.e, event.receivedAt
	distrust := func(code report.Code, message string) {
		e.distrust(k.check, finding{code: code, path: path, message: message}, v.installation)
	}
	const backwards, undated = "The end of the key was stated backwards.", "Nothing shows the event before the end of its key."
	isLost := s.reason == "key_compromise" || s.reason == "unspecified"
	switch {
	case when != "" && when < s.enrolledAt:
		e.fault(k.check, report.CodeVaultKeyNotYetEnrolled, path, "The key was not yet enrolled.")
	case s.revokedAt == "":
	case when == "":
		distrust(report.CodeKeyTimeUnproven, undated)
	case when >= s.revokedAt && s.isReconstructed && when < v.toldAt:
		distrust(report.CodeVaultRevocationTimeUncertain, backwards)
	case when >= s.revokedAt:
		e.fault(k.check, report.CodeVaultKeyRevoked, path, "The key had ended.")
	case event.isProvenBefore(s.revokedAt):
		if s.isReconstructed {
			e.found(k.check, "events before the end of a key are shown to be so")
		}
	case s.isReconstructed && isLost:
		distrust(report.CodeVaultRevocationTimeUncertain, backwards)
	case e.policy.vaults.isProven:
		distrust(report.CodeKeyTimeUnproven, undated)
	}
}
