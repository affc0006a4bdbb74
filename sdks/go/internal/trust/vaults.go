package trust

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Vaults is what a trust policy says of vaults (protocol sections 26 and 33).
type Vaults struct {
	HasVaults bool
	Pins      map[string]VaultPin
	Statuses  []jsonx.Value
	NotBefore string
	IsProven  bool
	HasRoots  bool
	// AllowsSoftware says whether roots that are software raise a level.
	AllowsSoftware bool
	// Required is the least level of every event; empty for none.
	Required string
}

// A VaultPin is the pinned key of an installation.
type VaultPin struct{ Key []byte }

func (p *Policy) readVaults(value jsonx.Value) {
	v := &p.Vaults
	v.HasVaults = values.Has(value, "vaults")
	v.Pins = map[string]VaultPin{}
	for i, one := range values.Items(value.Get("vaults")) {
		id := values.Text(one, "installation_id")
		if _, isTwice := v.Pins[id]; isTwice {
			p.refuse(report.CodeMalformed, values.At("/vaults", i)+"/installation_id", "An installation is pinned twice.")
		}
		v.Pins[id] = VaultPin{values.Unhex(values.Text(one, "public_key_hex"))}
	}
	for i, one := range values.Items(value.Get("key_status")) {
		for _, fault := range KeyStatusFaults(one, values.At("/key_status", i)) {
			p.refuse(fault.Code, fault.Path, fault.Message)
		}
		if kid := values.Text(one, "keyId"); values.KID(values.Unhex(values.Text(one, "publicKeyHex"))) != kid {
			p.refuse(report.CodeKidMismatch, values.At("/key_status", i)+"/keyId", kid+" is not the identifier of the key beside it.")
		}
		v.Statuses = append(v.Statuses, one)
	}
	v.NotBefore = values.Text(value, "status_not_before")
	v.IsProven = values.Text(value, "vault_time") == "proven"
	v.HasRoots = values.Has(value, "attestation_roots")
	v.AllowsSoftware = values.Flag(value, "allow_software_roots")
	v.Required = values.Text(value, "require_assurance")
}
