package examine

import (
	"bytes"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// oneSigner looks for the pair of keys of the two sides that are one signer, and is trusted most.
func (e *exam) oneSigner(j *forkJudgement, isWitness bool, path string, counts func(kid string) bool) {
	type pair struct{ left, right signer }
	var best *pair
	rank := func(p pair) int {
		score := 0
		for _, one := range []signer{p.left, p.right} {
			if counts(one.kid) || one.reached == report.Pinned {
				score++
			}
		}
		return score
	}
	for _, left := range j.left.signers {
		for _, right := range j.right.signers {
			one := pair{left, right}
			if left.key == nil || right.key == nil {
				// Whether two witnesses are one shows in their names, even where nobody told their keys.
				j.isUnknown = j.isUnknown || !isWitness || left.kid == right.kid
				continue
			}
			isOne := bytes.Equal(left.key, right.key) || e.keys.leads(left.kid, right.kid) || e.keys.leads(right.kid, left.kid) ||
				(!isWitness && e.keys.isRooted(left.kid) && e.keys.isRooted(right.kid))
			if isOne && (best == nil || rank(one) > rank(*best)) {
				best = &one
			}
		}
	}
	switch {
	case best != nil:
		j.isUnknown = false
		j.left.signers, j.right.signers = []signer{best.left}, []signer{best.right}
	case !isWitness && isUntold(j.left, j.right):
		j.isUnknown = true
	case !j.isUnknown:
		j.fault = invalid(path, "The two sides are not by one signer.")
	case isWitness:
		j.left.signers, j.right.signers = nil, nil
	}
}

// isUntold says that the log may have signed both sides, by a key that nobody told.
func isUntold(left, right *forkSide) bool {
	signed := func(s *forkSide) bool { return len(s.signers) > 0 || s.hasLineOfLog() }
	return signed(left) && signed(right) && (len(left.signers) == 0 || len(right.signers) == 0)
}

// leads says whether endorsements lead from one key to another.
func (r *keyRing) leads(from, to string) bool {
	reached := map[string]bool{from: true}
	for range tables.MaxEndorsementChain {
		changed := false
		for _, one := range r.endorsements {
			if reached[one.endorser] && !reached[one.endorsed] {
				reached[one.endorsed], changed = true, true
			}
		}
		if reached[to] || !changed {
			break
		}
	}
	return reached[to]
}

// isRooted says whether a key is pinned, or endorsements lead to it from one that is.
func (r *keyRing) isRooted(kid string) bool {
	for pinned := range r.policy.pins {
		if r.leads(pinned, kid) {
			return true
		}
	}
	return false
}
