package merkle

import (
	"errors"
	"math/bits"
)

// ErrFrontier says that a frontier has another length than its size demands, or that a size is beyond 2^53-1.
var ErrFrontier = errors.New("merkle: not the frontier of a tree of this size")

// A Frontier is a tree that grows: the hashes of its perfect subtrees, the largest first (protocol section 1). The zero
// value has no leaves.
type Frontier struct {
	size   uint64
	hashes []Hash
}

// NewFrontier returns the frontier of a tree of so many leaves. It copies the hashes, the largest subtree first. It
// returns [ErrFrontier] for another number of hashes than size has bits set.
func NewFrontier(size uint64, hashes []Hash) (*Frontier, error) {
	if size > MaxSize || bits.OnesCount64(size) != len(hashes) {
		return nil, ErrFrontier
	}
	return &Frontier{size, append([]Hash(nil), hashes...)}, nil
}

// Append adds a leaf by its leaf hash. It returns [ErrFrontier], and adds nothing, past 2^53-1 leaves.
func (f *Frontier) Append(leaf Hash) error {
	if f.size == MaxSize {
		return ErrFrontier
	}
	for n := f.size; n&1 == 1; n >>= 1 {
		last := len(f.hashes) - 1
		leaf = NodeHash(f.hashes[last], leaf)
		f.hashes = f.hashes[:last]
	}
	f.hashes = append(f.hashes, leaf)
	f.size++
	return nil
}

// Size returns the number of leaves.
func (f *Frontier) Size() uint64 { return f.size }

// Hashes returns a copy of the hashes, the largest subtree first.
func (f *Frontier) Hashes() []Hash { return append([]Hash(nil), f.hashes...) }

// Root returns the root. ok is false for a tree without leaves, which has none.
func (f *Frontier) Root() (root Hash, ok bool) { return RootOfFrontier(f.hashes) }

// RootOfFrontier returns the root of a tree from its frontier, the largest subtree first. ok is false for an empty one.
func RootOfFrontier(frontier []Hash) (root Hash, ok bool) {
	if len(frontier) == 0 {
		return root, false
	}
	last := len(frontier) - 1
	root = frontier[last]
	for i := last - 1; i >= 0; i-- {
		root = NodeHash(frontier[i], root)
	}
	return root, true
}

// Root returns the root of a tree with these leaf hashes. ok is false without leaves.
func Root(leaves []Hash) (root Hash, ok bool) {
	var f Frontier
	for _, leaf := range leaves {
		if f.Append(leaf) != nil {
			return root, false
		}
	}
	return f.Root()
}
