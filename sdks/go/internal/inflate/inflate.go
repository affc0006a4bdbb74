// Package inflate unpacks raw deflate streams (RFC 1951) as strictly as protocol section 15 demands, which
// compress/flate does not.
package inflate

// Inflate unpacks packed, which is the whole stream, and calls take with its content piece by piece, in order; a piece
// is valid only until take returns. size is the declared length of the content in bytes.
//
// ok says whether the stream is as section 15 demands: it gives exactly so many bytes, ends exactly where its bytes
// end, and has no bit without a meaning. A bad stream may have passed pieces before, but never more than size bytes.
func Inflate(packed []byte, size uint32, take func(piece []byte)) (ok bool) {
	d := decoder{in: bits{stream: packed}}
	d.out.take, d.out.left = take, size
	for isLast := 0; isLast == 0; {
		if isLast, ok = d.in.take(1); !ok {
			return false
		}
		if !d.block() {
			return false
		}
	}
	if !d.in.align() || !d.in.isEnd() || d.out.left > 0 {
		return false
	}
	d.out.flush()
	return true
}

type decoder struct {
	in                  bits
	out                 output
	literals, distances code
}

// block reads a block behind its first bit.
func (d *decoder) block() bool {
	kind, ok := d.in.take(2)
	if !ok {
		return false
	}
	switch kind {
	case 0:
		return d.stored()
	case 1:
		return d.fixed() && d.content()
	case 2:
		return d.dynamic() && d.content()
	default:
		return false
	}
}

// stored reads a block of bytes as they are (RFC 1951 section 3.2.4).
func (d *decoder) stored() bool {
	if !d.in.align() {
		return false
	}
	length, ok := d.in.take(16)
	if !ok {
		return false
	}
	complement, ok := d.in.take(16)
	if !ok || length^0xffff != complement {
		return false
	}
	piece, ok := d.in.bytes(length)
	return ok && d.out.stored(piece)
}

const endOfBlock = 256

// content reads a block's literals and copies (RFC 1951 section 3.2.5).
func (d *decoder) content() bool {
	for {
		symbol, ok := d.literals.read(&d.in)
		switch {
		case !ok:
			return false
		case symbol < endOfBlock:
			if !d.out.literal(byte(symbol)) {
				return false
			}
		case symbol == endOfBlock:
			return true
		default:
			if !d.copied(symbol - endOfBlock - 1) {
				return false
			}
		}
	}
}

// copied reads the rest of a copy, whose length has this symbol.
func (d *decoder) copied(symbol int) bool {
	length, ok := number(&d.in, symbol, lengthBase[:], lengthBits[:])
	if !ok {
		return false
	}
	if symbol, ok = d.distances.read(&d.in); !ok {
		return false
	}
	distance, ok := number(&d.in, symbol, distanceBase[:], distanceBits[:])
	return ok && d.out.repeat(length, distance)
}

// number reads the bits behind a symbol of a length or distance. ok is false for a symbol that stands for none.
func number(in *bits, symbol int, base []uint16, extra []uint8) (value int, ok bool) {
	if symbol >= len(base) {
		return 0, false
	}
	value, ok = in.take(uint(extra[symbol]))
	return value + int(base[symbol]), ok
}

var (
	lengthBase = [29]uint16{
		3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
	}
	lengthBits   = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distanceBase = [30]uint16{
		1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
		8193, 12289, 16385, 24577,
	}
	distanceBits = [30]uint8{
		0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
	}
)
