package jsonx

import (
	"bytes"
	"hash/maphash"
	"unicode/utf8"
)

// compare orders two names as RFC 8785 sorts them, by UTF-16 code units.
func (p *parser) compare(left, right int) int {
	l, r := p.nodes[left], p.nodes[right]
	return compareStrings(p.text(l), p.text(r), (l.count|r.count)&isEscaped != 0)
}

// compareStrings orders two canonical strings, given with their quotes, by the UTF-16 code units that they stand for.
func compareStrings(left, right []byte, areEscaped bool) int {
	left, right = left[1:len(left)-1], right[1:len(right)-1]
	if !areEscaped {
		return compareUTF16(left, right)
	}
	for len(left) > 0 && len(right) > 0 {
		l, leftSize := character(left)
		r, rightSize := character(right)
		if l != r {
			return compareUTF16(utf8.AppendRune(nil, l), utf8.AppendRune(nil, r))
		}
		left, right = left[leftSize:], right[rightSize:]
	}
	return len(left) - len(right)
}

// character returns the first character of a canonical string without its quotes, and the number of its bytes.
func character(text []byte) (rune, int) {
	if text[0] != '\\' {
		return utf8.DecodeRune(text)
	}
	p := parser{wire: text}
	return p.escape(0)
}

// CompareNames orders two names by their UTF-16 code units, as canonical bytes do (RFC 8785).
func CompareNames(left, right string) int {
	return compareUTF16([]byte(left), []byte(right))
}

// compareUTF16 orders well-formed UTF-8 as its UTF-16 code units would be ordered. Bytes order by code point, and that
// differs only where a surrogate pair, whose UTF-8 begins with 0xf0 or more, meets U+E000 to U+FFFF, whose UTF-8 begins
// with 0xee or 0xef.
func compareUTF16(left, right []byte) int {
	for i := range min(len(left), len(right)) {
		if l, r := left[i], right[i]; l != r {
			isBefore := l < r
			if l >= 0xee && r >= 0xee && (l >= 0xf0) != (r >= 0xf0) {
				isBefore = !isBefore
			}
			if isBefore {
				return -1
			}
			return 1
		}
	}
	return len(left) - len(right)
}

// nameSets finds names that appear twice in an object whose names are not sorted. The set of each level is used again.
type nameSets struct {
	seed   maphash.Seed
	levels [MaxDepth + 1]nameSet
}

// A nameSet is a hash table of the nodes of names, 0 for none; it has no slots while there are few names. Two canonical
// texts are equal if their names are.
type nameSet struct {
	slots []uint32
	used  int
}

// Up to so many names are compared one by one.
const fewNames = 12

func (s *nameSets) begin(level int) {
	set := &s.levels[level]
	set.slots, set.used = set.slots[:0], 0
}

// add adds a name to those of the object self, which has so many other names. It returns whether the name is new.
func (s *nameSets) add(p *parser, level, self, count, name int) bool {
	set := &s.levels[level]
	if count < fewNames {
		for at, left := uint32(self+1), count; left > 0; at, left = p.nodes[at+1].next, left-1 {
			if bytes.Equal(p.text(p.nodes[at]), p.text(p.nodes[name])) {
				return false
			}
		}
		return true
	}
	if 2*(count+1) > len(set.slots) {
		s.fill(p, set, self, count)
	}
	return s.insert(p, set, uint32(name))
}

// fill makes the table large enough for four times the names that there are, and puts them in.
func (s *nameSets) fill(p *parser, set *nameSet, self, count int) {
	size := 64
	for size < 8*count {
		size *= 2
	}
	if cap(set.slots) < size {
		set.slots = make([]uint32, size)
	}
	set.slots = set.slots[:size]
	clear(set.slots)
	for at, left := uint32(self+1), count; left > 0; at, left = p.nodes[at+1].next, left-1 {
		s.insert(p, set, at)
	}
}

func (s *nameSets) insert(p *parser, set *nameSet, name uint32) bool {
	text := p.text(p.nodes[name])
	mask := uint64(len(set.slots) - 1)
	for slot := maphash.Bytes(s.seed, text) & mask; ; slot = (slot + 1) & mask {
		other := set.slots[slot]
		if other == 0 {
			set.slots[slot] = name
			return true
		}
		if bytes.Equal(p.text(p.nodes[other]), text) {
			return false
		}
	}
}
