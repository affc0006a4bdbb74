package examine

import (
	"encoding/hex"
	"iter"
	"strconv"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
)

// zeros is the previous hash of a first element.
const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

// text returns a member that is a text; empty without such a member.
func text(object jsonx.Value, name string) string {
	value, _ := object.Get(name).Text()
	return value
}

// number returns a member that is an integer; 0 without such a member.
func number(object jsonx.Value, name string) int64 {
	value, _ := object.Get(name).Int()
	return value
}

// flag returns a member that is a boolean; false without such a member.
func flag(object jsonx.Value, name string) bool {
	value, _ := object.Get(name).Bool()
	return value
}

// has says whether an object has a member.
func has(object jsonx.Value, name string) bool { return object.Get(name).Exists() }

// items returns the elements of an array.
func items(array jsonx.Value) []jsonx.Value {
	list := make([]jsonx.Value, 0, array.Len())
	for _, one := range array.Elements() {
		list = append(list, one)
	}
	return list
}

// firstOf returns the first element of an array; the zero Value if it is empty or no array.
func firstOf(array jsonx.Value) jsonx.Value {
	for _, one := range array.Elements() {
		return one
	}
	return jsonx.Value{}
}

// textsOf yields the texts of an array.
func textsOf(array jsonx.Value) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for index, one := range array.Elements() {
			value, _ := one.Text()
			if !yield(index, value) {
				return
			}
		}
	}
}

// hashText returns the 32 bytes that a hash of 64 digits stands for, and zeros for any other text.
func hashText(text string) (hash merkle.Hash) {
	if len(text) == 2*len(hash) {
		if _, err := hex.Decode(hash[:], []byte(text)); err != nil {
			return merkle.Hash{}
		}
	}
	return hash
}

func hashOf(object jsonx.Value, name string) merkle.Hash { return hashText(text(object, name)) }

// hashes returns the hashes of an array of texts.
func hashes(array jsonx.Value) []merkle.Hash {
	list := make([]merkle.Hash, 0, array.Len())
	for _, one := range textsOf(array) {
		list = append(list, hashText(one))
	}
	return list
}

func hexOf(hash digest.Hash) string { return hex.EncodeToString(hash[:]) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// at returns the path of an item.
func at(path string, index int) string { return path + "/" + strconv.Itoa(index) }
