package examination

import (
	"cmp"
	"slices"

	"svc.example/go/internal/merkle"
	"svc.example/go/internal/values"
)

// A Head is a root that the object establishes at a size.
type Head struct {
	Count int64
	Root  merkle.Hash
}

// Establish notes a root that the object establishes.
func (e *Exam) Establish(count int64, root merkle.Hash) {
	e.Heads = append(e.Heads, Head{count, root})
}

// TreeStream returns the stream of the checkpoint tree that the object shows: that of its newest checkpoint by itself,
// else the object's own.
func (e *Exam) TreeStream() string { return cmp.Or(e.StatedStream, e.Subject.StreamID) }

// RootAt says whether the object establishes a root at a size, and whether it is the root asked for. A root that a
// checkpoint states counts before recomputed ones, and the later before the earlier; a bundle's windows alone give its.
func (e *Exam) RootAt(count int64, root string) (isThere, isSame bool) {
	if e.WindowRoots != nil {
		one, ok := e.WindowRoots(count)
		return ok, ok && values.Hex(one) == root
	}
	for _, list := range [][]Head{e.Stated, e.Heads} {
		for _, one := range slices.Backward(list) {
			if one.Count == count {
				return true, values.Hex(one.Root) == root
			}
		}
	}
	return false, false
}
