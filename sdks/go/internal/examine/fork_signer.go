package examine

import (
	"bytes"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A forkRank says what a signer of each side are worth as one signer of both; 0 if they are not one.
type forkRank func(j *forkJudgement, left, right signer) int

// oneSigner looks for the first pair of signers of the two sides that is worth most.
func (j *forkJudgement) oneSigner(path string, rank forkRank) {
	most := 0
	var best [2]signer
	for _, left := range j.left.signers {
		for _, right := range j.right.signers {
			if own := rank(j, left, right); own > most {
				most, best = own, [2]signer{left, right}
			}
		}
	}
	if most == 0 {
		j.fault = invalid(path, "The two sides are not by one signer.")
		return
	}
	j.left.signers, j.right.signers = best[:1], best[1:]
	j.isUnknown = best[0].key == nil || best[1].key == nil
}

// rankAlone ranks the signers of evidence by itself.
func (e *exam) rankAlone(isWitness bool) forkRank {
	return func(j *forkJudgement, left, right signer) int {
		switch {
		case left.key == nil || right.key == nil:
			// Whether two witnesses are one shows in their names, even where nobody told their keys.
			if isWitness && left.kid != right.kid {
				return 0
			}
			return 1
		case !e.isOneSigner(left, right, isWitness):
			return 0
		case e.isTrustedSide(j.left, left) && e.isTrustedSide(j.right, right):
			return 3
		default:
			return 2
		}
	}
}

// isOneSigner says whether two keys that somebody told may stand for one signer.
func (e *exam) isOneSigner(left, right signer, isWitness bool) bool {
	return bytes.Equal(left.key, right.key) || e.keys.leads(left.kid, right.kid) || e.keys.leads(right.kid, left.kid) ||
		(!isWitness && e.keys.isRooted(left.kid) && e.keys.isRooted(right.kid))
}

// isTrustedSide says whether trust reaches a signer of a side that holds.
func (e *exam) isTrustedSide(side *forkSide, s signer) bool {
	if side.sort != "note" {
		return side.part.verdict() == report.Verified
	}
	code, _ := e.noteStanding(side, s)
	return code == ""
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
