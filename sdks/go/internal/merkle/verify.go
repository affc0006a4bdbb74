package merkle

import "math/bits"

// VerifyInclusion says whether a path leads from a leaf hash, at an index from 0, to the root of a tree of so many
// leaves (RFC 9162 section 2.1.3.2). It is false for an index outside of the tree, for a size beyond 2^53-1 and for a
// path that is longer or shorter than index and size demand.
func VerifyInclusion(leaf Hash, index, size uint64, path []Hash, root Hash) bool {
	if index >= size || size > MaxSize {
		return false
	}
	inner := innerLength(index, size)
	if len(path) != inner+bits.OnesCount64(index>>inner) {
		return false
	}
	hash := climb(leaf, index, path[:inner])
	for _, left := range path[inner:] {
		hash = NodeHash(left, hash)
	}
	return hash == root
}

// VerifyConsistency says whether a path shows that a tree of fromSize leaves is the beginning of one of toSize (RFC
// 9162 section 2.1.4.2). It is false from size 0, to a smaller size or one beyond 2^53-1, and for a path of another
// length than the sizes demand; between equal sizes the roots must be equal and the path empty.
func VerifyConsistency(fromSize uint64, fromRoot Hash, toSize uint64, toRoot Hash, path []Hash) bool {
	if fromSize == 0 || fromSize > toSize || toSize > MaxSize {
		return false
	}
	if fromSize == toSize {
		return len(path) == 0 && fromRoot == toRoot
	}
	// The old tree's last perfect subtree is the seed: it stands first in the path, unless it is the whole old tree.
	seed, rest := fromRoot, path
	if fromSize&(fromSize-1) != 0 {
		if len(path) == 0 {
			return false
		}
		seed, rest = path[0], path[1:]
	}
	level := bits.TrailingZeros64(fromSize)
	index := (fromSize - 1) >> level
	inner := innerLength(fromSize-1, toSize) - level
	if inner < 0 || len(rest) != inner+bits.OnesCount64(index>>inner) {
		return false
	}
	// Hashes on the left belong to both trees, those on the right to the new one alone.
	from, to := seed, seed
	for i, one := range rest {
		if i >= inner || index>>i&1 == 1 {
			from, to = NodeHash(one, from), NodeHash(one, to)
		} else {
			to = NodeHash(to, one)
		}
	}
	return from == fromRoot && to == toRoot
}

// innerLength returns how many levels above a leaf it still has siblings on both sides: up to where the way to it and
// the way to the last leaf part.
func innerLength(index, size uint64) int { return bits.Len64(index ^ (size - 1)) }

// climb hashes from a leaf upwards while each bit of the index says on which side the sibling stands.
func climb(hash Hash, index uint64, path []Hash) Hash {
	for i, sibling := range path {
		if index>>i&1 == 1 {
			hash = NodeHash(sibling, hash)
		} else {
			hash = NodeHash(hash, sibling)
		}
	}
	return hash
}
