package trie

import (
	"bytes"

	"svc.example/go/internal/keccak"
)

const (
	maxNodes = 64
	hashSize = keccak.Size
)

// A Fault says why a proof does not lead to a value.
type Fault struct {
	// Index is the node at fault; -1 for the proof itself.
	Index int
	// IsInvalid tells bytes that are no proof from a proof of something else.
	IsInvalid bool
}

// A node is a branch, an extension or a leaf.
type node struct {
	// children are the 16 references of a branch, and the value at its own path; nil for a pair.
	children []Item
	path     []byte
	isLeaf   bool
	target   Item
}

// Value follows a proof from a root to the value under a key of 32 bytes.
func Value(root []byte, key []byte, proof [][]byte) (value []byte, fault *Fault) {
	nodes := make([]*node, 0, len(proof))
	if len(proof) > maxNodes {
		return nil, &Fault{maxNodes, true}
	}
	for i, raw := range proof {
		item, ok := Decode(raw)
		if !ok || len(raw) < hashSize {
			return nil, &Fault{i, true}
		}
		one, ok := nodeOf(&item)
		if !ok {
			return nil, &Fault{i, true}
		}
		nodes = append(nodes, one)
	}
	rest, expected := nibbles(key), root
	for i := 0; ; i++ {
		if i == len(nodes) {
			return nil, &Fault{i, true}
		}
		if sum := keccak.Sum256(proof[i]); !bytes.Equal(sum[:], expected) {
			return nil, &Fault{i, false}
		}
		found, next, ok := walk(nodes[i], &rest)
		switch {
		case !ok:
			return nil, &Fault{i, false}
		case next != nil:
			expected = next
		case found.IsList:
			return nil, &Fault{-1, true}
		case i+1 < len(nodes):
			return nil, &Fault{i + 1, true}
		default:
			return found.Bytes, nil
		}
	}
}

// walk follows a path through a node and the nodes inside of it: to a value, or to the hash of the next node. ok is
// false where the trie holds nothing there.
func walk(n *node, rest *[]byte) (value Item, next []byte, ok bool) {
	for {
		var reference Item
		if n.children != nil {
			if len(*rest) == 0 {
				return n.children[16], nil, len(n.children[16].Bytes) > 0
			}
			reference = n.children[(*rest)[0]]
			*rest = (*rest)[1:]
		} else {
			if n.isLeaf {
				return n.target, nil, bytes.Equal(*rest, n.path)
			}
			if !bytes.HasPrefix(*rest, n.path) {
				return value, nil, false
			}
			*rest = (*rest)[len(n.path):]
			reference = n.target
		}
		if !reference.IsList {
			return value, reference.Bytes, len(reference.Bytes) > 0
		}
		// It has been read as a node before.
		n, _ = nodeOf(&reference)
	}
}

func nodeOf(item *Item) (n *node, ok bool) {
	if !item.IsList {
		return nil, false
	}
	switch len(item.List) {
	case 17:
		for i := range item.List[:16] {
			if child := &item.List[i]; !isReference(child) && (child.IsList || len(child.Bytes) > 0) {
				return nil, false
			}
		}
		return &node{children: item.List}, !item.List[16].IsList
	case 2:
		path, isLeaf, ok := hexPrefix(&item.List[0])
		if !ok {
			return nil, false
		}
		n = &node{path: path, isLeaf: isLeaf, target: item.List[1]}
		return n, isLeaf || (len(path) > 0 && isReference(&n.target))
	default:
		return nil, false
	}
}

// isReference says whether an item is a hash, or a node shorter than one.
func isReference(item *Item) bool {
	if !item.IsList {
		return len(item.Bytes) == hashSize
	}
	_, ok := nodeOf(item)
	return ok && len(item.Raw) < hashSize
}

// hexPrefix reads a path in hex-prefix encoding.
func hexPrefix(item *Item) (path []byte, isLeaf, ok bool) {
	if item.IsList || len(item.Bytes) == 0 {
		return nil, false, false
	}
	flags := item.Bytes[0] >> 4
	all := nibbles(item.Bytes)
	if flags > 3 {
		return nil, false, false
	}
	if flags&1 == 1 {
		return all[1:], flags&2 != 0, true
	}
	return all[2:], flags&2 != 0, all[1] == 0
}

func nibbles(raw []byte) []byte {
	list := make([]byte, 0, 2*len(raw))
	for _, c := range raw {
		list = append(list, c>>4, c&15)
	}
	return list
}
