// Package ed25519x verifies Ed25519 signatures by protocol section 3: RFC 8032 with canonical encodings of A and R, S
// below L, A not of small order, and the cofactored equation. A batch gives the same answers as each item alone.
package ed25519x

import (
	"bytes"
	"crypto/sha512"

	"filippo.io/edwards25519"
)

// Lengths in bytes.
const (
	PublicKeySize = 32
	SignatureSize = 64
)

// An Item is one signature to verify. With a key or signature of another length it does not verify.
type Item struct {
	// PublicKey is A, 32 bytes.
	PublicKey []byte
	// Message has any length.
	Message []byte
	// Signature is R and S, 64 bytes.
	Signature []byte
}

// A candidate is an item on its way to the equation.
type candidate struct {
	// index is that of the item.
	index int
	// r is nil until decodeR.
	a, r *edwards25519.Point
	s, k edwards25519.Scalar
	item *Item
	// hash is SHA-512(R ‖ A ‖ M).
	hash [sha512.Size]byte
}

// keys are the points of public keys in canonical encoding and not of small order; nil stands for one that is refused.
type keys map[[PublicKeySize]byte]*edwards25519.Point

// prepare checks an item for everything but the encoding of R and the equation.
func (c *candidate) prepare(item *Item, known keys) bool {
	if len(item.PublicKey) != PublicKeySize || len(item.Signature) != SignatureSize {
		return false
	}
	if _, err := c.s.SetCanonicalBytes(item.Signature[32:]); err != nil {
		return false
	}
	if c.a = known.point(item.PublicKey); c.a == nil {
		return false
	}
	h := sha512.New()
	h.Write(item.Signature[:32])
	h.Write(item.PublicKey)
	h.Write(item.Message)
	h.Sum(c.hash[:0])
	if _, err := c.k.SetUniformBytes(c.hash[:]); err != nil {
		panic("ed25519x: a hash of 64 bytes is refused")
	}
	c.item = item
	return true
}

// decodeR says whether R is the canonical encoding of a point.
func (c *candidate) decodeR() bool {
	c.r = decode(c.item.Signature[:32])
	return c.r != nil
}

// point returns the point of a public key; nil for one that is refused. known may be nil.
func (known keys) point(publicKey []byte) *edwards25519.Point {
	name := [PublicKeySize]byte(publicKey)
	if point, found := known[name]; found {
		return point
	}
	point := decode(publicKey)
	if point != nil && isSmall(point) {
		point = nil
	}
	if known != nil {
		known[name] = point
	}
	return point
}

func isSmall(point *edwards25519.Point) bool {
	return new(edwards25519.Point).MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) == 1
}

var (
	// fieldOrder is p = 2^255 - 19, the largest byte first.
	fieldOrder = append(append([]byte{0x7f}, bytes.Repeat([]byte{0xff}, 30)...), 0xed)
	// minusOne is p - 1.
	minusOne = append(append([]byte{0x7f}, bytes.Repeat([]byte{0xff}, 30)...), 0xec)
	one      = append(make([]byte, 31), 1)
)

// decode returns a point, or nil if these 32 bytes are not the canonical encoding of one: y is p or more, x = 0 has the
// sign 1, or there is no such x. Point.SetBytes takes the first two.
func decode(encoding []byte) *edwards25519.Point {
	var y [32]byte
	for i, b := range encoding {
		y[31-i] = b
	}
	isNegative := y[0]&0x80 != 0
	y[0] &= 0x7f
	if bytes.Compare(y[:], fieldOrder) >= 0 {
		return nil
	}
	if isNegative && (bytes.Equal(y[:], one) || bytes.Equal(y[:], minusOne)) {
		return nil
	}
	point, err := new(edwards25519.Point).SetBytes(encoding)
	if err != nil {
		return nil
	}
	return point
}
