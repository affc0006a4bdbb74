package provenance

import (
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/report"
)

// The words of a report for the chains of vaults and for what substantiates a level, the weakest first.
var (
	vaultChains     = []string{"none", "partial", "complete"}
	substantiations = []string{"none", "service", "verifier"}
)

// Sum returns what two objects together show of vaults: counts are added, and the lower word stands. An object whose
// events all count as L0 rests on nobody's word, and lowers no other's.
func Sum(one, other *report.Provenance) *report.Provenance {
	if one == nil {
		return other
	}
	if other == nil {
		return one
	}
	by := other.SubstantiatedBy
	if isAboveL0(one) {
		by = one.SubstantiatedBy
		if isAboveL0(other) {
			by = values.Least(substantiations, by, other.SubstantiatedBy)
		}
	}
	return &report.Provenance{
		Events: one.Events + other.Events, Installations: one.Installations + other.Installations,
		VaultChain: values.Least(vaultChains, one.VaultChain, other.VaultChain),
		VaultKeys:  values.Least(keystatus.Standings, one.VaultKeys, other.VaultKeys),
		Claimed: report.Claimed{
			L0: one.Claimed.L0 + other.Claimed.L0, L1: one.Claimed.L1 + other.Claimed.L1, L2: one.Claimed.L2 + other.Claimed.L2,
			Unknown: one.Claimed.Unknown + other.Claimed.Unknown,
		},
		Effective: report.Effective{
			L0: one.Effective.L0 + other.Effective.L0, L1: one.Effective.L1 + other.Effective.L1,
			L2: one.Effective.L2 + other.Effective.L2, L3: one.Effective.L3 + other.Effective.L3,
		},
		SubstantiatedBy: by, KeyCustody: values.Least(custodies, one.KeyCustody, other.KeyCustody),
		SoftwareRoot: one.SoftwareRoot || other.SoftwareRoot,
	}
}

func isAboveL0(p *report.Provenance) bool { return p.Effective.L1+p.Effective.L2+p.Effective.L3 > 0 }
