package examine

import (
	"slices"
	"strings"

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

// An eventLevel is the level at which one event counts, and what it lacks for the next one (section 33); empty where
// that is not said.
type eventLevel struct {
	seqNo          int64
	level, missing string
}

// The conditions of the next level, in the order in which they are asked for, as the ends of sentences.
const (
	lacksContent      = "the content of the event, which is left out here"
	lacksClaim        = "a claim by its vault, and an attestation that carries it"
	lacksAttestation  = "the attestation that the claim names"
	lacksSigner       = "the key of the service among those that you pin: it sealed the attestation's result"
	lacksHardwareRoot = "an attestation under a root that is no software, or your leave for software roots"
	lacksEvidence     = "the evidence of the attestation, for your own check"
	lacksStart        = "a start of the vault on a measured machine, shown by a TPM's quote"
	lacksOwnCheck     = "your own check of the evidence of L2"
)

// noteMissing notes what the first event of the lowest level lacks for the next one.
func (e *exam) noteMissing() {
	if len(e.levels) == 0 {
		return
	}
	first := slices.MinFunc(e.levels, func(a, b eventLevel) int { return strings.Compare(a.level, b.level) })
	next := map[string]string{"L0": "L1", "L1": "L2", "L2": "L3"}[first.level]
	e.notChecked(report.CheckAssurance, "for "+next+" it takes "+first.missing)
}
