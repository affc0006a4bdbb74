package inflate

// windowSize is how far back a copy reaches at most, in bytes.
const windowSize = 1 << 15

// An output passes content on in pieces, and keeps the last windowSize bytes for copies.
type output struct {
	take func(piece []byte)
	// left is the number of bytes that may still come.
	left uint32
	// buffer holds the content up to end; what is before passed was passed on.
	buffer      [4 * windowSize]byte
	passed, end int
}

// room passes on what is there, and makes room for at least n bytes, at most windowSize.
func (o *output) room(n int) {
	if len(o.buffer)-o.end >= n {
		return
	}
	o.flush()
	kept := copy(o.buffer[:], o.buffer[o.end-windowSize:o.end])
	o.passed, o.end = kept, kept
}

func (o *output) flush() {
	if o.passed < o.end {
		o.take(o.buffer[o.passed:o.end])
		o.passed = o.end
	}
}

// literal adds a byte. It returns false past the declared size.
func (o *output) literal(value byte) bool {
	if o.left == 0 {
		return false
	}
	o.left--
	o.room(1)
	o.buffer[o.end] = value
	o.end++
	return true
}

// stored adds bytes as they are. It returns false past the declared size.
func (o *output) stored(piece []byte) bool {
	if uint64(len(piece)) > uint64(o.left) {
		return false
	}
	o.left -= uint32(len(piece))
	for len(piece) > 0 {
		n := min(len(piece), windowSize)
		o.room(n)
		o.end += copy(o.buffer[o.end:], piece[:n])
		piece = piece[n:]
	}
	return true
}

// repeat adds a copy of what stands distance bytes back. It returns false past the declared size, and for a distance
// to before the beginning.
func (o *output) repeat(length, distance int) bool {
	if uint64(length) > uint64(o.left) {
		return false
	}
	o.room(length)
	from := o.end - distance
	if from < 0 {
		return false
	}
	o.left -= uint32(length)
	for end := o.end + length; o.end < end; {
		// A copy may reach into itself: then it doubles with each turn.
		o.end += copy(o.buffer[o.end:end], o.buffer[from:o.end])
	}
	return true
}
