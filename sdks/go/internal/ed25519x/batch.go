package ed25519x

import "filippo.io/edwards25519"

// batchSize is the number of items that one equation checks. Larger ones gain little.
const batchSize = 2048

// fewItems are checked one by one.
const fewItems = 3

// smallBatch is the number of items up to which a batch with several bad ones is not narrowed further.
const smallBatch = 256

// VerifyBatch verifies many signatures, and returns for each, in order, whether it verifies: the same as [Verify] of it
// alone. Items with the same key are the cheaper ones.
func VerifyBatch(items []Item) []bool {
	verdicts := make([]bool, len(items))
	if len(items) <= fewItems {
		for i, one := range items {
			verdicts[i] = Verify(one.PublicKey, one.Message, one.Signature)
		}
		return verdicts
	}
	known := keys{}
	batch := make([]candidate, 0, min(len(items), batchSize))
	for i := range items {
		batch = batch[:len(batch)+1]
		if c := &batch[len(batch)-1]; c.prepare(&items[i], known) && c.decodeR() {
			c.index = i
		} else {
			batch = batch[:len(batch)-1]
		}
		if len(batch) == batchSize || i == len(items)-1 {
			settle(batch, verdicts, false)
			batch = batch[:0]
		}
	}
	return verdicts
}

// settle finds which items of a batch verify. isBad says that the batch as a whole is known to fail.
func settle(batch []candidate, verdicts []bool, isBad bool) {
	if len(batch) <= fewItems {
		for i := range batch {
			verdicts[batch[i].index] = batch[i].holds()
		}
		return
	}
	if !isBad && equationHolds(batch) {
		for i := range batch {
			verdicts[batch[i].index] = true
		}
		return
	}
	// Where both halves fail there is more than one bad item. In a small batch those are mostly many: then one by one is
	// quicker.
	left, right := batch[:len(batch)/2], batch[len(batch)/2:]
	if equationHolds(left) {
		for i := range left {
			verdicts[left[i].index] = true
		}
		settle(right, verdicts, true)
		return
	}
	if equationHolds(right) {
		for i := range right {
			verdicts[right[i].index] = true
		}
		settle(left, verdicts, true)
		return
	}
	if len(batch) > smallBatch {
		settle(left, verdicts, true)
		settle(right, verdicts, true)
		return
	}
	for i := range batch {
		verdicts[batch[i].index] = batch[i].holds()
	}
}

// equationHolds checks the one equation of protocol section 3 for a batch: 8 times the sum of z_i R_i and z_i k_i A_i,
// less [sum of z_i S_i]B, is the identity.
func equationHolds(batch []candidate) bool {
	scalars := make([]*edwards25519.Scalar, 0, 2*len(batch)+1)
	points := make([]*edwards25519.Point, 0, 2*len(batch)+1)
	// The terms of one key, which is one point in a batch, are merged.
	ofKey := map[*edwards25519.Point]*edwards25519.Scalar{}
	base := edwards25519.NewScalar()
	for i, z := range coefficients(batch) {
		c := &batch[i]
		scalars, points = append(scalars, z), append(points, c.r)
		base.MultiplyAdd(z, &c.s, base)
		sum, found := ofKey[c.a]
		if !found {
			sum = edwards25519.NewScalar()
			ofKey[c.a] = sum
			scalars, points = append(scalars, sum), append(points, c.a)
		}
		sum.MultiplyAdd(z, &c.k, sum)
	}
	scalars = append(scalars, base.Negate(base))
	points = append(points, edwards25519.NewGeneratorPoint())
	return isSmall(sumOf(scalars, points))
}
