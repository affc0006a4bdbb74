package examine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A signer is a key that sealed something in one role; key is nil where nobody told it.
type signer struct {
	kid     string
	key     []byte
	role    report.Role
	reached report.Reached
}

// A signerList has one signer for each key and role, with the least of how trust reached it.
type signerList struct{ list []signer }

func (l *signerList) find(kid string, role report.Role) *signer {
	for i := range l.list {
		if l.list[i].kid == kid && l.list[i].role == role {
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

func (l *signerList) add(s signer) {
	known := l.find(s.kid, s.role)
	if known == nil {
		l.list = append(l.list, s)
		return
	}
	if reachedRank(s.reached) < reachedRank(known.reached) {
		known.reached = s.reached
	}
	if known.key == nil {
		known.key = s.key
	}
}

// lower notes that trust does not reach a signer after all.
func (l *signerList) lower(kid string, role report.Role) {
	if known := l.find(kid, role); known != nil {
		known.reached = report.None
	}
}

func (l *signerList) adopt(other *signerList) {
	for _, one := range other.list {
		l.add(one)
	}
}

func (l *signerList) report() []report.Signer {
	slices.SortFunc(l.list, func(a, b signer) int {
		return cmp.Or(cmp.Compare(a.role.Rank(), b.role.Rank()), cmp.Compare(a.kid, b.kid))
	})
	signers := make([]report.Signer, 0, len(l.list))
	for _, one := range l.list[:min(len(l.list), tables.MaxSigners)] {
		var fingerprint *string
		if one.key != nil {
			sum := sha256.Sum256(one.key)
			digits := hex.EncodeToString(sum[:])
			fingerprint = &digits
		}
		signers = append(signers, report.Signer{KID: one.kid, Fingerprint: fingerprint, Role: one.role, Reached: one.reached})
	}
	return signers
}
