// Package endorsement examines a key endorsement by itself (protocol section 4).
package endorsement

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how a key endorsement is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "key-endorsement", Examine: examine}
}

// examine examines a key endorsement by itself (protocol section 4).
func examine(e *examination.Exam, object jsonx.Value) {
	const check = report.CheckKeyEndorsements
	kid := values.Text(object, "endorsed_kid")
	e.Subject.ID = &kid
	if actual := values.KID(values.Unhex(values.Text(object, "public_key_hex"))); actual != kid {
		e.Reject(check, finding.Finding{
			Code: report.CodeKidMismatch, Path: "/endorsed_kid", Message: kid + " is not the identifier of the key beside it.",
			Expected: actual, Actual: kid,
		})
	}
	signer := values.Text(object.Get("seal"), "kid")
	e.Seal(check, examination.KeySeal, object, object.Get("seal"), examination.SealUse{
		Path: "/seal", Role: report.RoleKey, Name: "the key endorsement",
	}, nil)
	for _, pin := range e.Policy.Pins[signer] {
		if !pin.MayEndorse {
			e.Distrust(report.CheckTrust, finding.Finding{
				Code: report.CodeKeyNotPinned, Path: "/seal/kid", KID: signer, Message: "No endorsement by " + signer + " counts for you.",
			}, signer)
			e.Signers.Lower(signer, report.RoleKey)
			break
		}
	}
}
