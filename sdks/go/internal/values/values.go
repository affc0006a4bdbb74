// Package values reads members of objects and writes texts: numbers, hashes, times, paths and key identifiers. It
// decides nothing.
package values

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
)

// Zeros is the previous hash of a first element.
const Zeros = "0000000000000000000000000000000000000000000000000000000000000000"

// Text returns a member that is a text; empty without such a member.
func Text(object jsonx.Value, name string) string {
	value, _ := object.Get(name).Text()
	return value
}

// Number returns a member that is an integer; 0 without such a member.
func Number(object jsonx.Value, name string) int64 {
	value, _ := object.Get(name).Int()
	return value
}

// Flag returns a member that is a boolean; false without such a member.
func Flag(object jsonx.Value, name string) bool {
	value, _ := object.Get(name).Bool()
	return value
}

// Has says whether an object has a member.
func Has(object jsonx.Value, name string) bool { return object.Get(name).Exists() }

// Items returns the elements of an array.
func Items(array jsonx.Value) []jsonx.Value {
	list := make([]jsonx.Value, 0, array.Len())
	for _, one := range array.Elements() {
		list = append(list, one)
	}
	return list
}

// First returns the first element of an array; the zero Value if it is empty or no array.
func First(array jsonx.Value) jsonx.Value {
	for _, one := range array.Elements() {
		return one
	}
	return jsonx.Value{}
}

// Texts yields the texts of an array.
func Texts(array jsonx.Value) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for index, one := range array.Elements() {
			value, _ := one.Text()
			if !yield(index, value) {
				return
			}
		}
	}
}

// ParseHash returns the 32 bytes that a hash of 64 digits stands for, and zeros for any other text.
func ParseHash(text string) (hash merkle.Hash) {
	if len(text) == 2*len(hash) {
		if _, err := hex.Decode(hash[:], []byte(text)); err != nil {
			return merkle.Hash{}
		}
	}
	return hash
}

// Hash returns a member that is a hash; zeros without such a member.
func Hash(object jsonx.Value, name string) merkle.Hash { return ParseHash(Text(object, name)) }

// Hashes returns the hashes of an array of texts.
func Hashes(array jsonx.Value) []merkle.Hash {
	list := make([]merkle.Hash, 0, array.Len())
	for _, one := range Texts(array) {
		list = append(list, ParseHash(one))
	}
	return list
}

// Hex returns a hash in hexadecimal digits.
func Hex(hash digest.Hash) string { return hex.EncodeToString(hash[:]) }

// Itoa returns a number in decimal digits.
func Itoa(n int64) string { return strconv.FormatInt(n, 10) }

// At returns the path of an item.
func At(path string, index int) string { return path + "/" + strconv.Itoa(index) }

// Hexes returns hashes in hexadecimal digits.
func Hexes(list []merkle.Hash) []string {
	out := make([]string, 0, len(list))
	for _, one := range list {
		out = append(out, Hex(one))
	}
	return out
}

// KID returns the key identifier of a raw public key.
func KID(key []byte) string {
	sum := sha256.Sum256(key)
	return "ed25519-" + hex.EncodeToString(sum[:8])
}

// Least returns the one of two words that stands first in their order.
func Least(order []string, a, b string) string {
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// Without returns an object without members, and with others in their place.
func Without(object jsonx.Value, drop []string, add jsonx.Members) jsonx.Raw {
	return jsonx.NewEdit(drop, add).Append(nil, object)
}

// AppendMember appends a name, which stands with its comma or bracket and its colon, and a value.
func AppendMember(dst []byte, name string, value jsonx.Value) []byte {
	return append(append(dst, name...), value.Canonical()...)
}

// TextOf returns a value that is a text; empty for any other.
func TextOf(value jsonx.Value) string {
	text, _ := value.Text()
	return text
}

// Unhex returns the bytes that hexadecimal digits stand for; nil for any other text.
func Unhex(text string) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil
	}
	return raw
}

// Choice returns one of two texts.
func Choice(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// ID returns a member that is a text; nil without such a member.
func ID(object jsonx.Value, name string) *string {
	id, ok := object.Get(name).Text()
	if !ok {
		return nil
	}
	return &id
}
