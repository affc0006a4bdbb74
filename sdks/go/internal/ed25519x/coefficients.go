package ed25519x

import (
	"crypto/sha512"
	"encoding/binary"

	"filippo.io/edwards25519"
)

// batchLine is what the seed of a batch begins with.
const batchLine = "SVC-PROOFSTREAM-001/ed25519-batch\n"

// coefficients returns z_i of protocol section 3 for each item of a batch: nobody who makes signatures can choose them,
// and anybody can repeat them.
func coefficients(batch []candidate) []*edwards25519.Scalar {
	h := sha512.New()
	h.Write([]byte(batchLine))
	var number [8]byte
	binary.LittleEndian.PutUint64(number[:], uint64(len(batch)))
	h.Write(number[:])
	for i := range batch {
		c := &batch[i]
		h.Write(c.item.PublicKey)
		h.Write(c.item.Signature)
		h.Write(c.hash[:])
	}
	var input [sha512.Size + 8]byte
	h.Sum(input[:0])
	values := make([]edwards25519.Scalar, len(batch))
	out := make([]*edwards25519.Scalar, len(batch))
	for i := range batch {
		binary.LittleEndian.PutUint64(input[sha512.Size:], uint64(i))
		sum := sha512.Sum512(input[:])
		var z [32]byte
		copy(z[:16], sum[:])
		if z == [32]byte{} {
			z[0] = 1
		}
		if _, err := values[i].SetCanonicalBytes(z[:]); err != nil {
			panic("ed25519x: 128 bits are not below L")
		}
		out[i] = &values[i]
	}
	return out
}
