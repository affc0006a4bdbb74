package fork

import (
	"bytes"

	"svc.example/go/internal/examination"
	"svc.example/go/report"
)

// A Rank says how much two signers, one of each side, are worth as one signer of both; 0 if they are not one.
type Rank func(j *Judgement, left, right examination.Signer) int

// oneSigner looks for the first pair of signers of the two sides that is worth most.
func (j *Judgement) oneSigner(path string, rank Rank) {
	most := 0
	var best [2]examination.Signer
	for _, left := range j.Left.signers {
		for _, right := range j.Right.signers {
			if own := rank(j, left, right); own > most {
				most, best = own, [2]examination.Signer{left, right}
			}
		}
	}
	if most == 0 {
		j.Fault = invalid(path, "The two sides are not by one signer.")
		return
	}
	j.Left.signers, j.Right.signers = best[:1], best[1:]
	j.isUnknown = best[0].Key == nil || best[1].Key == nil
}

// rankAlone ranks the signers of evidence by itself.
func rankAlone(e *examination.Exam, isWitness bool) Rank {
	return func(j *Judgement, left, right examination.Signer) int {
		switch {
		case left.Key == nil || right.Key == nil:
			// Whether two witnesses are one shows in their names, even where nobody told their keys.
			if isWitness && left.KID != right.KID {
				return 0
			}
			return 1
		case !isOneSigner(e, left, right, isWitness):
			return 0
		case isTrustedSide(e, j.Left, left) && isTrustedSide(e, j.Right, right):
			return 3
		default:
			return 2
		}
	}
}

// isOneSigner says whether two keys that somebody told may stand for one signer.
func isOneSigner(e *examination.Exam, left, right examination.Signer, isWitness bool) bool {
	return bytes.Equal(left.Key, right.Key) || e.Keys.Leads(left.KID, right.KID) || e.Keys.Leads(right.KID, left.KID) ||
		(!isWitness && e.Keys.IsRooted(left.KID) && e.Keys.IsRooted(right.KID))
}

// isTrustedSide says whether trust reaches a signer of a side that holds.
func isTrustedSide(e *examination.Exam, side *Side, s examination.Signer) bool {
	if side.sort != "note" {
		return side.part.Verdict() == report.Verified
	}
	code, _ := noteStanding(e, side, s)
	return code == ""
}

// RankIf ranks the signers of evidence in a bundle. Both must count there: a witness that signed a side does, and
// `counts` says it of a key of the log.
func RankIf(e *examination.Exam, isWitness bool, counts func(kid string) bool) Rank {
	return func(_ *Judgement, left, right examination.Signer) int {
		if left.Key == nil || right.Key == nil || !isOneSigner(e, left, right, isWitness) {
			return 0
		}
		if !isWitness && !(counts(left.KID) && counts(right.KID)) {
			return 0
		}
		return 1
	}
}
