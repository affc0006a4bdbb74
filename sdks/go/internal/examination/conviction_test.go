package examination

import (
	"slices"
	"testing"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A full list may lack what spoils the evidence, and a signer that trust does not reach is nobody to the reader.
func TestWhatConvicts(t *testing.T) {
	problem := report.Problem{Code: report.CodePreviousCheckpointMismatch}
	signer := report.Signer{KID: "ed25519-0000000000000000", Role: report.RoleCheckpoint, Reached: report.Pinned}
	unreached, witness := signer, signer
	unreached.Reached, witness.Role = report.None, report.RoleWitness
	one := func(signer report.Signer) []report.Signer { return []report.Signer{signer} }
	for _, each := range []struct {
		name     string
		problems int
		signers  []report.Signer
		convicts bool
	}{
		{"nearly full", tables.MaxProblems - 1, one(signer), true},
		{"full of problems", tables.MaxProblems, one(signer), false},
		{"nearly full of signers", 1, slices.Repeat(one(signer), tables.MaxSigners-1), true},
		{"full of signers", 1, slices.Repeat(one(signer), tables.MaxSigners), false},
		{"no problem", 0, one(signer), false},
		{"out of reach", 1, one(unreached), false},
		{"a witness only", 1, one(witness), false},
	} {
		if convicts(slices.Repeat([]report.Problem{problem}, each.problems), each.signers) != each.convicts {
			t.Errorf("%s: convicts is not %t", each.name, each.convicts)
		}
	}
}
