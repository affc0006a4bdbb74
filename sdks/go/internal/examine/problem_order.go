package examine

import (
	"cmp"
	"slices"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// codeRanks are the places of the codes in their table, checkRanks those of the checks.
var (
	codeRanks  = ranksOf(report.Codes())
	checkRanks = ranksOf(tables.CheckOrder)
)

func ranksOf[T ~string](list []T) map[T]int {
	ranks := make(map[T]int, len(list))
	for i, one := range list {
		ranks[one] = i
	}
	return ranks
}

// unmet are demands that are not met: the faults of what is there come before them.
var unmet = map[report.Code]int{
	report.CodeWitnessQuorumUnmet: 1, report.CodeAnchorMissing: 1, report.CodeAssuranceInsufficient: 1,
}

// inOrder sorts what was found within each check as a report lists it (protocol section 16): by the object or list in
// which its path ends, an object before what is in it, then by code, then by member. Findings that differ only behind
// what is shown of their paths are one.
func inOrder(all []noted) []noted {
	for i := range all {
		one := &all[i]
		one.shown = cut(one.finding.path, tables.MaxTextUTF16Units)
	}
	slices.SortStableFunc(all, func(a, b noted) int {
		if a.check != b.check {
			return checkRanks[string(a.check)] - checkRanks[string(b.check)]
		}
		holder, member := splitLast(a.shown)
		otherHolder, otherMember := splitLast(b.shown)
		return cmp.Or(
			unmet[a.finding.code]-unmet[b.finding.code],
			compareHolders(holder, otherHolder),
			codeRanks[a.finding.code]-codeRanks[b.finding.code],
			compareParts(member, otherMember),
		)
	})
	return slices.CompactFunc(all, func(a, b noted) bool {
		return a.check == b.check && a.finding.code == b.finding.code && a.shown == b.shown && b.shown != b.finding.path
	})
}

// splitLast parts a path before its last part.
func splitLast(path string) (holder, member string) {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return path, ""
	}
	return path[:at], path[at+1:]
}

// compareHolders compares two JSON Pointers by the first parts that differ.
func compareHolders(a, b string) int {
	for a != b {
		left, restA, hasA := strings.Cut(a, "/")
		right, restB, hasB := strings.Cut(b, "/")
		if left != right {
			return compareParts(left, right)
		}
		if hasA != hasB {
			return cmp.Compare(len(a), len(b))
		}
		a, b = restA, restB
	}
	return 0
}

// compareParts compares numbers by value, before names; names by their UTF-16 code units, as canonical bytes do.
func compareParts(a, b string) int {
	switch isNumber, isOtherNumber := isDigits(a), isDigits(b); {
	case isNumber && isOtherNumber:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case isNumber:
		return -1
	case isOtherNumber:
		return 1
	default:
		return jsonx.CompareNames(a, b)
	}
}

func isDigits(part string) bool {
	return part != "" && strings.Trim(part, "0123456789") == ""
}

// bound keeps of what one check has found what can stand in a report.
func (e *exam) bound(check report.CheckID) {
	var own, others []noted
	for _, one := range e.rejections {
		if one.check == check {
			own = append(own, one)
		} else {
			others = append(others, one)
		}
	}
	own = inOrder(own)
	e.rejections = append(others, own[:min(len(own), tables.MaxProblems)]...)
}
