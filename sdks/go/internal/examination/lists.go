package examination

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Ascend holds a list against its order, without repeats; `compare` compares an item with the one before it.
func (e *Exam) Ascend(check report.CheckID, list []jsonx.Value, path string, compare func(before, after jsonx.Value) int) {
	for i := 1; i < len(list); i++ {
		if compare(list[i-1], list[i]) >= 0 {
			e.Fault(check, report.CodeMalformed, values.At(path, i), "The list is not in ascending order without repeats.")
		}
	}
}

// ByNumber returns the order by a member that is a number.
func ByNumber(name string) func(before, after jsonx.Value) int {
	return func(before, after jsonx.Value) int {
		switch a, b := values.Number(before, name), values.Number(after, name); {
		case a < b:
			return -1
		case a > b:
			return 1
		default:
			return 0
		}
	}
}
