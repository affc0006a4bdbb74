// Package keystatus examines key statuses, and knows the keys of the installations of one object (protocol section 26).
package keystatus

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how a key status is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "key-status", Faults: faults, Examine: examine}
}

var sealForm = examination.NewSealForm(examination.ProvenanceWord, "key-status", "seal")

// HoldKeyID holds the name that a status gives its key against that key, under a check that the object's kind has.
func HoldKeyID(e *examination.Exam, s *trust.KeyStatus, check report.CheckID) {
	e.Expect(check, values.KID(s.Key) == values.Text(s.Value, "keyId"), report.CodeKidMismatch, s.Path+"/keyId",
		"It is not the identifier of the key beside it.")
}

// examine examines a key status by itself.
func examine(e *examination.Exam, object jsonx.Value) {
	s := trust.ReadKeyStatus(object, "")
	e.Subject.ID = &s.Installation
	kid := values.Text(object, "keyId")
	if actual := values.KID(s.Key); actual != kid {
		e.Reject(report.CheckVaultKey, finding.Finding{
			Code: report.CodeKidMismatch, Path: "/keyId", Message: kid + " is not the identifier of the key beside it.", Expected: actual, Actual: kid,
		})
	}
	Know(e, report.CheckVaultKey, "", Counting(e, s, ""), nil).Key(s.Installation, "", nil)
}

// Counting examines the seal of a status in the object, and returns the status if it counts.
func Counting(e *examination.Exam, s *trust.KeyStatus, stream string) []*trust.KeyStatus {
	seal := s.Value.Get("seal")
	holds := false
	e.Seal(report.CheckVaultKey, sealForm, s.Value, seal, examination.SealUse{
		Path: s.Path + "/seal", Role: report.RoleKeyStatus, Name: "the key status", Stream: stream, OwnTime: s.StatusAt,
	}, func(ok bool) { holds = ok })
	e.Settle()
	if holds && e.MayVouch(values.Text(seal, "kid"), stream, s.StatusAt) {
		return []*trust.KeyStatus{s}
	}
	return nil
}

func faults(object jsonx.Value) []finding.Finding { return trust.KeyStatusFaults(object, "") }
