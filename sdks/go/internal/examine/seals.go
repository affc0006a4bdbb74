package examine

import (
	"encoding/hex"
	"strconv"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// A sealUse is the use of a key for one seal.
type sealUse struct {
	// path is the JSON Pointer to the seal.
	path string
	role report.Role
	// what is the sealed object in words; a number of 0 is not said.
	what string
	no   int64
	// stream is empty for an object without one.
	stream string
	// ownTime is the time that the object states for itself; empty for none.
	ownTime string
	// eventNo is the number of the event, or of the last event that the object covers; 0 for none.
	eventNo int64
	// service is the service's own origin, for an epoch of its log.
	service string
}

func (u *sealUse) words() string {
	if u.no == 0 {
		return u.what
	}
	return u.what + " " + strconv.FormatInt(u.no, 10)
}

// A sealForm says over what a seal is made.
type sealForm struct {
	line []byte
	tag  string
	word string
	drop []string
}

func newSealForm(word, tag string, drop ...string) *sealForm {
	return &sealForm{line: digest.LineOf(word, tag), tag: tag, word: word, drop: drop}
}

// message returns what the signature of a seal is over.
func (f *sealForm) message(object jsonx.Value, kid string) []byte {
	edit := jsonx.NewEdit(f.drop, jsonx.Members{
		{Name: "protocol", Value: f.word}, {Name: "alg", Value: "Ed25519"}, {Name: "kid", Value: kid},
	})
	return edit.Append(append(make([]byte, 0, len(f.line)+len(object.Canonical())+128), f.line...), object)
}

// hash returns D(tag, body) of the object's body.
func (f *sealForm) hash(object jsonx.Value) digest.Hash {
	edit := jsonx.NewEdit(f.drop, nil)
	return digest.Sum(f.line, edit.Append(nil, object))
}

const (
	protocolWord    = digest.Protocol
	provenanceWord  = "SVC-PROVENANCE-001"
	attestationWord = "SVC-VAULT-ATTESTATION-001"
	ivcWord         = "SVC-IVC-RECOMPUTE-001"
)

var (
	windowSeal     = newSealForm(protocolWord, "window", "seal", "leaves", "inclusions")
	checkpointSeal = newSealForm(protocolWord, "checkpoint", "seal", "note", "frontier")
	anchorSeal     = newSealForm(protocolWord, "anchor", "seal", "note", "members", "evidence")
	keySeal        = newSealForm(protocolWord, "key", "seal")
	bundleSeal     = newSealForm(protocolWord, "bundle")
	packageSeal    = newSealForm(protocolWord, "truth-package", "seal", "key_hints", "key_endorsements")
)

// seal notes the seal of an object: its signature, and whether trust reaches its key. `then` is called with the outcome
// once the signature has been checked; it may be nil, and is not called where nobody told the key.
func (e *exam) seal(check report.CheckID, form *sealForm, object, seal jsonx.Value, use sealUse, then func(bool)) report.Reached {
	kid := text(seal, "kid")
	return e.statement(check, kid, func() []byte { return form.message(object, kid) }, unhex(text(seal, "signature")), use, then)
}

// statement notes a signature as seal does, over any bytes.
func (e *exam) statement(check report.CheckID, kid string, message func() []byte, signature []byte, use sealUse, then func(bool)) report.Reached {
	e.sealsSeen++
	reached := e.judge(kid, use)
	key := e.keys.publicKey(kid)
	s := signer{kid, key, use.role, reached}
	if key == nil {
		e.signers.add(s)
		e.signatureMissing(check)
		return reached
	}
	path, what := use.path, use.words()
	e.signature(check, key, message(), signature, func(ok bool) {
		if ok {
			e.signedBy(s)
		} else {
			e.isBroken = true
			e.reject(check, finding{
				code: report.CodeSignatureInvalid, path: path + "/signature",
				message: "The signature on " + what + " does not verify under " + kid + ".",
			})
		}
		if then != nil {
			then(ok)
		}
	})
	return reached
}

// signedBy notes a signer whose signature holds.
func (e *exam) signedBy(s signer) {
	if s.role != report.RoleVault {
		e.sealers[s.kid] = true
	}
	e.signers.add(s)
}

// signatureMissing notes a signature that could not be checked, since nobody told its key.
func (e *exam) signatureMissing(check report.CheckID) {
	e.missing++
	e.cannot(check, "a key is missing: neither you nor the object tells it")
}

// judge decides whether trust reaches a key for a use, notes what keeps it from that, and holds back what depends on
// proofs of time.
func (e *exam) judge(kid string, use sealUse) report.Reached {
	var in scope
	if use.service != "" {
		in = scope{service: use.service}
	} else {
		in = scope{stream: use.stream, origin: e.origin}
	}
	standing := e.keys.standing(kid, in)
	path := use.path + "/kid"
	if standing.code != "" {
		one := e.unreached(standing.code, kid, use.words(), path)
		if e.keys.publicKey(kid) == nil {
			one.message += " Its signature could not be checked."
		}
		e.distrust(report.CheckTrust, one, kid)
		return report.None
	}
	if use.ownTime != "" && use.ownTime < standing.validFrom {
		e.reject(report.CheckTrust, finding{
			code: report.CodeKeyNotValidAtTime, path: path, message: kid + " sealed " + use.words() + " before it was valid.",
			expected: "from " + standing.validFrom, actual: use.ownTime,
		})
		return report.None
	}
	if use.ownTime != "" && standing.validTo != "" && use.ownTime > standing.validTo {
		e.reject(report.CheckTrust, finding{
			code: report.CodeKeyNotValidAtTime, path: path, message: kid + " sealed " + use.words() + " after its end.",
			expected: "to " + standing.validTo, actual: use.ownTime,
		})
		return report.None
	}
	if standing.validTo != "" {
		e.dated = append(e.dated, datedUse{use, kid, standing.validTo})
	}
	if standing.isPinned {
		return report.Pinned
	}
	return report.Endorsed
}

// unreached returns the finding that trust does not reach a key, which sealed something.
func (e *exam) unreached(code report.Code, kid, what, path string) finding {
	one := finding{code: code, path: path, kid: kid}
	switch {
	case code == report.CodeKeyRevoked:
		one.message = kid + ", which sealed " + what + ", is revoked, or only a revoked key vouches for it."
	case code == report.CodeSignerNotForStream:
		one.message = kid + ", which sealed " + what + ", is pinned, but not for this stream."
	case code == report.CodeKeyTimeUnproven:
		one.message = kid + ", which sealed " + what + ", is endorsed only by a key with an end, and nothing dates that."
	case e.keys.nearPin(kid) != nil:
		one.message = kid + ", which sealed " + what + ", is nearly the key that you pinned: one of the two was copied wrongly."
		one.expected, one.actual = hex.EncodeToString(e.keys.nearPin(kid)), hex.EncodeToString(e.keys.publicKey(kid))
		one.action = report.CompareAgain
	case len(e.keys.policy.pins) > 0:
		one.message = "No key that you pinned is " + kid + ", which sealed " + what + ", or vouches for it as you allow."
		one.action = report.AskForNewKey
	default:
		one.message = "You have not said whose key " + kid + " is, which sealed " + what + "."
	}
	return one
}

func unhex(text string) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil
	}
	return raw
}
