package examination

import (
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// convict gives problems the advice to keep the file as evidence against the holder of the key that sealed it, if they
// convict that key (section 16). Anybody can edit a file, or put honest parts of several together, and that must accuse
// nobody.
func convict(problems []report.Problem, signers []report.Signer) {
	if !convicts(problems, signers) {
		return
	}
	for i := range problems {
		problems[i].Action = report.KeepAgainstSigner
	}
}

// convicts says whether all that is wrong contradicts something sealed, and one key that trust reaches sealed it all.
func convicts(problems []report.Problem, signers []report.Signer) bool {
	// A full list may lack problems that spoil the evidence.
	if len(problems) == 0 || len(problems) >= tables.MaxProblems || len(signers) >= tables.MaxSigners {
		return false
	}
	kid := ""
	for _, signer := range signers {
		// They seal nothing of the service's history.
		if signer.Role == report.RoleVault || signer.Role == report.RoleWitness {
			continue
		}
		if signer.Reached == report.None || kid != "" && signer.KID != kid {
			return false
		}
		kid = signer.KID
	}
	for _, problem := range problems {
		if !problem.Code.Convicts() {
			return false
		}
	}
	return kid != ""
}
