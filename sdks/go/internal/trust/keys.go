package trust

import (
	"iter"
	"maps"
	"slices"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// An Endorsement is one that verifies.
type Endorsement struct {
	Endorser, Endorsed string
	Key                []byte
	ValidFrom          string
}

// A Scope is for what a key is asked: a stream and its origin, where they are stated, or the log of a service.
type Scope struct{ Stream, Origin, Service string }

// A Standing says how trust reaches a key: a code where it does not.
type Standing struct {
	Code      report.Code
	IsPinned  bool
	ValidFrom string
	ValidTo   string
}

// A KeyRing is the keys that the trust policy and the object tell (protocol section 4).
type KeyRing struct {
	Policy *Policy
	// Carried are the kids of hints and endorsements, in their order.
	Carried      []string
	Hints        map[string][]byte
	Told         map[string][]byte
	Endorsements []Endorsement
	standings    map[standingKey]Standing
	near         map[string][]byte
}

type standingKey struct {
	kid string
	in  Scope
}

// NewKeyRing returns the ring of the keys that a policy pins.
func NewKeyRing(policy *Policy) *KeyRing {
	return &KeyRing{
		Policy: policy, Hints: map[string][]byte{}, Told: map[string][]byte{}, standings: map[standingKey]Standing{},
		near: map[string][]byte{},
	}
}

// PublicKey returns the raw key of a kid; nil where nobody told it.
func (r *KeyRing) PublicKey(kid string) []byte {
	if pins := r.Policy.Pins[kid]; len(pins) > 0 {
		return pins[0].key
	}
	if key, ok := r.Told[kid]; ok {
		return key
	}
	return r.Hints[kid]
}

// maxSlips is how many digits a slip changes: one, or two that are swapped.
const maxSlips = 2

// NearPin returns the pinned key that differs from this one in one or two hexadecimal digits, or nil. Nobody can make a
// key so close to another, so one of the two was copied wrongly.
func (r *KeyRing) NearPin(kid string) []byte {
	if near, ok := r.near[kid]; ok {
		return near
	}
	var near []byte
	if key := r.PublicKey(kid); key != nil {
		for _, pinned := range slices.Sorted(maps.Keys(r.Policy.Pins)) {
			if pin := r.Policy.Pins[pinned][0].key; isNear(pin, key) {
				near = pin
				break
			}
		}
	}
	r.near[kid] = near
	return near
}

func isNear(left, right []byte) bool {
	differing := 0
	for i := range left {
		if left[i]>>4 != right[i]>>4 {
			differing++
		}
		if left[i]&15 != right[i]&15 {
			differing++
		}
	}
	return differing > 0 && differing <= maxSlips
}

// Standing decides whether trust reaches a key (the four steps of section 4).
func (r *KeyRing) Standing(kid string, in Scope) Standing {
	key := standingKey{kid, in}
	known, ok := r.standings[key]
	if !ok {
		known = r.decide(kid, in)
		r.standings[key] = known
	}
	return known
}

// Forget forgets what was decided: other endorsements may decide otherwise.
func (r *KeyRing) Forget() { clear(r.standings) }

func (r *KeyRing) decide(kid string, in Scope) Standing {
	if r.Policy.Revoked[kid] {
		return Standing{Code: report.CodeKeyRevoked}
	}
	if pins := r.Policy.Pins[kid]; len(pins) > 0 {
		found := Standing{Code: report.CodeSignerNotForStream}
		for _, pin := range pins {
			if !pin.covers(in) {
				continue
			}
			found.Code, found.IsPinned = "", true
			if pin.validTo != "" && (found.ValidTo == "" || pin.validTo < found.ValidTo) {
				found.ValidTo = pin.validTo
			}
		}
		return found
	}
	if validFrom, ok := r.chain(kid, func(root string) bool {
		return r.isRoot(root, func(pin *Pin) bool { return pin.covers(in) && pin.validTo == "" })
	}); ok {
		return Standing{ValidFrom: validFrom}
	}
	if _, ok := r.chain(kid, func(root string) bool {
		return r.isRoot(root, func(pin *Pin) bool { return pin.covers(in) })
	}); ok {
		return Standing{Code: report.CodeKeyTimeUnproven}
	}
	if _, ok := r.chain(kid, func(root string) bool { return r.isRoot(root, func(*Pin) bool { return true }) }); ok {
		return Standing{Code: report.CodeSignerNotForStream}
	}
	if _, ok := r.chain(kid, func(root string) bool { return r.Policy.Revoked[root] }); ok {
		return Standing{Code: report.CodeKeyRevoked}
	}
	return Standing{Code: report.CodeKeyNotPinned}
}

// isRoot says whether a key is pinned and not revoked, and each of its pins may endorse and is as asked.
func (r *KeyRing) isRoot(kid string, isGood func(*Pin) bool) bool {
	pins := r.Policy.Pins[kid]
	if len(pins) == 0 || r.Policy.Revoked[kid] {
		return false
	}
	for i := range pins {
		if !pins[i].MayEndorse || !isGood(&pins[i]) {
			return false
		}
	}
	return true
}

// chain looks for a chain of at most 32 endorsements from a root to a key, which leads through no other pinned key and
// through no revoked one. It returns the earliest valid_from of the last links of the shortest chains.
func (r *KeyRing) chain(kid string, isRoot func(string) bool) (validFrom string, ok bool) {
	reached := map[string]bool{}
	frontier := map[string]bool{}
	for _, one := range r.Endorsements {
		if isRoot(one.Endorser) {
			frontier[one.Endorser] = true
		}
	}
	for range tables.MaxEndorsementChain {
		next := map[string]bool{}
		for _, one := range r.Endorsements {
			if !frontier[one.Endorser] {
				continue
			}
			if one.Endorsed == kid {
				if !ok || one.ValidFrom < validFrom {
					validFrom, ok = one.ValidFrom, true
				}
				continue
			}
			isClosed := r.Policy.Revoked[one.Endorsed] || len(r.Policy.Pins[one.Endorsed]) > 0
			if !isClosed && !reached[one.Endorsed] {
				reached[one.Endorsed] = true
				next[one.Endorsed] = true
			}
		}
		if ok || len(next) == 0 {
			break
		}
		frontier = next
	}
	return validFrom, ok
}

// All yields every key that somebody told, by its kid: those of the object in their order, then those that are pinned.
func (r *KeyRing) All() iter.Seq2[string, []byte] {
	return func(yield func(kid string, key []byte) bool) {
		seen := map[string]bool{}
		for _, kid := range slices.Concat(r.Carried, slices.Sorted(maps.Keys(r.Policy.Pins))) {
			if seen[kid] {
				continue
			}
			seen[kid] = true
			if !yield(kid, r.PublicKey(kid)) {
				return
			}
		}
	}
}

// Leads says whether endorsements lead from one key to another.
func (r *KeyRing) Leads(from, to string) bool {
	reached := map[string]bool{from: true}
	for range tables.MaxEndorsementChain {
		changed := false
		for _, one := range r.Endorsements {
			if reached[one.Endorser] && !reached[one.Endorsed] {
				reached[one.Endorsed], changed = true, true
			}
		}
		if reached[to] || !changed {
			break
		}
	}
	return reached[to]
}

// IsRooted says whether a key is pinned, or endorsements lead to it from one that is.
func (r *KeyRing) IsRooted(kid string) bool {
	for pinned := range r.Policy.Pins {
		if r.Leads(pinned, kid) {
			return true
		}
	}
	return false
}
