package examine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// kidOf returns the key identifier of a raw public key.
func kidOf(key []byte) string {
	sum := sha256.Sum256(key)
	return "ed25519-" + hex.EncodeToString(sum[:8])
}

// An endorsement is one that verifies.
type endorsement struct {
	endorser, endorsed string
	key                []byte
	validFrom          string
}

// A scope is for what a key is asked: a stream and its origin, where they are stated, or the log of a service.
type scope struct{ stream, origin, service string }

// A standing says how trust reaches a key: a code where it does not.
type standing struct {
	code      report.Code
	isPinned  bool
	validFrom string
	validTo   string
}

// A keyRing is the keys that the trust policy and the object tell (protocol section 4).
type keyRing struct {
	policy *Policy
	// carried are the kids of hints and endorsements, in their order.
	carried      []string
	hints        map[string][]byte
	told         map[string][]byte
	endorsements []endorsement
	standings    map[standingKey]standing
	near         map[string][]byte
}

type standingKey struct {
	kid string
	in  scope
}

func newKeyRing(policy *Policy) *keyRing {
	return &keyRing{
		policy: policy, hints: map[string][]byte{}, told: map[string][]byte{}, standings: map[standingKey]standing{},
		near: map[string][]byte{},
	}
}

// publicKey returns the raw key of a kid; nil where nobody told it.
func (r *keyRing) publicKey(kid string) []byte {
	if pins := r.policy.pins[kid]; len(pins) > 0 {
		return pins[0].key
	}
	if key, ok := r.told[kid]; ok {
		return key
	}
	return r.hints[kid]
}

// maxSlips is how many digits a slip changes: one, or two that are swapped.
const maxSlips = 2

// nearPin returns the pinned key that differs from this one in one or two hexadecimal digits, or nil.
// Nobody can make a key so close to another, so one of the two was copied wrongly.
func (r *keyRing) nearPin(kid string) []byte {
	if near, ok := r.near[kid]; ok {
		return near
	}
	var near []byte
	if key := r.publicKey(kid); key != nil {
		for _, pinned := range slices.Sorted(maps.Keys(r.policy.pins)) {
			if pin := r.policy.pins[pinned][0].key; isNear(pin, key) {
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

// standing decides whether trust reaches a key (the four steps of section 4).
func (r *keyRing) standing(kid string, in scope) standing {
	key := standingKey{kid, in}
	known, ok := r.standings[key]
	if !ok {
		known = r.decide(kid, in)
		r.standings[key] = known
	}
	return known
}

func (r *keyRing) decide(kid string, in scope) standing {
	if r.policy.revoked[kid] {
		return standing{code: report.CodeKeyRevoked}
	}
	if pins := r.policy.pins[kid]; len(pins) > 0 {
		found := standing{code: report.CodeSignerNotForStream}
		for _, pin := range pins {
			if !pin.covers(in) {
				continue
			}
			found.code, found.isPinned = "", true
			if pin.validTo != "" && (found.validTo == "" || pin.validTo < found.validTo) {
				found.validTo = pin.validTo
			}
		}
		return found
	}
	if validFrom, ok := r.chain(kid, func(root string) bool {
		return r.isRoot(root, func(pin *pin) bool { return pin.covers(in) && pin.validTo == "" })
	}); ok {
		return standing{validFrom: validFrom}
	}
	if _, ok := r.chain(kid, func(root string) bool {
		return r.isRoot(root, func(pin *pin) bool { return pin.covers(in) })
	}); ok {
		return standing{code: report.CodeKeyTimeUnproven}
	}
	if _, ok := r.chain(kid, func(root string) bool { return r.isRoot(root, func(*pin) bool { return true }) }); ok {
		return standing{code: report.CodeSignerNotForStream}
	}
	if _, ok := r.chain(kid, func(root string) bool { return r.policy.revoked[root] }); ok {
		return standing{code: report.CodeKeyRevoked}
	}
	return standing{code: report.CodeKeyNotPinned}
}

// isRoot says whether a key is pinned and not revoked, and each of its pins may endorse and is as asked.
func (r *keyRing) isRoot(kid string, isGood func(*pin) bool) bool {
	pins := r.policy.pins[kid]
	if len(pins) == 0 || r.policy.revoked[kid] {
		return false
	}
	for i := range pins {
		if !pins[i].mayEndorse || !isGood(&pins[i]) {
			return false
		}
	}
	return true
}

// chain looks for a chain of at most 32 endorsements from a root to a key, which leads through no other pinned key and
// through no revoked one. It returns the earliest valid_from of the last links of the shortest chains.
func (r *keyRing) chain(kid string, isRoot func(string) bool) (validFrom string, ok bool) {
	reached := map[string]bool{}
	frontier := map[string]bool{}
	for _, one := range r.endorsements {
		if isRoot(one.endorser) {
			frontier[one.endorser] = true
		}
	}
	for range tables.MaxEndorsementChain {
		next := map[string]bool{}
		for _, one := range r.endorsements {
			if !frontier[one.endorser] {
				continue
			}
			if one.endorsed == kid {
				if !ok || one.validFrom < validFrom {
					validFrom, ok = one.validFrom, true
				}
				continue
			}
			isClosed := r.policy.revoked[one.endorsed] || len(r.policy.pins[one.endorsed]) > 0
			if !isClosed && !reached[one.endorsed] {
				reached[one.endorsed] = true
				next[one.endorsed] = true
			}
		}
		if ok || len(next) == 0 {
			break
		}
		frontier = next
	}
	return validFrom, ok
}

// readKeys reads the hints and endorsements that travel with the object (check key_endorsements).
func (e *exam) readKeys(object jsonx.Value, base string) {
	const check = report.CheckKeyEndorsements
	r := e.keys
	for i, hint := range items(object.Get("key_hints")) {
		kid, key := text(hint, "kid"), unhex(text(hint, "public_key_hex"))
		if actual := kidOf(key); actual != kid {
			e.reject(check, finding{
				code: report.CodeKidMismatch, path: at(base+"/key_hints", i) + "/kid",
				message: kid + " is not the identifier of the key beside it.", expected: actual, actual: kid,
			})
		}
		// The bytes of a hint are used whatever its name; of several the last ones.
		r.hints[kid] = key
		r.carried = append(r.carried, kid)
	}
	list := items(object.Get("key_endorsements"))
	if len(list) == 0 {
		e.notChecked(check, "no key endorsements")
		return
	}
	e.readEndorsements(list, base+"/key_endorsements")
}

func (e *exam) readEndorsements(list []jsonx.Value, base string) {
	const check = report.CheckKeyEndorsements
	r := e.keys
	for i, one := range list {
		kid, key := text(one, "endorsed_kid"), unhex(text(one, "public_key_hex"))
		if actual := kidOf(key); actual != kid {
			e.reject(check, finding{
				code: report.CodeKidMismatch, path: at(base, i) + "/endorsed_kid",
				message: kid + " is not the identifier of the key beside it.", expected: actual, actual: kid,
			})
		}
		r.told[kid] = key
		r.carried = append(r.carried, kid)
	}
	successors := map[string][]byte{}
	for i, one := range list {
		seal := one.Get("seal")
		endorser, key := text(seal, "kid"), unhex(text(one, "public_key_hex"))
		endorserKey := r.publicKey(endorser)
		if endorserKey == nil {
			e.notChecked(check, "a key that endorses is not told, so that its endorsement does not count")
			continue
		}
		if !e.signatureNow(check, endorserKey, keySeal.message(one, endorser), unhex(text(seal, "signature"))) {
			e.isBroken = true
			e.reject(check, finding{
				code: report.CodeSignatureInvalid, path: at(base, i) + "/seal/signature",
				message: "The signature on the key endorsement does not verify under " + endorser + ".",
			})
			continue
		}
		if first, ok := successors[endorser]; ok && !bytes.Equal(first, key) {
			e.fault(check, report.CodeKeyEndorsementConflict, at(base, i), endorser+" endorses two different keys.")
			continue
		}
		successors[endorser] = key
		if kid := text(one, "endorsed_kid"); kidOf(key) == kid {
			r.endorsements = append(r.endorsements, endorsement{endorser, kid, key, text(one, "valid_from")})
		}
	}
	clear(r.standings)
}
