package inflate

// fixed sets the codes of RFC 1951 section 3.2.6.
func (d *decoder) fixed() bool {
	var lengths [maxSymbols]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	if !d.literals.build(lengths[:]) {
		return false
	}
	for i := range 32 {
		lengths[i] = 5
	}
	return d.distances.build(lengths[:32])
}

// orderOfLengths is the order in which the lengths of the code for lengths stand.
var orderOfLengths = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

const (
	// The number of symbols for literals and lengths, and for distances, that mean anything.
	maxLiterals  = 286
	maxDistances = 30
)

// dynamic reads the codes of a block (RFC 1951 section 3.2.7).
func (d *decoder) dynamic() bool {
	literals, _ := d.in.take(5)
	distances, _ := d.in.take(5)
	count, ok := d.in.take(4)
	literals, distances, count = literals+257, distances+1, count+4
	if !ok || literals > maxLiterals || distances > maxDistances {
		return false
	}
	var order [19]uint8
	for i := range count {
		length, ok := d.in.take(3)
		if !ok {
			return false
		}
		order[orderOfLengths[i]] = uint8(length)
	}
	var ofLengths code
	if !ofLengths.build(order[:]) {
		return false
	}
	var lengths [maxLiterals + maxDistances]uint8
	if !d.codeLengths(&ofLengths, lengths[:literals+distances]) || lengths[endOfBlock] == 0 {
		return false
	}
	return d.literals.build(lengths[:literals]) && d.distances.build(lengths[literals:literals+distances])
}

// codeLengths reads the lengths of both codes, which stand one behind the other.
func (d *decoder) codeLengths(c *code, lengths []uint8) bool {
	for at := 0; at < len(lengths); {
		symbol, ok := c.read(&d.in)
		if !ok {
			return false
		}
		if symbol < 16 {
			lengths[at] = uint8(symbol)
			at++
			continue
		}
		value, repeats := uint8(0), 0
		switch symbol {
		case 16:
			if at == 0 {
				return false
			}
			value = lengths[at-1]
			repeats, ok = d.in.take(2)
			repeats += 3
		case 17:
			repeats, ok = d.in.take(3)
			repeats += 3
		default:
			repeats, ok = d.in.take(7)
			repeats += 11
		}
		if !ok || repeats > len(lengths)-at {
			return false
		}
		for range repeats {
			lengths[at] = value
			at++
		}
	}
	return true
}
