package examination

import (
	"encoding/hex"
	"strconv"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A SealUse is the use of a key for one seal.
type SealUse struct {
	// Path is the JSON Pointer to the seal.
	Path string
	Role report.Role
	// Name is the sealed object in words, and No its number; 0 is not said.
	Name string
	No   int64
	// Stream is empty for an object without one.
	Stream string
	// OwnTime is the time that the object states for itself; empty for none.
	OwnTime string
	// EventNo is the number of the event, or of the last event that the object covers; 0 for none.
	EventNo int64
	// Service is the service's own origin, for an epoch of its log.
	Service string
}

func (u *SealUse) words() string {
	if u.No == 0 {
		return u.Name
	}
	return u.Name + " " + strconv.FormatInt(u.No, 10)
}

// A SealForm says over what a seal is made.
type SealForm struct {
	line []byte
	tag  string
	word string
	drop []string
}

// NewSealForm returns the form of seals under a word and a tag, over an object without some of its members.
func NewSealForm(word, tag string, drop ...string) *SealForm {
	return &SealForm{line: digest.LineOf(word, tag), tag: tag, word: word, drop: drop}
}

// Message returns what the signature of a seal is over.
func (f *SealForm) Message(object jsonx.Value, kid string) []byte {
	edit := jsonx.NewEdit(f.drop, jsonx.Members{
		{Name: "protocol", Value: f.word}, {Name: "alg", Value: "Ed25519"}, {Name: "kid", Value: kid},
	})
	return edit.Append(append(make([]byte, 0, len(f.line)+len(object.Canonical())+128), f.line...), object)
}

// Hash returns D(tag, body) of the object's body.
func (f *SealForm) Hash(object jsonx.Value) digest.Hash {
	edit := jsonx.NewEdit(f.drop, nil)
	return digest.Sum(f.line, edit.Append(nil, object))
}

const (
	// ProtocolWord is the first word under the seals of a service's history.
	ProtocolWord = digest.Protocol
	// ProvenanceWord is that of the seals and hashes of envelopes.
	ProvenanceWord = "SVC-PROVENANCE-001"
	// AttestationWord is that of attestations.
	AttestationWord = "SVC-VAULT-ATTESTATION-001"
	// IVCWord is that of IVC epochs.
	IVCWord = "SVC-IVC-RECOMPUTE-001"
)

// Seal notes the seal of an object: its signature, and whether trust reaches its key. `then` is called with the outcome
// once the signature has been checked; it may be nil, and is not called where nobody gave the key.
func (e *Exam) Seal(check report.CheckID, form *SealForm, object, seal jsonx.Value, use SealUse, then func(bool)) report.Reached {
	kid := values.Text(seal, "kid")
	return e.Statement(check, kid, func() []byte { return form.Message(object, kid) }, values.Unhex(values.Text(seal, "signature")), use, then)
}

// Statement notes a signature as Seal does, over any bytes.
func (e *Exam) Statement(check report.CheckID, kid string, message func() []byte, signature []byte, use SealUse, then func(bool)) report.Reached {
	e.SealsSeen++
	reached := e.judge(kid, use)
	key := e.Keys.PublicKey(kid)
	s := Signer{kid, key, use.Role, reached}
	if key == nil {
		e.Signers.Add(s)
		e.SignatureMissing(check)
		return reached
	}
	path, what := use.Path, use.words()
	e.Signature(check, key, message(), signature, func(ok bool) {
		if ok {
			e.SignedBy(s)
		} else {
			e.isBroken = true
			e.Reject(check, finding.Finding{
				Code: report.CodeSignatureInvalid, Path: path + "/signature",
				Message: "The signature on " + what + " does not verify under " + kid + ".",
			})
		}
		if then != nil {
			then(ok)
		}
	})
	return reached
}

// SignedBy notes a signer whose signature holds.
func (e *Exam) SignedBy(s Signer) {
	if s.Role != report.RoleVault {
		e.Sealers[s.KID] = true
	}
	e.Signers.Add(s)
}

// SignatureMissing notes a signature that could not be checked, since nobody told its key.
func (e *Exam) SignatureMissing(check report.CheckID) {
	e.Missing++
	e.Cannot(check, "a key is missing: neither you nor the object tells it")
}

// judge decides whether trust reaches a key for a use, notes what keeps it from that, and holds back what depends on
// proofs of time.
func (e *Exam) judge(kid string, use SealUse) report.Reached {
	var in trust.Scope
	if use.Service != "" {
		in = trust.Scope{Service: use.Service}
	} else {
		in = trust.Scope{Stream: use.Stream, Origin: e.Origin}
	}
	standing := e.Keys.Standing(kid, in)
	path := use.Path + "/kid"
	if standing.Code != "" {
		isChecked := e.Keys.PublicKey(kid) != nil
		// Nothing shows that a key sealed anything where nobody gave it: anybody can name one.
		relation := "in whose name " + use.words() + " is"
		if isChecked {
			relation = "which sealed " + use.words()
		}
		one := e.Unreached(standing.Code, kid, relation, path)
		if !isChecked {
			one.Message += " Its signature could not be checked."
		}
		e.Distrust(report.CheckTrust, one, kid)
		return report.None
	}
	if use.OwnTime != "" && use.OwnTime < standing.ValidFrom {
		e.Reject(report.CheckTrust, finding.Finding{
			Code: report.CodeKeyNotValidAtTime, Path: path, Message: kid + " sealed " + use.words() + " before it was valid.",
			Expected: "from " + standing.ValidFrom, Actual: use.OwnTime,
		})
		return report.None
	}
	if use.OwnTime != "" && standing.ValidTo != "" && use.OwnTime > standing.ValidTo {
		e.Reject(report.CheckTrust, finding.Finding{
			Code: report.CodeKeyNotValidAtTime, Path: path, Message: kid + " sealed " + use.words() + " after its end.",
			Expected: "to " + standing.ValidTo, Actual: use.OwnTime,
		})
		return report.None
	}
	if standing.ValidTo != "" {
		e.Dated = append(e.Dated, DatedUse{use, kid, standing.ValidTo})
	}
	if standing.IsPinned {
		return report.Pinned
	}
	return report.Endorsed
}

// Unreached returns the finding that trust does not reach a key. The relation says what it has to do with the object,
// as "which sealed the receipt of event 1".
func (e *Exam) Unreached(code report.Code, kid, relation, path string) finding.Finding {
	one := finding.Finding{Code: code, Path: path, KID: kid}
	switch {
	case code == report.CodeKeyRevoked:
		one.Message = kid + ", " + relation + ", is revoked, or only a revoked key vouches for it."
	case code == report.CodeSignerNotForStream:
		one.Message = kid + ", " + relation + ", is pinned, but not for this stream."
	case code == report.CodeKeyTimeUnproven:
		one.Message = kid + ", " + relation + ", is endorsed only by a key with an end, and nothing dates that."
	case e.Keys.NearPin(kid) != nil:
		one.Message = kid + ", " + relation + ", is nearly the key that you pinned: one of the two was copied wrongly."
		one.Expected, one.Actual = hex.EncodeToString(e.Keys.NearPin(kid)), hex.EncodeToString(e.Keys.PublicKey(kid))
		one.Action = report.CompareAgain
	case len(e.Keys.Policy.Pins) > 0:
		one.Message = "No key that you pinned is " + kid + ", " + relation + ", or vouches for it as you allow."
		one.Action = report.AskForNewKey
	default:
		one.Message = "You have not said whose key " + kid + " is, " + relation + "."
	}
	return one
}

// MayVouch says whether trust reaches a key for a stream at a time. The time of its seal is proven apart.
func (e *Exam) MayVouch(kid, stream, at string) bool {
	standing := e.Keys.Standing(kid, trust.Scope{Stream: stream, Origin: e.Origin})
	return standing.Code == "" && standing.ValidFrom <= at && (standing.ValidTo == "" || at <= standing.ValidTo)
}

// Unsigned notes that an object has no signer whom trust could reach.
func (e *Exam) Unsigned(message, action string) {
	e.Distrust(report.CheckTrust, finding.Finding{Code: report.CodeKeyNotPinned, Message: message, Action: action}, "")
}
