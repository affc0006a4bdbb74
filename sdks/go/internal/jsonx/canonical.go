package jsonx

import (
	"math"
	"slices"
)

// canonicalTree writes the canonical bytes of a text that is not canonical, and the nodes over them.
func (p *parser) canonicalTree() (*Tree, error) {
	w := writer{p: p, out: make([]byte, 0, len(p.wire)), nodes: make([]node, 0, len(p.nodes))}
	w.value(0)
	if uint64(len(w.out)) > math.MaxUint32 {
		return nil, &SyntaxError{TooLarge, 0}
	}
	return &Tree{w.out, w.nodes, p.depth, false}, nil
}

type writer struct {
	p     *parser
	out   []byte
	nodes []node
	// members holds the names of the objects that are being written and are not sorted, the inner ones last.
	members []uint32
}

// value writes the value of one node, and returns the index of the node behind it.
func (w *writer) value(at uint32) uint32 {
	n := w.p.nodes[at]
	self := len(w.nodes)
	start := len(w.out)
	w.nodes = append(w.nodes, node{start: uint32(start)})
	// A node with others inside has a count and no flags, and so has an empty array, whose count is 0.
	isLeaf := n.next == at+1 && n.count != 0
	if !isLeaf {
		switch w.p.wire[n.start] {
		case '[':
			w.array(at+1, n.count)
			w.close(self, n.count)
			return n.next
		case '{':
			w.object(at+1, n.count)
			w.close(self, n.count&^isUnsorted)
			return n.next
		}
	}
	w.out = append(w.out, w.p.text(n)...)
	w.close(self, n.count&isEscaped)
	return n.next
}

func (w *writer) close(self int, count uint32) {
	n := &w.nodes[self]
	n.end, n.next, n.count = uint32(len(w.out)), uint32(len(w.nodes)), count
}

func (w *writer) array(at, count uint32) {
	w.out = append(w.out, '[')
	for i := range count {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		at = w.value(at)
	}
	w.out = append(w.out, ']')
}

func (w *writer) object(at, count uint32) {
	w.out = append(w.out, '{')
	if count&isUnsorted == 0 {
		for i := range count {
			at = w.member(at, i)
		}
	} else {
		w.sortedMembers(at, count&^isUnsorted)
	}
	w.out = append(w.out, '}')
}

func (w *writer) sortedMembers(at, count uint32) {
	begin := len(w.members)
	for range count {
		w.members = append(w.members, at)
		at = w.p.nodes[at+1].next
	}
	slices.SortFunc(w.members[begin:], func(l, r uint32) int { return w.p.compare(int(l), int(r)) })
	for i := range count {
		w.member(w.members[begin+int(i)], i)
	}
	w.members = w.members[:begin]
}

// member writes the name at a node and the value behind it.
func (w *writer) member(at, number uint32) uint32 {
	if number > 0 {
		w.out = append(w.out, ',')
	}
	at = w.value(at)
	w.out = append(w.out, ':')
	return w.value(at)
}
