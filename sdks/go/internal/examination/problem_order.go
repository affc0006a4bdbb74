package examination

import (
	"cmp"
	"slices"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
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
func inOrder(all []Noted) []Noted {
	for i := range all {
		one := &all[i]
		one.shown = values.Cut(one.Finding.Path, tables.MaxTextUTF16Units)
	}
	slices.SortStableFunc(all, func(a, b Noted) int {
		if a.check != b.check {
			return checkRanks[string(a.check)] - checkRanks[string(b.check)]
		}
		holder, member := splitLast(a.shown)
		otherHolder, otherMember := splitLast(b.shown)
		return cmp.Or(
			unmet[a.Finding.Code]-unmet[b.Finding.Code],
			compareHolders(holder, otherHolder),
			codeRanks[a.Finding.Code]-codeRanks[b.Finding.Code],
			compareParts(member, otherMember),
		)
	})
	return slices.CompactFunc(all, func(a, b Noted) bool {
		return a.check == b.check && a.Finding.Code == b.Finding.Code && a.shown == b.shown && b.shown != b.Finding.Path
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

// bound keeps of what one check has found what can be in a report.
func (e *Exam) bound(check report.CheckID) {
	var own, others []Noted
	for _, one := range e.Rejections {
		if one.check == check {
			own = append(own, one)
		} else {
			others = append(others, one)
		}
	}
	own = inOrder(own)
	e.Rejections = append(others, own[:min(len(own), tables.MaxProblems)]...)
}
