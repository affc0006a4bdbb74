package trie

import (
	"bytes"
	"testing"

	"svc.example/go/internal/keccak"
)

// encoded writes an item in the one way that RLP has for it.
func encoded(item *Item) []byte {
	content, base := item.Bytes, byte(0x80)
	if item.IsList {
		content, base = nil, 0xc0
		for i := range item.List {
			content = append(content, encoded(&item.List[i])...)
		}
	} else if len(content) == 1 && content[0] < 0x80 {
		return content
	}
	if len(content) <= 55 {
		return append([]byte{base + byte(len(content))}, content...)
	}
	var length []byte
	for n := len(content); n > 0; n >>= 8 {
		length = append([]byte{byte(n)}, length...)
	}
	return append(append([]byte{base + 55 + byte(len(length))}, length...), content...)
}

// FuzzDecode: what is accepted has one encoding, which was given.
func FuzzDecode(f *testing.F) {
	long := Item{IsList: true, List: []Item{{Bytes: bytes.Repeat([]byte{1}, 300)}, {Bytes: []byte{5}}, {IsList: true}}}
	for _, seed := range [][]byte{encoded(&long), {0x80}, {0xc0}, {0x81, 0x7f}, {0xb8, 56}, {0xf9, 0xff, 0xff}, {0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item, ok := Decode(raw)
		if ok && !bytes.Equal(encoded(&item), raw) {
			t.Fatalf("%x is written as %x", raw, encoded(&item))
		}
		if number, ok := item.Uint(); ok && number < -1 {
			t.Fatalf("%x: the number %d", raw, number)
		}
		block, ok := ParseBlock(raw)
		if ok && (block.Number < -1 || block.Time < 0) {
			t.Fatalf("%x: %+v", raw, block)
		}
		ParseAccount(raw)
	})
}

// FuzzValue: a value is only found behind the root, and a fault names a node that is there.
func FuzzValue(f *testing.F) {
	leaf := Item{IsList: true, List: []Item{{Bytes: append([]byte{0x20}, bytes.Repeat([]byte{0xab}, 32)...)}, {Bytes: []byte("value")}}}
	f.Add(bytes.Repeat([]byte{0xab}, 32), encoded(&leaf), []byte{})
	f.Add([]byte{1, 2}, encoded(&leaf), encoded(&leaf))
	f.Fuzz(func(t *testing.T, key, first, second []byte) {
		proof := [][]byte{first}
		if len(second) > 0 {
			proof = append(proof, second)
		}
		root := keccak.Sum256(first)
		value, fault := Value(root[:], key, proof)
		if fault != nil && (fault.Index < -1 || fault.Index >= len(proof)) {
			t.Fatalf("%x: %+v", proof, fault)
		}
		if fault == nil && value != nil && !bytes.Contains(proof[len(proof)-1], value) {
			t.Fatalf("%x is not in %x", value, proof)
		}
		other := root
		other[0] ^= 1
		if value, fault := Value(other[:], key, proof); fault == nil {
			t.Fatalf("%x has the value %x under another root", proof, value)
		}
	})
}
