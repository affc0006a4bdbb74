package jsonx

import (
	"bytes"
	"errors"
	"hash/maphash"
	"math"
	"unicode/utf8"
)

// MaxDepth is the number of arrays and objects that can be open at once (protocol section 2).
const MaxDepth = 64

// Limits bound what [Parse] takes. The zero value stands for the largest text that a tree can hold.
type Limits struct {
	// MaxBytes is the greatest length of the text; 0 for no other limit than that of a tree.
	MaxBytes int
}

// Parse reads a text by protocol section 2. The error is a [*SyntaxError].
func Parse(wire []byte, limits Limits) (*Tree, error) {
	if (limits.MaxBytes > 0 && len(wire) > limits.MaxBytes) || uint64(len(wire)) > math.MaxUint32 {
		return nil, &SyntaxError{TooLarge, 0}
	}
	if !utf8.Valid(wire) {
		return nil, &SyntaxError{InvalidUnicode, illFormed(wire)}
	}
	p := parser{wire: wire, isCanonical: true, nodes: make([]node, 0, capacityFor(wire))}
	at := p.value(p.space(0), 0)
	if at >= 0 {
		if at = p.space(at); at < len(wire) {
			p.fail(Malformed, at)
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	if p.isCanonical {
		return &Tree{wire, p.nodes, p.depth, true}, nil
	}
	return p.canonicalTree()
}

// FromCanonical returns the tree of canonical bytes that another kernel has made of a text; isWire says whether they
// are the text itself. It returns an error for bytes that are not canonical.
func FromCanonical(canonical []byte, isWire bool) (*Tree, error) {
	tree, err := Parse(canonical, Limits{})
	if err != nil || !tree.isWire {
		return nil, errNotCanonical
	}
	tree.isWire = isWire
	return tree, nil
}

var errNotCanonical = errors.New("jsonx: not canonical")

// illFormed returns the offset of the first byte that begins no well-formed UTF-8 sequence.
func illFormed(text []byte) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(text)
}

// capacityFor guesses the number of nodes from above, but for texts that are made to mislead it.
func capacityFor(wire []byte) int {
	guess := bytes.Count(wire, []byte{','}) + bytes.Count(wire, []byte{':'}) + 16
	return min(guess+guess/8, len(wire)/8+16)
}

// A parser reads one text. Each of its methods takes the offset at which it begins, and returns the offset behind what
// it has read, or -1 after an error. The nodes have offsets into the wire bytes, or into rewritten.
type parser struct {
	wire  []byte
	nodes []node
	// rewritten holds the canonical text of each string and number that the wire writes in another way.
	rewritten   []byte
	isCanonical bool
	depth       int
	// names is nil up to the first object whose names are not sorted.
	names *nameSets
	err   *SyntaxError
}

func (p *parser) fail(code Code, at int) int {
	p.err = &SyntaxError{code, at}
	return -1
}

// peek returns the byte at an offset. At the end it returns 0, which no JSON text has outside of strings.
func (p *parser) peek(at int) byte {
	if at < len(p.wire) {
		return p.wire[at]
	}
	return 0
}

func (p *parser) space(at int) int {
	for at < len(p.wire) {
		switch p.wire[at] {
		case ' ', '\t', '\n', '\r':
			p.isCanonical = false
			at++
		default:
			return at
		}
	}
	return at
}

func (p *parser) value(at, depth int) int {
	switch c := p.peek(at); c {
	case '{', '[':
		if depth == MaxDepth {
			return p.fail(TooDeep, at)
		}
		p.depth = max(p.depth, depth+1)
		if c == '{' {
			return p.object(at, depth+1)
		}
		return p.array(at, depth+1)
	case '"':
		return p.str(at)
	case 't':
		return p.word(at, "true")
	case 'f':
		return p.word(at, "false")
	case 'n':
		return p.word(at, "null")
	default:
		return p.number(at)
	}
}

func (p *parser) word(at int, word string) int {
	for i := range len(word) {
		if p.peek(at+i) != word[i] {
			return p.fail(Malformed, at+i)
		}
	}
	return p.leaf(at, at+len(word), 0)
}

// leaf adds a node without others inside.
func (p *parser) leaf(start, end int, flags uint32) int {
	p.nodes = append(p.nodes, node{uint32(start), uint32(end), uint32(len(p.nodes) + 1), flags})
	return end
}

func (p *parser) array(at, depth int) int {
	self, count := len(p.nodes), uint32(0)
	p.leaf(at, at, 0)
	at = p.space(at + 1)
	if p.peek(at) == ']' {
		return p.close(self, at+1, count)
	}
	for {
		if at = p.value(at, depth); at < 0 {
			return at
		}
		count++
		at = p.space(at)
		switch p.peek(at) {
		case ',':
			at = p.space(at + 1)
		case ']':
			return p.close(self, at+1, count)
		default:
			return p.fail(Malformed, at)
		}
	}
}

func (p *parser) object(at, depth int) int {
	self, count := len(p.nodes), uint32(0)
	p.leaf(at, at, 0)
	at = p.space(at + 1)
	if p.peek(at) == '}' {
		return p.close(self, at+1, count)
	}
	// The greatest name so far, 0 for none; a name above it cannot repeat one.
	last, isSorted := 0, true
	for {
		if p.peek(at) != '"' {
			return p.fail(Malformed, at)
		}
		name := len(p.nodes)
		end := p.str(at)
		if end < 0 {
			return end
		}
		if isSorted && (last == 0 || p.compare(last, name) < 0) {
			last = name
		} else {
			if isSorted {
				isSorted, p.isCanonical = false, false
				if p.names == nil {
					p.names = &nameSets{seed: maphash.MakeSeed()}
				}
				p.names.begin(depth)
			}
			if !p.names.add(p, depth, self, int(count), name) {
				return p.fail(DuplicateName, at)
			}
		}
		at = p.space(end)
		if p.peek(at) != ':' {
			return p.fail(Malformed, at)
		}
		if at = p.value(p.space(at+1), depth); at < 0 {
			return at
		}
		count++
		at = p.space(at)
		switch p.peek(at) {
		case ',':
			at = p.space(at + 1)
		case '}':
			if !isSorted {
				count |= isUnsorted
			}
			return p.close(self, at+1, count)
		default:
			return p.fail(Malformed, at)
		}
	}
}

// isUnsorted marks, in the count of an object, that its members are not in canonical order. There are fewer of them
// than that, since each takes four bytes.
const isUnsorted = 1 << 31

func (p *parser) close(self, end int, count uint32) int {
	n := &p.nodes[self]
	n.end, n.next, n.count = uint32(end), uint32(len(p.nodes)), count
	return end
}

// text returns the canonical text of a string, number or word.
func (p *parser) text(n node) []byte {
	if n.count&isRewritten != 0 {
		return p.rewritten[n.start:n.end]
	}
	return p.wire[n.start:n.end]
}
