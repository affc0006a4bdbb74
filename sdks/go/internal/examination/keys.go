package examination

import (
	"bytes"

	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// KeySeal is the form of the seal of a key endorsement.
var KeySeal = NewSealForm(ProtocolWord, "key", "seal")

// ReadKeys reads the hints and endorsements that travel with the object (check key_endorsements).
func (e *Exam) ReadKeys(object jsonx.Value, base string) {
	const check = report.CheckKeyEndorsements
	r := e.Keys
	for i, hint := range values.Items(object.Get("key_hints")) {
		kid, key := values.Text(hint, "kid"), values.Unhex(values.Text(hint, "public_key_hex"))
		if actual := values.KID(key); actual != kid {
			e.Reject(check, finding.Finding{
				Code: report.CodeKidMismatch, Path: values.At(base+"/key_hints", i) + "/kid",
				Message: kid + " is not the identifier of the key beside it.", Expected: actual, Actual: kid,
			})
		}
		// The bytes of a hint are used whatever its name; of several the last ones.
		r.Hints[kid] = key
		r.Carried = append(r.Carried, kid)
	}
	list := values.Items(object.Get("key_endorsements"))
	if len(list) == 0 {
		e.NotChecked(check, "no key endorsements")
		return
	}
	e.ReadEndorsements(list, base+"/key_endorsements")
}

// ReadEndorsements reads key endorsements: those that verify join the ring.
func (e *Exam) ReadEndorsements(list []jsonx.Value, base string) {
	const check = report.CheckKeyEndorsements
	r := e.Keys
	for i, one := range list {
		kid, key := values.Text(one, "endorsed_kid"), values.Unhex(values.Text(one, "public_key_hex"))
		if actual := values.KID(key); actual != kid {
			e.Reject(check, finding.Finding{
				Code: report.CodeKidMismatch, Path: values.At(base, i) + "/endorsed_kid",
				Message: kid + " is not the identifier of the key beside it.", Expected: actual, Actual: kid,
			})
		}
		r.Told[kid] = key
		r.Carried = append(r.Carried, kid)
	}
	successors := map[string][]byte{}
	for i, one := range list {
		seal := one.Get("seal")
		endorser, key := values.Text(seal, "kid"), values.Unhex(values.Text(one, "public_key_hex"))
		endorserKey := r.PublicKey(endorser)
		if endorserKey == nil {
			e.NotChecked(check, "a key that endorses is not told, so that its endorsement does not count")
			continue
		}
		if !e.SignatureNow(check, endorserKey, KeySeal.Message(one, endorser), values.Unhex(values.Text(seal, "signature"))) {
			e.isBroken = true
			e.Reject(check, finding.Finding{
				Code: report.CodeSignatureInvalid, Path: values.At(base, i) + "/seal/signature",
				Message: "The signature on the key endorsement does not verify under " + endorser + ".",
			})
			continue
		}
		if first, ok := successors[endorser]; ok && !bytes.Equal(first, key) {
			e.Fault(check, report.CodeKeyEndorsementConflict, values.At(base, i), endorser+" endorses two different keys.")
			continue
		}
		successors[endorser] = key
		if kid := values.Text(one, "endorsed_kid"); values.KID(key) == kid {
			r.Endorsements = append(r.Endorsements, trust.Endorsement{
				Endorser: endorser, Endorsed: kid, Key: key, ValidFrom: values.Text(one, "valid_from"),
			})
		}
	}
	r.Forget()
}
