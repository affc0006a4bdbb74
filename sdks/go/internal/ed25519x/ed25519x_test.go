package ed25519x_test

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"filippo.io/edwards25519"
	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/kerneltest"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	out, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t testing.TB, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// The signatures of Wycheproof have no torsion parts, so that its answers hold here too.
func TestWycheproof(t *testing.T) {
	var file struct {
		TestGroups []struct {
			PublicKey struct{ Pk string }
			Tests     []struct {
				TcID             int
				Msg, Sig, Result string
			}
		}
	}
	read(t, kerneltest.Vectors(t, "ed25519/wycheproof-ed25519.json"), &file)
	var items []ed25519x.Item
	var want []bool
	for _, group := range file.TestGroups {
		for _, one := range group.Tests {
			items = append(items, ed25519x.Item{
				PublicKey: unhex(t, group.PublicKey.Pk), Message: unhex(t, one.Msg), Signature: unhex(t, one.Sig),
			})
			want = append(want, one.Result == "valid")
		}
	}
	check(t, items, want)
}

func TestVectorsOfSection3(t *testing.T) {
	var list []struct {
		Name      string
		PublicKey string `json:"public_key_hex"`
		Message   string `json:"message_hex"`
		Signature string `json:"signature_hex"`
		Valid     bool
	}
	read(t, kerneltest.Vectors(t, "proofstream/ed25519.json"), &list)
	var items []ed25519x.Item
	var want []bool
	for _, one := range list {
		items = append(items, ed25519x.Item{
			PublicKey: unhex(t, one.PublicKey), Message: unhex(t, one.Message), Signature: unhex(t, one.Signature),
		})
		want = append(want, one.Valid)
	}
	check(t, items, want)
}

// check holds each item to its verdict, alone and in one batch.
func check(t *testing.T, items []ed25519x.Item, want []bool) {
	t.Helper()
	if len(items) == 0 {
		t.Fatal("no vectors")
	}
	for i, item := range items {
		if got := ed25519x.Verify(item.PublicKey, item.Message, item.Signature); got != want[i] {
			t.Errorf("%d: %v", i, got)
		}
	}
	if got := ed25519x.VerifyBatch(items); !slices.Equal(got, want) {
		t.Errorf("together: %v, want %v", got, want)
	}
}

// signed returns n signatures by a few keys.
func signed(n, keys int) []ed25519x.Item {
	items := make([]ed25519x.Item, n)
	for i := range items {
		private := privateKey(i % keys)
		message := fmt.Append(nil, "message ", i)
		items[i] = ed25519x.Item{
			PublicKey: private.Public().(ed25519.PublicKey), Message: message, Signature: ed25519.Sign(private, message),
		}
	}
	return items
}

func privateKey(i int) ed25519.PrivateKey {
	seed := sha512.Sum512(fmt.Append(nil, "key ", i))
	return ed25519.NewKeyFromSeed(seed[:32])
}

// A point of order 8: the one of the ten small encodings of section 3 that has a fraction for its y.
const orderEight = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"

// withTorsion adds a point of small order to R of a signature that is made anew: cofactored it holds, otherwise not.
func withTorsion(t *testing.T, private ed25519.PrivateKey, message []byte) ed25519x.Item {
	t.Helper()
	hash := sha512.Sum512(private.Seed())
	secret, err := edwards25519.NewScalar().SetBytesWithClamping(hash[:32])
	if err != nil {
		t.Fatal(err)
	}
	nonce, _ := edwards25519.NewScalar().SetUniformBytes(hash[:])
	torsion, err := new(edwards25519.Point).SetBytes(unhex(t, orderEight))
	if err != nil {
		t.Fatal(err)
	}
	r := new(edwards25519.Point).ScalarBaseMult(nonce)
	r.Add(r, torsion)
	public := private.Public().(ed25519.PublicKey)
	digest := sha512.Sum512(slices.Concat(r.Bytes(), public, message))
	k, _ := edwards25519.NewScalar().SetUniformBytes(digest[:])
	s := edwards25519.NewScalar().MultiplyAdd(k, secret, nonce)
	return ed25519x.Item{PublicKey: public, Message: message, Signature: append(r.Bytes(), s.Bytes()...)}
}

func TestTorsionHoldsAloneAndTogether(t *testing.T) {
	item := withTorsion(t, privateKey(0), []byte("m"))
	if ed25519.Verify(item.PublicKey, item.Message, item.Signature) {
		t.Error("the signature has no torsion part")
	}
	for _, others := range []int{20, 1000} {
		items := append(signed(others, 3), item, item)
		check(t, items, slices.Repeat([]bool{true}, len(items)))
	}
}

// spoil makes an item that does not verify, in the given way.
func spoil(t *testing.T, item ed25519x.Item, way int) ed25519x.Item {
	t.Helper()
	signature, key := slices.Clone(item.Signature), slices.Clone(item.PublicKey)
	switch way % 8 {
	case 0:
		signature[40] ^= 1
	case 1:
		signature[3] ^= 1
	case 2:
		return ed25519x.Item{PublicKey: key, Message: append([]byte("other"), item.Message...), Signature: signature}
	case 3:
		signature = signature[:63]
	case 4:
		key = append(key, 0)
	case 5:
		key = unhex(t, orderEight)
	case 6:
		// S + L, which is below 2^253 and stands for the same scalar.
		carry := 0
		for i, b := range unhex(t, "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010") {
			sum := int(signature[32+i]) + int(b) + carry
			signature[32+i], carry = byte(sum), sum>>8
		}
	case 7:
		// R with y = p + 1, which is the identity, written otherwise.
		copy(signature, append([]byte{0xee}, append(slices.Repeat([]byte{0xff}, 30), 0x7f)...))
	}
	return ed25519x.Item{PublicKey: key, Message: item.Message, Signature: signature}
}

func TestSpoiledAtEveryPlace(t *testing.T) {
	spoiledAtEveryPlace(t, 33, 1)
	// So many are added up in buckets.
	spoiledAtEveryPlace(t, 450, 11)
}

func spoiledAtEveryPlace(t *testing.T, count, step int) {
	t.Helper()
	good := signed(count, 4)
	for place := 0; place < count; place += step {
		items := slices.Clone(good)
		want := slices.Repeat([]bool{true}, len(items))
		items[place], want[place] = spoil(t, items[place], place), false
		if got := ed25519x.VerifyBatch(items); !slices.Equal(got, want) {
			t.Errorf("spoiled at %d: %v", place, got)
		}
	}
}

func TestManySpoiled(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	good := signed(2600, 5)
	for _, count := range []int{0, 1, 2, 7, 40, 300, 2600} {
		items := slices.Clone(good)
		want := slices.Repeat([]bool{true}, len(items))
		for _, place := range random.Perm(len(items))[:count] {
			items[place], want[place] = spoil(t, items[place], random.IntN(8)), false
		}
		if got := ed25519x.VerifyBatch(items); !slices.Equal(got, want) {
			t.Errorf("%d spoiled are not found", count)
		}
	}
}

// Two bad signatures whose errors cancel out would pass a batch that adds the equations without coefficients.
func TestErrorsDoNotCancelOut(t *testing.T) {
	items := signed(8, 1)
	swapped := slices.Clone(items)
	one, _ := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{1}, make([]byte, 31)...))
	for i, add := range []bool{true, false} {
		s, _ := edwards25519.NewScalar().SetCanonicalBytes(items[i].Signature[32:])
		if add {
			s.Add(s, one)
		} else {
			s.Subtract(s, one)
		}
		swapped[i].Signature = slices.Concat(items[i].Signature[:32], s.Bytes())
	}
	want := []bool{false, false, true, true, true, true, true, true}
	if got := ed25519x.VerifyBatch(swapped); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestEmpty(t *testing.T) {
	if got := ed25519x.VerifyBatch(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := ed25519x.VerifyBatch(make([]ed25519x.Item, 3)); !slices.Equal(got, []bool{false, false, false}) {
		t.Errorf("%v", got)
	}
}

func ExampleVerifyBatch() {
	private := ed25519.NewKeyFromSeed(make([]byte, 32))
	item := ed25519x.Item{
		PublicKey: private.Public().(ed25519.PublicKey), Message: []byte("m"), Signature: ed25519.Sign(private, []byte("m")),
	}
	other := item
	other.Message = []byte("n")
	fmt.Println(ed25519x.VerifyBatch([]ed25519x.Item{item, other}))
	// Output: [true false]
}
