package window

import (
	"math/bits"
	"slices"

	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
)

// A Run is windows that follow each other behind the frontier of those before them: leaves of a stream's tree.
type Run struct {
	// Prior is the number of windows before the run.
	Prior    int64
	Frontier []merkle.Hash
	// Hashes are the window hashes.
	Hashes []merkle.Hash
}

// Path returns the inclusion path of a window, by its index from 0, in the tree of so many windows of a stream. The
// window and all behind it are of the run.
func (r *Run) Path(k kernel.Kernel, index, size int64) []merkle.Hash {
	var path []merkle.Hash
	begin, end := int64(0), size
	for end-begin > 1 {
		middle := begin + int64(1)<<(bits.Len64(uint64(end-begin-1))-1)
		if index < middle {
			path = append(path, r.subtree(k, middle, end))
			end = middle
		} else {
			path = append(path, r.subtree(k, begin, middle))
			begin = middle
		}
	}
	slices.Reverse(path)
	return path
}

// subtree returns the hash over windows from one index to another, from the frontier where they come before the run.
func (r *Run) subtree(k kernel.Kernel, begin, end int64) merkle.Hash {
	at := int64(0)
	for _, hash := range r.Frontier {
		size := int64(1) << (bits.Len64(uint64(r.Prior-at)) - 1)
		if at == begin && at+size == end {
			return hash
		}
		at += size
	}
	if end-begin == 1 {
		return k.LeafHash(r.Hashes[begin-r.Prior][:])
	}
	middle := begin + int64(1)<<(bits.Len64(uint64(end-begin-1))-1)
	return merkle.NodeHash(r.subtree(k, begin, middle), r.subtree(k, middle, end))
}
