package jsonx

import (
	"bytes"
	"math"
	"strconv"
)

// number reads a number, and fails for anything else.
func (p *parser) number(start int) int {
	at := start
	if p.peek(at) == '-' {
		at++
	}
	digits := at
	switch c := p.peek(at); {
	case c == '0':
		at++
	case '1' <= c && c <= '9':
		at = p.digits(at)
	default:
		return p.fail(Malformed, at)
	}
	isInteger := true
	if p.peek(at) == '.' {
		isInteger = false
		if at = p.someDigits(at + 1); at < 0 {
			return at
		}
	}
	if p.peek(at)|0x20 == 'e' {
		isInteger = false
		at++
		if c := p.peek(at); c == '+' || c == '-' {
			at++
		}
		if at = p.someDigits(at); at < 0 {
			return at
		}
	}
	// Every integer of so few digits is a double, and is canonical but for -0.
	if isInteger && at-digits <= 15 && (digits == start || p.wire[digits] != '0') {
		return p.leaf(start, at, 0)
	}
	return p.double(start, at, isInteger)
}

func (p *parser) digits(at int) int {
	for '0' <= p.peek(at) && p.peek(at) <= '9' {
		at++
	}
	return at
}

func (p *parser) someDigits(at int) int {
	end := p.digits(at)
	if end == at {
		return p.fail(Malformed, at)
	}
	return end
}

// double reads a complete literal as a double (protocol section 2, "Numbers").
func (p *parser) double(start, end int, isInteger bool) int {
	literal := p.wire[start:end]
	value, err := strconv.ParseFloat(string(literal), 64)
	if err != nil || (value == 0 && !isZero(literal)) {
		return p.fail(LossyNumber, start)
	}
	begin := len(p.rewritten)
	p.rewritten = appendNumber(p.rewritten, value)
	if bytes.Equal(p.rewritten[begin:], literal) {
		p.rewritten = p.rewritten[:begin]
		return p.leaf(start, end, 0)
	}
	if isInteger && value != 0 && string(strconv.AppendFloat(nil, value, 'f', 0, 64)) != string(literal) {
		return p.fail(LossyNumber, start)
	}
	p.isCanonical = false
	p.leaf(begin, len(p.rewritten), isRewritten)
	return end
}

// isZero says whether no digit before the exponent is other than zero.
func isZero(literal []byte) bool {
	for _, c := range literal {
		if c|0x20 == 'e' {
			return true
		}
		if '1' <= c && c <= '9' {
			return false
		}
	}
	return true
}

// appendNumber appends a finite double as ECMAScript writes it, which is what RFC 8785 demands.
func appendNumber(dst []byte, value float64) []byte {
	if value == 0 {
		return append(dst, '0')
	}
	if size := math.Abs(value); size < 1e-6 || size >= 1e21 {
		// Go writes an exponent of at least two digits, ECMAScript none more than it needs.
		begin := len(dst)
		dst = strconv.AppendFloat(dst, value, 'e', -1, 64)
		if n := len(dst); n-begin > 4 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	return strconv.AppendFloat(dst, value, 'f', -1, 64)
}
