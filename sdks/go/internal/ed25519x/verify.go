package ed25519x

import "filippo.io/edwards25519"

// Verify says whether one signature verifies.
func Verify(publicKey, message, signature []byte) bool {
	var c candidate
	return c.prepare(&Item{publicKey, message, signature}, nil) && c.holds()
}

// holds checks the equation of one item: 8 times ([S]B - [k]A - R) is the identity.
func (c *candidate) holds() bool {
	minusA := new(edwards25519.Point).Negate(c.a)
	sum := new(edwards25519.Point).VarTimeDoubleScalarBaseMult(&c.k, minusA, &c.s)
	return isSmall(sum.Subtract(sum, c.r))
}
