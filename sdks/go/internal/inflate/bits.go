package inflate

import "encoding/binary"

// bits reads a stream bit by bit, the lowest bit of each byte first.
type bits struct {
	stream []byte
	// next is the offset of the first byte that is not yet held.
	next int
	// held are the bits that were taken from the stream and are not yet read, the next one lowest; count is their number.
	held  uint64
	count uint
}

// fill holds at least 48 bits, or all that are left.
func (b *bits) fill() {
	if len(b.stream)-b.next >= 8 && b.count < 48 {
		taken := (63 - b.count) / 8
		word := binary.LittleEndian.Uint64(b.stream[b.next:]) & (1<<(8*taken) - 1)
		b.held |= word << b.count
		b.next += int(taken)
		b.count += 8 * taken
		return
	}
	for b.count <= 48 && b.next < len(b.stream) {
		b.held |= uint64(b.stream[b.next]) << b.count
		b.next++
		b.count += 8
	}
}

// take reads up to 16 bits as a number, the first one lowest. ok is false where the stream ends before.
func (b *bits) take(n uint) (value int, ok bool) {
	if b.count < n {
		if b.fill(); b.count < n {
			return 0, false
		}
	}
	value = int(b.held & (1<<n - 1))
	b.skip(n)
	return value, true
}

// skip reads bits that are held.
func (b *bits) skip(n uint) {
	b.held >>= n
	b.count -= n
}

// align reads up to the next whole byte, and says whether all bits before it are zero.
func (b *bits) align() bool {
	padding := b.count % 8
	areZero := b.held&(1<<padding-1) == 0
	b.skip(padding)
	return areZero
}

// bytes reads whole bytes, behind align. ok is false where the stream ends before.
func (b *bits) bytes(n int) (piece []byte, ok bool) {
	start := b.next - int(b.count/8)
	if len(b.stream)-start < n {
		return nil, false
	}
	b.next, b.held, b.count = start+n, 0, 0
	return b.stream[start:b.next], true
}

// isEnd says whether every bit was read.
func (b *bits) isEnd() bool { return b.count == 0 && b.next == len(b.stream) }
