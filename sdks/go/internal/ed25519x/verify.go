package ed25519x

import (
	"bytes"

	"filippo.io/edwards25519"
)

// Verify says whether one signature verifies.
func Verify(publicKey, message, signature []byte) bool {
	var c candidate
	if !c.prepare(&Item{publicKey, message, signature}, nil) {
		return false
	}
	// Bytes returns canonical encodings alone: an honest R is found to be the point without being decoded.
	r := c.expectedR()
	return bytes.Equal(r.Bytes(), signature[:32]) || (c.decodeR() && c.isCofactored(r))
}

// holds checks the equation of one item whose R is decoded.
func (c *candidate) holds() bool { return c.isCofactored(c.expectedR()) }

// expectedR returns [S]B - [k]A.
func (c *candidate) expectedR() *edwards25519.Point {
	minusA := new(edwards25519.Point).Negate(c.a)
	return new(edwards25519.Point).VarTimeDoubleScalarBaseMult(&c.k, minusA, &c.s)
}

// isCofactored says whether 8 times (expected - R) is the identity.
func (c *candidate) isCofactored(expected *edwards25519.Point) bool {
	return isSmall(new(edwards25519.Point).Subtract(expected, c.r))
}
