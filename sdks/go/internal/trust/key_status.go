package trust

import (
	"cmp"

	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A KeyStatus is the service's word about the key of one installation (protocol section 26).
type KeyStatus struct {
	Value        jsonx.Value
	Path         string
	Installation string
	Key          []byte
	State        string
	EnrolledAt   string
	// RevokedAt, Reason and Successor are empty where they are null.
	RevokedAt, Reason, Successor string
	IsReconstructed              bool
	StatusAt                     string
}

// ReadKeyStatus reads a key status that is at a path.
func ReadKeyStatus(value jsonx.Value, path string) *KeyStatus {
	return &KeyStatus{
		Value: value, Path: path, Installation: values.Text(value, "installationId"), Key: values.Unhex(values.Text(value, "publicKeyHex")),
		State: values.Text(value, "status"), EnrolledAt: values.Text(value, "enrolledAt"), RevokedAt: values.Text(value, "revokedAt"),
		Reason: values.Text(value, "revocationReason"), Successor: values.Text(value, "replacedByInstallationId"),
		IsReconstructed: values.Flag(value, "revocationInstantReconstructed"), StatusAt: values.Text(value, "statusAt"),
	}
}

// KeyStatusFaults returns the faults of form between the members of a key status.
func KeyStatusFaults(value jsonx.Value, path string) (found []finding.Finding) {
	s := ReadKeyStatus(value, path)
	fits := func(isGood bool, member string) {
		if !isGood {
			found = append(found, finding.Finding{
				Code: report.CodeMalformed, Path: path + "/" + member, Message: "The member does not fit a key that is " + s.State + ".",
			})
		}
	}
	isActive, isReplaced := s.State == "active", s.State == "replaced"
	if isActive {
		fits(s.RevokedAt == "", "revokedAt")
		fits(s.Reason == "", "revocationReason")
		fits(s.Successor == "", "replacedByInstallationId")
	} else {
		fits(s.RevokedAt != "" && s.EnrolledAt <= s.RevokedAt, "revokedAt")
		fits(s.Reason != "" && isReplaced == (s.Reason == "superseded"), "revocationReason")
		fits(!isReplaced || s.Successor != "" && s.Successor != s.Installation, "replacedByInstallationId")
	}
	fits(s.State == "revoked" || !s.IsReconstructed, "revocationInstantReconstructed")
	fits(cmp.Or(s.RevokedAt, s.EnrolledAt) <= s.StatusAt, "statusAt")
	return found
}
