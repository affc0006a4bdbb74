package examination

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/merkle"
)

// ShowWindow notes a window that the object shows.
func (e *Exam) ShowWindow(stream string, no int64, hash digest.Hash) {
	h := e.Shows(stream)
	if h.Windows == nil {
		h.Windows = map[int64]digest.Hash{}
	}
	h.Windows[no] = hash
}

// ShowRoots notes the roots that the object establishes; those that a checkpoint states count before recomputed ones.
func (e *Exam) ShowRoots() {
	if e.WindowRoots != nil || len(e.Heads)+len(e.Stated) == 0 {
		return
	}
	h := e.Shows(e.TreeStream())
	h.Roots = map[int64]merkle.Hash{}
	for _, list := range [][]Head{e.Heads, e.Stated} {
		for _, one := range list {
			h.Roots[one.Count] = one.Root
		}
	}
}

// Shows returns what the object shows of a stream; most show one.
func (e *Exam) Shows(stream string) *histories.History {
	for _, one := range e.Histories {
		if one.Stream == stream {
			return one
		}
	}
	one := &histories.History{Stream: stream}
	for _, each := range e.Keys.Endorsements {
		one.Endorsed = append(one.Endorsed, histories.Endorsement{By: each.Endorser, KID: each.Endorsed})
	}
	e.Histories = append(e.Histories, one)
	return one
}
