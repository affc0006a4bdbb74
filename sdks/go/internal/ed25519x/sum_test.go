package ed25519x

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"filippo.io/edwards25519"
)

// A randomScalar is below 2^128 for R in a batch, and any for A; each of both has extremes.
func randomScalar(random *rand.ChaCha8, way int) *edwards25519.Scalar {
	var wide [64]byte
	switch way % 4 {
	case 0:
		random.Read(wide[:16])
	case 1:
		random.Read(wide[:])
	case 2:
		wide[random.Uint64()%32] = byte(0x7f + random.Uint64()%3)
	}
	scalar, err := edwards25519.NewScalar().SetUniformBytes(wide[:])
	if err != nil {
		panic(err)
	}
	if random.Uint64()%5 == 0 {
		scalar.Negate(scalar)
	}
	return scalar
}

// before returns one of some points.
func before(points []*edwards25519.Point, random *rand.ChaCha8) *edwards25519.Point {
	if len(points) == 0 {
		return edwards25519.NewGeneratorPoint()
	}
	return points[random.Uint64()%uint64(len(points))]
}

// Sums in buckets are those of edwards25519, of points of each sort: with and without a torsion part, of small order,
// the identity, repeated, with their negatives, and with a Z that is not 1.
func TestSumsInBuckets(t *testing.T) {
	random := rand.NewChaCha8([32]byte{7})
	encoding, _ := hex.DecodeString("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
	torsion, err := new(edwards25519.Point).SetBytes(encoding)
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range []int{0, 1, 2, 3, 17, 200, manyTerms, 1000} {
		scalars := make([]*edwards25519.Scalar, count)
		points := make([]*edwards25519.Point, count)
		for i := range points {
			scalars[i] = randomScalar(random, int(random.Uint64()%4))
			point := new(edwards25519.Point).ScalarBaseMult(randomScalar(random, 1))
			switch random.Uint64() % 7 {
			case 0:
				point.Add(point, torsion)
			case 1:
				point.VarTimeDoubleScalarBaseMult(randomScalar(random, 2), torsion, edwards25519.NewScalar())
			case 2:
				point.Set(edwards25519.NewIdentityPoint())
			case 3:
				point.Negate(before(points[:i], random))
			case 4:
				point.Set(before(points[:i], random))
			case 5:
				if point, err = point.SetBytes(point.Bytes()); err != nil {
					t.Fatal(err)
				}
			}
			points[i] = point
		}
		want := new(edwards25519.Point).VarTimeMultiScalarMult(scalars, points)
		if got := sumInBuckets(scalars, points); got.Equal(want) != 1 {
			t.Errorf("%d points: %x, and %x is right", count, got.Bytes(), want.Bytes())
		}
	}
}

// The digits of a scalar are the scalar.
func TestSignedDigits(t *testing.T) {
	random := rand.NewChaCha8([32]byte{8})
	base, err := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{0, 1}, make([]byte, 30)...))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4000 {
		scalar := randomScalar(random, i)
		var places [digits]int8
		length := signedDigits(&places, scalar)
		sum := edwards25519.NewScalar()
		for place := digits - 1; place >= 0; place-- {
			if digit := int(places[place]); digit != 0 && place >= length {
				t.Fatalf("%x: a digit at %d, beyond %d", scalar.Bytes(), place, length)
			}
			small := edwards25519.NewScalar()
			absolute := make([]byte, 32)
			absolute[0] = byte(max(int(places[place]), -int(places[place])))
			if _, err := small.SetCanonicalBytes(absolute); err != nil {
				t.Fatal(err)
			}
			if places[place] < 0 {
				small.Negate(small)
			}
			sum.MultiplyAdd(sum, base, small)
		}
		if sum.Equal(scalar) != 1 {
			t.Fatalf("%x has the digits %v", scalar.Bytes(), places)
		}
	}
}

func BenchmarkSums(b *testing.B) {
	random := rand.NewChaCha8([32]byte{9})
	for _, count := range []int{128, 256, 384, 512, 1024} {
		scalars := make([]*edwards25519.Scalar, count)
		points := make([]*edwards25519.Point, count)
		for i := range points {
			scalars[i] = randomScalar(random, 0)
			points[i], _ = new(edwards25519.Point).SetBytes(new(edwards25519.Point).ScalarBaseMult(randomScalar(random, 1)).Bytes())
		}
		for name, sum := range map[string]func([]*edwards25519.Scalar, []*edwards25519.Point) *edwards25519.Point{
			"buckets": sumInBuckets, "tables": new(edwards25519.Point).VarTimeMultiScalarMult,
		} {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					sum(scalars, points)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(count), "ns/term")
			})
		}
	}
}
