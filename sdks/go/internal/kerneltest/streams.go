package kerneltest

import (
	"encoding/hex"
	"strings"
)

// A Stream is a raw deflate stream (RFC 1951), its declared size and what protocol section 15 says of it.
type Stream struct {
	Name    string
	Packed  []byte
	Size    uint32
	Content string
	IsGood  bool
}

// Streams returns whole streams that were made by hand. The code for lengths below has words of two bits for 0, 1, 2
// and 18.
func Streams() []Stream {
	//                16 17 18  0  8  7  9  6 10  5 11  4 12  3 13  2 14  1
	ofLengths := []int{0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2}
	const zero, one, two, many = "00", "01", "10", "11"
	// zeros writes a run of 11 to 138 lengths of 0.
	zeros := func(b *bitText, count int) *bitText { return b.word(many).number(count-11, 7) }
	// lettersA writes the lengths of 257 literals: "a" has a word of one bit, and the end of the block the one given.
	lettersA := func(b *bitText, endLength string) *bitText {
		zeros(b, 97).word(one)
		zeros(b, 138)
		return zeros(b, 20).word(endLength)
	}
	return []Stream{
		{"an empty fixed block", []byte{3, 0}, 0, "", true},
		{"padding that is set", []byte{3, 4}, 0, "", false},
		{"no bytes", nil, 0, "", false},
		{"an empty stored block", unhex("010000ffff"), 0, "", true},
		{"a bit before the length of a stored block", unhex("090000ffff"), 0, "", false},
		{"a complement that is wrong", unhex("010000fffe"), 0, "", false},
		{"a stored block that is cut", unhex("010200fdff61"), 2, "", false},
		{"a stored block", unhex("010200fdff6162"), 2, "ab", true},
		{"two stored blocks", unhex("000100feff61010100feff62"), 2, "ab", true},
		{"no last block", unhex("000100feff61"), 1, "", false},
		{"a block of the fourth kind", []byte{7, 0}, 0, "", false},
		{"a letter of fixed codes", new(bitText).number(1, 1).number(1, 2).word("10010001 0000000").bytes, 1, "a", true},
		{"a copy to before the beginning", new(bitText).number(1, 1).number(1, 2).word("10010001 0000001 00001 0000000").bytes, 4, "", false},
		{"a copy of the last letter", new(bitText).number(1, 1).number(1, 2).word("10010001 0000001 00000 0000000").bytes, 4, "aaaa", true},
		{"the fixed symbol 286", new(bitText).number(1, 1).number(1, 2).word("10010001 11000110 00000 0000000").bytes, 4, "", false},
		{"the fixed distance 30", new(bitText).number(1, 1).number(1, 2).word("10010001 0000001 11110 0000000").bytes, 4, "", false},
		{"a letter, no distances", lettersA(dynamic(257, 1, ofLengths...), one).word(zero).word("0 0 1").bytes, 2, "aa", true},
		{"one distance of one bit", lettersA(dynamic(257, 1, ofLengths...), one).word(one).word("0 1").bytes, 1, "a", true},
		{"one distance of two bits", lettersA(dynamic(257, 1, ofLengths...), one).word(two).word("0 1").bytes, 1, "", false},
		{"literals that leave a word", lettersA(dynamic(257, 1, ofLengths...), two).word(zero).word("0 10").bytes, 1, "", false},
		{"the end of the block alone, of one bit", zeros(zeros(dynamic(257, 1, ofLengths...), 138), 118).word(one).word(zero).word("0").bytes, 0, "", true},
		{"the end of the block alone, of two bits", zeros(zeros(dynamic(257, 1, ofLengths...), 138), 118).word(two).word(zero).word("00").bytes, 0, "", false},
		{"no end of block", lettersA(dynamic(257, 1, ofLengths...), zero).word(zero).word("0 0").bytes, 2, "", false},
		{"287 literals", lettersA(dynamic(287, 1, ofLengths...), one).bytes, 2, "", false},
		{"31 distances", lettersA(dynamic(257, 31, ofLengths...), one).word(zero).word(many).number(19, 7).word("0 0 1").bytes, 2, "", false},
		{"30 distances", lettersA(dynamic(257, 30, ofLengths...), one).word(zero).word(many).number(18, 7).word("0 0 1").bytes, 2, "aa", true},
		{"a run past all lengths", zeros(lettersA(dynamic(257, 1, ofLengths...), one), 11).word("0 0 1").bytes, 2, "", false},
		{"a repeat before any length", dynamic(257, 1, 1, 1, 0, 0).word("0").number(0, 2).bytes, 0, "", false},
		{"lengths that leave a word", dynamic(257, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2).bytes, 0, "", false},
		{"too many words", dynamic(257, 1, 1, 1, 1, 0).bytes, 0, "", false},
	}
}

// A bitText writes a stream bit by bit.
type bitText struct {
	bytes []byte
	count int
}

// number adds bits with the lowest one first.
func (b *bitText) number(value, bits int) *bitText {
	for i := range bits {
		if b.count%8 == 0 {
			b.bytes = append(b.bytes, 0)
		}
		b.bytes[b.count/8] |= byte(value>>i&1) << (b.count % 8)
		b.count++
	}
	return b
}

// word adds bits of a text of 0 and 1 as they stand.
func (b *bitText) word(text string) *bitText {
	for _, c := range strings.ReplaceAll(text, " ", "") {
		b.number(int(c-'0'), 1)
	}
	return b
}

// dynamic begins a last block with its own codes: so many lengths of each kind, and the lengths of the code for lengths
// in the order of RFC 1951.
func dynamic(literals, distances int, lengths ...int) *bitText {
	b := new(bitText).number(1, 1).number(2, 2).number(literals-257, 5).number(distances-1, 5).number(len(lengths)-4, 4)
	for _, length := range lengths {
		b.number(length, 3)
	}
	return b
}

func unhex(text string) []byte {
	out, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return out
}
