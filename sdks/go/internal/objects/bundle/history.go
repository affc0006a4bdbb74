package bundle

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/merkle"
)

// show notes what a bundle shows.
func show(e *examination.Exam, b *bundle) {
	h := e.Shows(b.Stream)
	if b.records.len() > 0 {
		h.From, h.Events = b.records.seqNos[0], b.records.events
	}
	for _, one := range b.windows {
		e.ShowWindow(b.Stream, one.No, one.Hash)
	}
	h.Roots = map[int64]merkle.Hash{}
	for count := max(b.Prior, 1); count <= b.Prior+int64(len(b.windows)); count++ {
		if root, ok := b.roots.root(count); ok {
			h.Roots[count] = root
		}
	}
}
