package jsonx

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// plain returns the offset of the first byte, from at on, that a string cannot hold as it is: a quote, a backslash or a
// control character; the length without such a byte.
func plain(text []byte, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		word := binary.LittleEndian.Uint64(text[at:])
		quote, slash := word^(ones*'"'), word^(ones*'\\')
		// In each byte the high bit is set if it is below 0x20, a quote or a backslash, or behind such a byte.
		found := (((word - ones*0x20) &^ word) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)) & highs
		if found != 0 {
			break
		}
	}
	for ; at < len(text); at++ {
		if c := text[at]; c < 0x20 || c == '"' || c == '\\' {
			break
		}
	}
	return at
}

// str reads a string, of which the quote is at an offset.
func (p *parser) str(at int) int {
	end := plain(p.wire, at+1)
	if p.peek(end) == '"' {
		return p.leaf(at, end+1, 0)
	}
	return p.escapedStr(at, end)
}

// escapedStr reads a string that is plain up to an offset. Its canonical text goes into rewritten, and is taken away
// again where the wire has the same.
func (p *parser) escapedStr(start, at int) int {
	begin := len(p.rewritten)
	p.rewritten = append(p.rewritten, p.wire[start:at]...)
	for {
		switch p.peek(at) {
		case '"':
			p.rewritten = append(p.rewritten, '"')
			at++
			text := p.rewritten[begin:]
			flags := uint32(0)
			if bytes.IndexByte(text, '\\') >= 0 {
				flags = isEscaped
			}
			if bytes.Equal(text, p.wire[start:at]) {
				p.rewritten = p.rewritten[:begin]
				return p.leaf(start, at, flags)
			}
			p.isCanonical = false
			p.leaf(begin, len(p.rewritten), flags|isRewritten)
			return at
		case '\\':
			r, end := p.escape(at)
			if end < 0 {
				return end
			}
			p.rewritten = appendRune(p.rewritten, r)
			at = end
		default:
			return p.fail(Malformed, at)
		}
		end := plain(p.wire, at)
		p.rewritten = append(p.rewritten, p.wire[at:end]...)
		at = end
	}
}

// escape reads one escape, or the two of a surrogate pair.
func (p *parser) escape(at int) (rune, int) {
	switch c := p.peek(at + 1); c {
	case '"', '\\', '/':
		return rune(c), at + 2
	case 'b':
		return '\b', at + 2
	case 'f':
		return '\f', at + 2
	case 'n':
		return '\n', at + 2
	case 'r':
		return '\r', at + 2
	case 't':
		return '\t', at + 2
	case 'u':
		high, bad := p.unit(at + 2)
		if bad >= 0 {
			return 0, p.fail(Malformed, bad)
		}
		if high < 0xd800 || high > 0xdfff {
			return high, at + 6
		}
		if high < 0xdc00 && p.peek(at+6) == '\\' && p.peek(at+7) == 'u' {
			low, bad := p.unit(at + 8)
			if bad < 0 && 0xdc00 <= low && low <= 0xdfff {
				return 0x10000 + (high-0xd800)<<10 + low - 0xdc00, at + 12
			}
		}
		return 0, p.fail(InvalidUnicode, at)
	default:
		return 0, p.fail(Malformed, at+1)
	}
}

// unit reads four hexadecimal digits of either case, and returns the offset of the first byte that is not one, or -1.
func (p *parser) unit(at int) (unit rune, bad int) {
	for end := at + 4; at < end; at++ {
		c := p.peek(at)
		switch {
		case '0' <= c && c <= '9':
			unit = unit<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			unit = unit<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, at
		}
	}
	return unit, -1
}

// appendRune appends a character as RFC 8785 writes it inside of a string.
func appendRune(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r >= 0x20:
		return utf8.AppendRune(dst, r)
	}
	if short := "\x00\x00\x00\x00\x00\x00\x00\x00btn\x00fr"; int(r) < len(short) && short[r] != 0 {
		return append(dst, '\\', short[r])
	}
	return append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
}

// appendString appends a string as RFC 8785 writes it, with its quotes. The text is well-formed UTF-8.
func appendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	begin := 0
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c == '"' || c == '\\' {
			dst = append(dst, text[begin:i]...)
			dst = appendRune(dst, rune(c))
			begin = i + 1
		}
	}
	dst = append(dst, text[begin:]...)
	return append(dst, '"')
}

// unescape returns what a canonical string stands for; the text is without its quotes.
func unescape(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := character(text)
		out = utf8.AppendRune(out, r)
		text = text[size:]
	}
	return out
}
