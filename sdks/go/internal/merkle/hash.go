// Package merkle has the trees of RFC 6962, and the proofs of RFC 9162 sections 2.1.3 and 2.1.4 as protocol section 1
// wants them. A tree has at least one leaf; sizes and indexes are up to 2^53-1.
package merkle

import "crypto/sha256"

// HashSize is the length of a hash in bytes.
const HashSize = sha256.Size

// MaxSize is the greatest number of leaves.
const MaxSize = 1<<53 - 1

// A Hash is a leaf hash, a node hash or a root.
type Hash = [HashSize]byte

// LeafHash returns SHA-256(0x00 ‖ data).
func LeafHash(data []byte) (sum Hash) {
	if len(data) == HashSize {
		var block [1 + HashSize]byte
		copy(block[1:], data)
		return sha256.Sum256(block[:])
	}
	h := sha256.New()
	h.Write([]byte{0})
	h.Write(data)
	h.Sum(sum[:0])
	return sum
}

// NodeHash returns SHA-256(0x01 ‖ left ‖ right).
func NodeHash(left, right Hash) Hash {
	var block [1 + 2*HashSize]byte
	block[0] = 1
	copy(block[1:], left[:])
	copy(block[1+HashSize:], right[:])
	return sha256.Sum256(block[:])
}
