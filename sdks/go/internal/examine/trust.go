package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/trust"
)

// A Policy is a trust policy as the verifier brings it along.
type Policy = trust.Policy

// NobodyTrusted returns the policy of a verifier that brings nothing along.
func NobodyTrusted() *Policy { return trust.Nobody() }

// ReadPolicy reads a trust policy, as [trust.Read] does.
func ReadPolicy(value jsonx.Value) *Policy { return trust.Read(value) }
