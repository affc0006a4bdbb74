package examination

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A Signer is a key that sealed something in one role; Key is nil where nobody told it.
type Signer struct {
	KID     string
	Key     []byte
	Role    report.Role
	Reached report.Reached
}

// A SignerList has one signer for each key and role, with the least of how trust reached it.
type SignerList struct{ list []Signer }

func (l *SignerList) find(kid string, role report.Role) *Signer {
	for i := range l.list {
		if l.list[i].KID == kid && l.list[i].Role == role {
			return &l.list[i]
		}
	}
	return nil
}

func reachedRank(reached report.Reached) int {
	switch reached {
	case report.Pinned:
		return 2
	case report.Endorsed:
		return 1
	default:
		return 0
	}
}

// Add adds a signer, or lowers how trust reaches one that is in the list.
func (l *SignerList) Add(s Signer) {
	known := l.find(s.KID, s.Role)
	if known == nil {
		l.list = append(l.list, s)
		return
	}
	if reachedRank(s.Reached) < reachedRank(known.Reached) {
		known.Reached = s.Reached
	}
	// Where one part does not give the key, some signature of it was not checked.
	if s.Key == nil {
		known.Key = nil
	}
}

// Lower notes that trust does not reach a signer after all.
func (l *SignerList) Lower(kid string, role report.Role) {
	if known := l.find(kid, role); known != nil {
		known.Reached = report.None
	}
}

func (l *SignerList) adopt(other *SignerList) {
	for _, one := range other.list {
		l.Add(one)
	}
}

func (l *SignerList) report() []report.Signer {
	slices.SortFunc(l.list, func(a, b Signer) int {
		return cmp.Or(cmp.Compare(a.Role.Rank(), b.Role.Rank()), cmp.Compare(a.KID, b.KID))
	})
	signers := make([]report.Signer, 0, len(l.list))
	for _, one := range l.list[:min(len(l.list), tables.MaxSigners)] {
		var fingerprint *string
		if one.Key != nil {
			sum := sha256.Sum256(one.Key)
			digits := hex.EncodeToString(sum[:])
			fingerprint = &digits
		}
		signers = append(signers, report.Signer{KID: one.KID, Fingerprint: fingerprint, Role: one.Role, Reached: one.Reached})
	}
	return signers
}
