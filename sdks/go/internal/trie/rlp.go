// Package trie reads what proves a value in Ethereum's state: RLP, block headers and Merkle Patricia proofs (protocol
// section 12). Everything is read strictly: one encoding for each value.
package trie

import "svc.example/go/internal/tables"

// An Item is a decoded RLP item: a byte string or a list.
type Item struct {
	IsList bool
	Bytes  []byte
	List   []Item
	// Raw is the whole encoding.
	Raw []byte
}

// Decode reads one item with nothing behind it; ok is false for anything else.
func Decode(raw []byte) (item Item, ok bool) {
	item, rest, ok := decode(raw, 0)
	return item, ok && len(rest) == 0
}

func decode(raw []byte, depth int) (item Item, rest []byte, ok bool) {
	if len(raw) == 0 {
		return item, nil, false
	}
	first := raw[0]
	if first < 0x80 {
		return Item{Bytes: raw[:1], Raw: raw[:1]}, raw[1:], true
	}
	item.IsList = first >= 0xc0
	base := byte(0x80)
	if item.IsList {
		base = 0xc0
	}
	head, length, ok := header(raw, first-base)
	if !ok || uint64(len(raw)-head) < length {
		return item, nil, false
	}
	end := head + int(length)
	item.Raw, rest = raw[:end], raw[end:]
	content := raw[head:end]
	if !item.IsList {
		item.Bytes = content
		// A byte below 0x80 is its own encoding.
		return item, rest, len(content) != 1 || content[0] >= 0x80
	}
	if depth++; depth > tables.MaxRLPDepth {
		return item, nil, false
	}
	for len(content) > 0 {
		var one Item
		one, content, ok = decode(content, depth)
		if !ok {
			return item, nil, false
		}
		item.List = append(item.List, one)
	}
	return item, rest, true
}

// header returns the length of the header and of the content; `sort` is the first byte without its base.
func header(raw []byte, sort byte) (head int, length uint64, ok bool) {
	if sort <= 55 {
		return 1, uint64(sort), true
	}
	digits := int(sort) - 55
	if len(raw) < 1+digits || raw[1] == 0 {
		return 0, 0, false
	}
	for _, c := range raw[1 : 1+digits] {
		if length > 1<<55 {
			return 0, 0, false
		}
		length = length<<8 | uint64(c)
	}
	return 1 + digits, length, length > 55
}

// Uint returns an integer of at most 32 bytes without leading zero: its bytes, and its value where that is at most
// 2^53-1, otherwise -1.
func (i *Item) Uint() (value int64, ok bool) {
	if i.IsList || len(i.Bytes) > 32 || (len(i.Bytes) > 0 && i.Bytes[0] == 0) {
		return 0, false
	}
	for _, c := range i.Bytes {
		if value > tables.MaxSafeInteger>>8 {
			return -1, true
		}
		value = value<<8 | int64(c)
	}
	return value, true
}
