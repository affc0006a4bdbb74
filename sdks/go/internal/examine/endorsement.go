package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// loneEndorsement examines a key endorsement by itself (protocol section 4).
func (e *exam) loneEndorsement(object jsonx.Value) {
	const check = report.CheckKeyEndorsements
	kid := text(object, "endorsed_kid")
	e.subject.ID = &kid
	if actual := kidOf(unhex(text(object, "public_key_hex"))); actual != kid {
		e.reject(check, finding{
			code: report.CodeKidMismatch, path: "/endorsed_kid", message: kid + " is not the identifier of the key beside it.",
			expected: actual, actual: kid,
		})
	}
	signer := text(object.Get("seal"), "kid")
	e.seal(check, keySeal, object, object.Get("seal"), sealUse{path: "/seal", role: report.RoleKey, what: "the key endorsement"}, nil)
	for _, pin := range e.policy.pins[signer] {
		if !pin.mayEndorse {
			e.distrust(report.CheckTrust, finding{
				code: report.CodeKeyNotPinned, path: "/seal/kid", kid: signer, message: "No endorsement by " + signer + " counts for you.",
			}, signer)
			e.signers.lower(signer, report.RoleKey)
			break
		}
	}
}
