package merkle

import "math/bits"

// ProveInclusion returns the path of a leaf, by its index from 0, in the tree of these leaf hashes: the siblings from
// the leaf side on (RFC 9162 section 2.1.3.1). It panics for an index outside of the tree.
func ProveInclusion(leaves []Hash, index int) []Hash {
	if index < 0 || index >= len(leaves) {
		panic("merkle: an index outside of the tree")
	}
	if len(leaves) == 1 {
		return nil
	}
	left := splitAt(len(leaves))
	if index < left {
		return append(ProveInclusion(leaves[:left], index), subtree(leaves[left:]))
	}
	return append(ProveInclusion(leaves[left:], index-left), subtree(leaves[:left]))
}

// ProveConsistency returns the path from the tree of the first size leaves to that of all (RFC 9162 section 2.1.4.1).
// It panics unless 1 <= size <= len(leaves).
func ProveConsistency(leaves []Hash, size int) []Hash {
	if size < 1 || size > len(leaves) {
		panic("merkle: no tree of this size in the tree")
	}
	return subProof(leaves, size, true)
}

// subProof is SUBPROOF of RFC 9162; isKnown says whether the reader has the root of the first size leaves.
func subProof(leaves []Hash, size int, isKnown bool) []Hash {
	if size == len(leaves) {
		if isKnown {
			return nil
		}
		return []Hash{subtree(leaves)}
	}
	left := splitAt(len(leaves))
	if size <= left {
		return append(subProof(leaves[:left], size, isKnown), subtree(leaves[left:]))
	}
	return append(subProof(leaves[left:], size-left, false), subtree(leaves[:left]))
}

func subtree(leaves []Hash) Hash {
	root, _ := Root(leaves)
	return root
}

// splitAt returns the greatest power of two below n, which is at least 2.
func splitAt(n int) int { return 1 << (bits.Len(uint(n-1)) - 1) }
