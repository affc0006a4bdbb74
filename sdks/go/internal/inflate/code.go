package inflate

import mathbits "math/bits"

const (
	// maxLength is the length of the longest code words in bits.
	maxLength = 15
	// quickLength is the length of the code words that one look into a table decodes.
	quickLength = 9
	// maxSymbols is the number of literals and lengths.
	maxSymbols = 288
)

// A code is a canonical Huffman code (RFC 1951 section 3.2.2).
type code struct {
	// quick has for the next bits of the stream a symbol times 16 and the length of its word; 0 for a longer or no word.
	quick [1 << quickLength]uint16
	// counts has the number of words of each length; symbols those that have one, by length and then by value.
	counts  [maxLength + 1]int
	symbols [maxSymbols]uint16
}

// build makes a code from the length of each symbol's word, 0 for none. It returns whether that is a code: one that
// uses every word, or has a single word of one bit, or none. RFC 1951 section 3.2.7 names the last two for distances;
// for literals the single word is what every inflater takes, and no word leaves nothing that ends the block.
func (c *code) build(lengths []uint8) bool {
	clear(c.quick[:])
	clear(c.counts[:])
	for _, length := range lengths {
		c.counts[length]++
	}
	used := len(lengths) - c.counts[0]
	c.counts[0] = 0
	// left is the number of words of a length that are not yet used, nor begin with one that is.
	left := 1
	for length := 1; length <= maxLength; length++ {
		left = left<<1 - c.counts[length]
		if left < 0 {
			return false
		}
	}
	if left > 0 && (used > 1 || used != c.counts[1]) {
		return false
	}
	var word, at [maxLength + 2]int
	for length := 1; length <= maxLength; length++ {
		word[length+1] = (word[length] + c.counts[length]) << 1
		at[length+1] = at[length] + c.counts[length]
	}
	for symbol, length := range lengths {
		if length == 0 {
			continue
		}
		c.symbols[at[length]] = uint16(symbol)
		at[length]++
		if length <= quickLength {
			// Words are in the stream with their highest bit first.
			first := int(mathbits.Reverse16(uint16(word[length])) >> (16 - length))
			for i := first; i < len(c.quick); i += 1 << length {
				c.quick[i] = uint16(symbol<<4 | int(length))
			}
		}
		word[length]++
	}
	return true
}

// read decodes the next word. ok is false where the bits are no word, or the stream ends inside of it.
func (c *code) read(b *bits) (symbol int, ok bool) {
	if b.count < maxLength {
		b.fill()
	}
	if entry := c.quick[b.held&(1<<quickLength-1)]; entry != 0 {
		length := uint(entry & 15)
		if length > b.count {
			return 0, false
		}
		b.skip(length)
		return int(entry >> 4), true
	}
	return c.readLong(b)
}

// readLong decodes a word bit by bit. The words of one length are consecutive numbers.
func (c *code) readLong(b *bits) (symbol int, ok bool) {
	word, first, index := 0, 0, 0
	for length := uint(1); length <= min(maxLength, b.count); length++ {
		word |= int(b.held>>(length-1)) & 1
		count := c.counts[length]
		if word-first < count {
			b.skip(length)
			return int(c.symbols[index+word-first]), true
		}
		index += count
		first = (first + count) << 1
		word <<= 1
	}
	return 0, false
}
