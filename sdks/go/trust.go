package svc

import (
	"encoding/hex"
	"errors"
	"fmt"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// A TrustPolicy is what a verifier brings along (protocol section 16). The zero TrustPolicy trusts nobody. It does not
// change, and is safe for concurrent use.
type TrustPolicy struct{ policy *examine.Policy }

// PinKeys returns the policy that trusts these signers, and demands nothing. A key is 64 lowercase hexadecimal digits.
func PinKeys(publicKeys ...string) (TrustPolicy, error) {
	signers := make([]any, 0, len(publicKeys))
	for _, key := range publicKeys {
		raw, err := hex.DecodeString(key)
		if err != nil || len(raw) != 32 {
			return TrustPolicy{}, fmt.Errorf("svc: %q is not a public key of 64 hexadecimal digits", key)
		}
		signers = append(signers, jsonx.Members{{Name: "kid", Value: examine.KIDOf(raw)}, {Name: "public_key_hex", Value: key}})
	}
	text, err := jsonx.Encode(jsonx.Members{{Name: "signers", Value: signers}})
	if err != nil {
		return TrustPolicy{}, err
	}
	return ParseTrustPolicy(text)
}

// ParseTrustPolicy reads a trust policy from JSON. The error is a [*PolicyError] for one that is not well formed.
func ParseTrustPolicy(text []byte) (trust TrustPolicy, err error) {
	defer recovered(&err)
	trust, err = readTrustPolicy(text)
	if err != nil {
		return TrustPolicy{}, err
	}
	if faults := trust.policy.Faults(); len(faults) > 0 {
		return TrustPolicy{}, &PolicyError{faults[0].Code, faults[0].Path, faults[0].Message}
	}
	return trust, nil
}

// readTrustPolicy reads a policy, which may be one that rejects whatever is verified under it.
func readTrustPolicy(text []byte) (TrustPolicy, error) {
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	var fault *jsonx.SyntaxError
	if errors.As(err, &fault) {
		return TrustPolicy{}, &PolicyError{report.Code(fault.Code), "trust:", fmt.Sprintf("At byte %d.", fault.Offset)}
	}
	if err != nil {
		return TrustPolicy{}, err
	}
	return TrustPolicy{examine.ReadPolicy(tree.Root())}, nil
}

// A PolicyError is the first fault of a trust policy.
type PolicyError struct {
	Code report.Code
	// Path is a JSON Pointer behind trust:.
	Path    string
	Message string
}

func (e *PolicyError) Error() string {
	return fmt.Sprintf("svc: %s at %s: %s", e.Code, e.Path, e.Message)
}

// orNobody returns the policy of the examination.
func (t TrustPolicy) orNobody() *examine.Policy {
	if t.policy == nil {
		return examine.NobodyTrusted()
	}
	return t.policy
}
