package examine

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/merkle"
)

// showRecord notes a record that the object shows; the records of a stream follow each other.
func (e *exam) showRecord(stream string, r *record) {
	h := e.shows(stream)
	if h.Events == nil {
		h.From = r.seqNo
	}
	h.Events = append(h.Events, hashText(textOf(r.eventHash)))
}

// showWindow notes a window that the object shows.
func (e *exam) showWindow(stream string, no int64, hash digest.Hash) {
	h := e.shows(stream)
	if h.Windows == nil {
		h.Windows = map[int64]digest.Hash{}
	}
	h.Windows[no] = hash
}

// showBundle notes what a bundle shows.
func (e *exam) showBundle(b *bundle) {
	h := e.shows(b.stream)
	if b.records.len() > 0 {
		h.From, h.Events = b.records.seqNos[0], b.records.events
	}
	for _, one := range b.windows {
		e.showWindow(b.stream, one.no, one.hash)
	}
	h.Roots = map[int64]merkle.Hash{}
	for count := max(b.prior, 1); count <= b.prior+int64(len(b.windows)); count++ {
		if root, ok := b.roots.root(count); ok {
			h.Roots[count] = root
		}
	}
}

// showRoots notes the roots that the object establishes; those that a checkpoint states count before recomputed ones.
func (e *exam) showRoots() {
	if e.windowRoots != nil || len(e.heads)+len(e.stated) == 0 {
		return
	}
	h := e.shows(e.treeStream())
	h.Roots = map[int64]merkle.Hash{}
	for _, list := range [][]head{e.heads, e.stated} {
		for _, one := range list {
			h.Roots[one.count] = one.root
		}
	}
}

// shows returns what the object shows of a stream; most show one.
func (e *exam) shows(stream string) *histories.History {
	for _, one := range e.histories {
		if one.Stream == stream {
			return one
		}
	}
	one := &histories.History{Stream: stream}
	for _, each := range e.keys.endorsements {
		one.Endorsed = append(one.Endorsed, histories.Endorsement{By: each.endorser, KID: each.endorsed})
	}
	e.histories = append(e.histories, one)
	return one
}
