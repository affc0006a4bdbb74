package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// A vaultPolicy is what a trust policy says of vaults (protocol sections 26 and 33).
type vaultPolicy struct {
	hasVaults bool
	vaults    map[string]vaultPin
	statuses  []jsonx.Value
	notBefore string
	isProven  bool
	hasRoots  bool
	// allowsSoftware says whether roots that are software raise a level.
	allowsSoftware bool
	// required is the least level of every event; empty for none.
	required string
}

// A vaultPin is the pinned key of an installation.
type vaultPin struct{ key []byte }

func (p *Policy) readVaults(value jsonx.Value) {
	v := &p.vaults
	v.hasVaults = has(value, "vaults")
	v.vaults = map[string]vaultPin{}
	for i, one := range items(value.Get("vaults")) {
		id := text(one, "installation_id")
		if _, isTwice := v.vaults[id]; isTwice {
			p.refuse(report.CodeMalformed, at("/vaults", i)+"/installation_id", "An installation is pinned twice.")
		}
		v.vaults[id] = vaultPin{unhex(text(one, "public_key_hex"))}
	}
	for i, one := range items(value.Get("key_status")) {
		for _, fault := range keyStatusFaults(one, at("/key_status", i)) {
			p.refuse(fault.code, fault.path, fault.message)
		}
		if kid := text(one, "keyId"); kidOf(unhex(text(one, "publicKeyHex"))) != kid {
			p.refuse(report.CodeKidMismatch, at("/key_status", i)+"/keyId", kid+" is not the identifier of the key beside it.")
		}
		v.statuses = append(v.statuses, one)
	}
	v.notBefore = text(value, "status_not_before")
	v.isProven = text(value, "vault_time") == "proven"
	v.hasRoots = has(value, "attestation_roots")
	v.allowsSoftware = flag(value, "allow_software_roots")
	v.required = text(value, "require_assurance")
}

// An eventLevel is the level at which one event counts.
type eventLevel struct {
	seqNo int64
	level string
}
