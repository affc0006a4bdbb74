package keystatus

import (
	"bytes"
	"slices"
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A Key is what is known of the key of one installation.
type Key struct {
	installation string
	Key          []byte
	isPinned     bool
	// isRevoked says whether the verifier revokes the key, which then nothing reaches.
	isRevoked bool
	// Latest is the status that applies; nil for none.
	Latest *trust.KeyStatus
	// toldAt is the earliest statusAt of a status that has an end; empty for none.
	toldAt string
}

// NoteEnd notes what is known of the end of a key, for an object that is about one event.
func NoteEnd(e *examination.Exam, v *Key) {
	switch {
	case v.Key == nil:
	case v.Latest == nil:
		e.Found(report.CheckVaultKey, "no status of the key is here, so that nothing says whether it had ended")
	case v.Latest.RevokedAt == "":
		e.Found(report.CheckVaultKey, "by its status of "+v.Latest.StatusAt+" the key is active")
	default:
		e.Found(report.CheckVaultKey, "by its status of "+v.Latest.StatusAt+" the key ended at "+v.Latest.RevokedAt)
	}
}

// Standing says in a report's words how trust reaches the key.
func (v *Key) Standing() string {
	switch {
	case v.Key == nil, v.isRevoked:
		return "none"
	case v.isPinned:
		return "pinned"
	default:
		return "service-vouched"
	}
}

// Reached says how trust reaches the key.
func (v *Key) Reached() report.Reached {
	switch {
	case v.Key == nil, v.isRevoked:
		return report.None
	case v.isPinned:
		return report.Pinned
	default:
		return report.Endorsed
	}
}

// Keys are the keys of the installations of one object, as this verifier knows them (protocol section 26).
type Keys struct {
	e *examination.Exam
	// check notes what is found.
	check report.CheckID
	// statuses that count, by installation, the latest last.
	statuses  map[string][]*trust.KeyStatus
	handovers []Handover
	known     map[string]*Key
	// reached are the keys that handovers lead to from a pinned one; nil until somebody asks.
	reached map[string]bool
}

// A Handover is one whose seal holds.
type Handover struct{ Old, Successor string }

// Know gathers what is known of keys. `carried`: the statuses of the object that count.
func Know(e *examination.Exam, check report.CheckID, stream string, carried []*trust.KeyStatus, handovers []Handover) *Keys {
	k := &Keys{e: e, check: check, statuses: map[string][]*trust.KeyStatus{}, handovers: handovers, known: map[string]*Key{}}
	for _, s := range append(carried, sealedStatuses(e, stream)...) {
		k.statuses[s.Installation] = append(k.statuses[s.Installation], s)
	}
	for _, list := range k.statuses {
		slices.SortStableFunc(list, func(a, b *trust.KeyStatus) int { return strings.Compare(a.StatusAt, b.StatusAt) })
	}
	return k
}

// sealedStatuses returns the statuses of the trust policy that count for a stream. Nothing dates them, so that one by a
// key with an end may have been made yesterday.
func sealedStatuses(e *examination.Exam, stream string) (list []*trust.KeyStatus) {
	for i, value := range e.Policy.Vaults.Statuses {
		s := trust.ReadKeyStatus(value, values.At("trust:/key_status", i))
		seal := value.Get("seal")
		kid := values.Text(seal, "kid")
		standing, key := e.Keys.Standing(kid, trust.Scope{Stream: stream, Origin: e.Origin}), e.Keys.PublicKey(kid)
		if key == nil || standing.ValidTo != "" || !e.MayVouch(kid, stream, s.StatusAt) {
			continue
		}
		if e.Kernel.Verify(key, sealForm.Message(value, kid), values.Unhex(values.Text(seal, "signature"))) {
			list = append(list, s)
		}
	}
	return list
}

// Key returns the key of an installation that is at a path. The first call checks all that is known of it. The key
// that a result tells counts where nothing else does.
func (k *Keys) Key(installation, path string, told []byte) *Key {
	if v := k.known[installation]; v != nil {
		return v
	}
	e := k.e
	e.Looked(k.check, 1)
	v := &Key{installation: installation, Key: told, Latest: k.latest(installation)}
	k.known[installation] = v
	pin, isPinned := e.Policy.Vaults.Pins[installation]
	if isPinned {
		v.Key = pin.Key
	} else if v.Latest != nil {
		v.Key = v.Latest.Key
	}
	v.isRevoked = v.Key != nil && e.Policy.Revoked[values.KID(v.Key)]
	v.isPinned = !v.isRevoked && (isPinned || v.Key != nil && k.isReached(v.Key))
	var other *trust.KeyStatus
	for i, s := range k.statuses[installation] {
		if i > 0 && conflicts(k.statuses[installation][i-1], s) {
			e.Fault(k.check, report.CodeVaultLifecycleConflict, s.Path, "Two statuses of one key exclude each other.")
		}
		if s.RevokedAt != "" && v.toldAt == "" {
			v.toldAt = s.StatusAt
		}
		if other == nil && isPinned && !bytes.Equal(s.Key, pin.Key) {
			other = s
		}
	}
	if other != nil {
		e.Fault(k.check, report.CodeVaultKeyMismatch, other.Path+"/publicKeyHex", "You pin another key.")
	}
	k.trust(v, path)
	return v
}

// latest returns the latest status of an installation; nil for none.
func (k *Keys) latest(installation string) *trust.KeyStatus {
	list := k.statuses[installation]
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// Weakest returns the weakest standing of all keys that were asked for.
func (k *Keys) Weakest() string {
	if len(k.known) == 0 {
		return Standings[0]
	}
	weakest := Standings[len(Standings)-1]
	for _, v := range k.known {
		weakest = values.Least(Standings, weakest, v.Standing())
	}
	return weakest
}

// Standings are the words of a report for how trust reaches a key, the weakest first.
var Standings = []string{"none", "service-vouched", "pinned"}

// isReached says whether handovers that count lead to a key from a pinned one.
func (k *Keys) isReached(key []byte) bool {
	if k.reached == nil {
		k.reached = map[string]bool{}
		edge := map[string]bool{}
		for _, pin := range k.e.Policy.Vaults.Pins {
			edge[string(pin.Key)] = true
		}
		for length := 0; length < tables.MaxHandoverChain && len(edge) > 0; length++ {
			next := map[string]bool{}
			for _, one := range k.handovers {
				if edge[one.Old] && !k.reached[one.Successor] && k.counts(one) {
					next[one.Successor] = true
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
func (k *Keys) counts(one Handover) bool {
	if k.e.Policy.Revoked[values.KID([]byte(one.Old))] {
		return false
	}
	for installation := range k.statuses {
		s := k.latest(installation)
		if string(s.Key) != one.Old || s.State == "active" {
			continue
		}
		if s.Reason == "key_compromise" || s.Successor == "" {
			return false
		}
		var key []byte
		if pin, ok := k.e.Policy.Vaults.Pins[s.Successor]; ok {
			key = pin.Key
		} else if latest := k.latest(s.Successor); latest != nil {
			key = latest.Key
		}
		if string(key) != one.Successor {
			return false
		}
	}
	return true
}

// conflicts says whether a later status contradicts the one before it.
func conflicts(before, s *trust.KeyStatus) bool {
	if !bytes.Equal(before.Key, s.Key) || before.EnrolledAt != s.EnrolledAt {
		return true
	}
	if before.StatusAt == s.StatusAt {
		return before.State != s.State || before.RevokedAt != s.RevokedAt || before.Reason != s.Reason ||
			before.Successor != s.Successor || before.IsReconstructed != s.IsReconstructed ||
			values.Text(before.Value, "keyId") != values.Text(s.Value, "keyId")
	}
	rank := map[string]int{"active": 0, "replaced": 1, "revoked": 2}
	return rank[s.State] < rank[before.State] || (before.RevokedAt != "" && s.RevokedAt > before.RevokedAt)
}

// trust notes what keeps trust from the key of an installation.
func (k *Keys) trust(v *Key, path string) {
	e := k.e
	unreached := func(code report.Code, message, action string) {
		e.Distrust(k.check, finding.Finding{Code: code, Path: path, Message: message, Action: action}, v.installation)
	}
	switch {
	case v.Key == nil:
		unreached(report.CodeKeyNotPinned, "Nobody you trust has given the key of "+v.installation+".", "")
	case v.isRevoked:
		unreached(report.CodeKeyRevoked, "You revoke the key of "+v.installation+".", "")
	case e.Policy.Vaults.HasVaults && !v.isPinned:
		unreached(report.CodeKeyNotPinned, "You pin keys of vaults, and none of "+v.installation+".", report.AskOwner)
	}
	if notBefore := e.Policy.Vaults.NotBefore; notBefore != "" && (v.Latest == nil || v.Latest.StatusAt < notBefore) {
		unreached(report.CodeVaultStatusStale, "No status is as new as you want it.", "")
	}
}

// An Event is what a vault's key sealed, or a result says of it.
type Event struct {
	// ReceivedAt is empty where nothing dates it.
	ReceivedAt string
	// IsProvenBefore says whether time evidence places it before an instant.
	IsProvenBefore func(instant string) bool
}

// HoldEvent holds an event of a key against the key's enrolment and end (protocol section 26).
func (k *Keys) HoldEvent(v *Key, event Event, path string) {
	s := v.Latest
	if s == nil {
		return
	}
	e, when := k.e, event.ReceivedAt
	distrust := func(code report.Code, message string) {
		e.Distrust(k.check, finding.Finding{Code: code, Path: path, Message: message}, v.installation)
	}
	const backwards, undated = "The end of the key was stated backwards.", "Nothing shows the event before the end of its key."
	isLost := s.Reason == "key_compromise" || s.Reason == "unspecified"
	switch {
	case when != "" && when < s.EnrolledAt:
		e.Fault(k.check, report.CodeVaultKeyNotYetEnrolled, path, "The key was not yet enrolled.")
	case s.RevokedAt == "":
	case when == "":
		distrust(report.CodeKeyTimeUnproven, undated)
	case when >= s.RevokedAt && s.IsReconstructed && when < v.toldAt:
		distrust(report.CodeVaultRevocationTimeUncertain, backwards)
	case when >= s.RevokedAt:
		e.Fault(k.check, report.CodeVaultKeyRevoked, path, "The key had ended.")
	case event.IsProvenBefore(s.RevokedAt):
		if s.IsReconstructed {
			e.Found(k.check, "events before the end of a key are shown to be so")
		}
	case s.IsReconstructed && isLost:
		distrust(report.CodeVaultRevocationTimeUncertain, backwards)
	case e.Policy.Vaults.IsProven:
		distrust(report.CodeKeyTimeUnproven, undated)
	}
}
