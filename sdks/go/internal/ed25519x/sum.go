package ed25519x

import (
	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
)

// manyTerms is the number of terms from which buckets take less time than the tables of edwards25519.
const manyTerms = 384

// sumOf returns the sum of [scalars[i]]points[i]. It takes a time that depends on its input.
func sumOf(scalars []*edwards25519.Scalar, points []*edwards25519.Point) *edwards25519.Point {
	if len(points) < manyTerms {
		return new(edwards25519.Point).VarTimeMultiScalarMult(scalars, points)
	}
	return sumInBuckets(scalars, points)
}

const (
	// digits are those of a scalar below 2^253 in base 256, from -128 to 127.
	digits = 32
	// buckets has one for each absolute value of a digit but 0.
	buckets = 128
	// digitBits is the length of a digit.
	digitBits = 8
)

// sumInBuckets is Pippenger's way: of each place of the digits, the points with the same digit are added up first, so
// that a point costs one addition a place. (Bernstein, Doumen, Lange, Oosterwijk: Faster batch forgery identification,
// section 4.)
func sumInBuckets(scalars []*edwards25519.Scalar, points []*edwards25519.Point) *edwards25519.Point {
	terms := make([]affine, len(points))
	for i, point := range points {
		terms[i].set(point)
	}
	places := make([][digits]int8, len(scalars))
	most := 0
	for i, scalar := range scalars {
		most = max(most, signedDigits(&places[i], scalar))
	}
	sum := edwards25519.NewIdentityPoint()
	for place := most - 1; place >= 0; place-- {
		for range digitBits {
			sum.Add(sum, sum)
		}
		sum.Add(sum, sumOfPlace(terms, places, place))
	}
	return sum
}

// signedDigits sets the digits of a scalar, the least first, and returns their number without zeros at the end.
func signedDigits(out *[digits]int8, scalar *edwards25519.Scalar) (length int) {
	carry := 0
	for i, b := range scalar.Bytes() {
		digit := int(b) + carry
		carry = 0
		if digit >= 1<<(digitBits-1) {
			digit -= 1 << digitBits
			carry = 1
		}
		if out[i] = int8(digit); digit != 0 {
			length = i + 1
		}
	}
	return length
}

// sumOfPlace returns the sum of [digit]term for the digits of one place.
func sumOfPlace(terms []affine, places [][digits]int8, place int) *edwards25519.Point {
	var sums [buckets]extended
	for i := range sums {
		sums[i].setIdentity()
	}
	for i := range terms {
		switch digit := int(places[i][place]); {
		case digit > 0:
			sums[digit-1].add(&terms[i])
		case digit < 0:
			sums[-digit-1].subtract(&terms[i])
		}
	}
	// Bucket b counts b times: it is in b of the sums of the buckets from the last one down to one.
	above, total := &sums[buckets-1], sums[buckets-1]
	for i := buckets - 2; i >= 0; i-- {
		above.join(&sums[i])
		total.join(above)
	}
	return total.point()
}

// An extended is a point by its extended coordinates: x = X/Z, y = Y/Z, xy = T/Z (Hisil, Wong, Carter, Dawson: Twisted
// Edwards curves revisited, section 3). All formulas here hold for each two points of the curve.
type extended struct{ x, y, z, t field.Element }

// An affine is a point with Z = 1, by what additions take of it: y + x, y - x, 2dxy.
type affine struct{ plus, minus, product field.Element }

// twiceD is 2d of the curve -x² + y² = 1 + dx²y²; d is -121665/121666 (RFC 8032 section 5.1).
var twiceD = func() *field.Element {
	one := new(field.Element).One()
	d := new(field.Element).Invert(new(field.Element).Mult32(one, 121666))
	d.Negate(d.Mult32(d, 121665))
	return d.Add(d, d)
}()

func (q *affine) set(point *edwards25519.Point) {
	x, y, z, _ := point.ExtendedCoordinates()
	if z.Equal(new(field.Element).One()) == 0 {
		z.Invert(z)
		x.Multiply(x, z)
		y.Multiply(y, z)
	}
	q.plus.Add(y, x)
	q.minus.Subtract(y, x)
	q.product.Multiply(x, y)
	q.product.Multiply(&q.product, twiceD)
}

func (p *extended) setIdentity() {
	p.x.Zero()
	p.y.One()
	p.z.One()
	p.t.Zero()
}

func (p *extended) add(q *affine) {
	var c field.Element
	c.Multiply(&p.t, &q.product)
	p.addAffine(&q.plus, &q.minus, &c)
}

// subtract adds the negative of a point, (-x, y).
func (p *extended) subtract(q *affine) {
	var c field.Element
	c.Multiply(&p.t, &q.product)
	p.addAffine(&q.minus, &q.plus, c.Negate(&c))
}

// addAffine adds a point with Z = 1, of which c is the product with T.
func (p *extended) addAffine(plus, minus, c *field.Element) {
	var a, b, d field.Element
	a.Subtract(&p.y, &p.x)
	a.Multiply(&a, minus)
	b.Add(&p.y, &p.x)
	b.Multiply(&b, plus)
	d.Add(&p.z, &p.z)
	p.close(&a, &b, c, &d)
}

// join adds a point that is not affine.
func (p *extended) join(q *extended) {
	var a, b, c, d, other field.Element
	a.Subtract(&p.y, &p.x)
	a.Multiply(&a, other.Subtract(&q.y, &q.x))
	b.Add(&p.y, &p.x)
	b.Multiply(&b, other.Add(&q.y, &q.x))
	c.Multiply(&p.t, twiceD)
	c.Multiply(&c, &q.t)
	d.Add(&p.z, &p.z)
	d.Multiply(&d, &q.z)
	p.close(&a, &b, &c, &d)
}

// close sets the sum of two points from the four products of an addition.
func (p *extended) close(a, b, c, d *field.Element) {
	var e, f, g, h field.Element
	e.Subtract(b, a)
	f.Subtract(d, c)
	g.Add(d, c)
	h.Add(b, a)
	p.x.Multiply(&e, &f)
	p.y.Multiply(&g, &h)
	p.t.Multiply(&e, &h)
	p.z.Multiply(&f, &g)
}

// point returns the point. It panics for coordinates that are of no point of the curve, which a sum never has.
func (p *extended) point() *edwards25519.Point {
	point, err := new(edwards25519.Point).SetExtendedCoordinates(&p.x, &p.y, &p.z, &p.t)
	if err != nil {
		panic("ed25519x: " + err.Error())
	}
	return point
}
