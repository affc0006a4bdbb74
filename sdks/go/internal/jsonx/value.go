package jsonx

import (
	"bytes"
	"iter"
	"strconv"
)

// A Kind is the type of a value.
type Kind uint8

// The kinds of values. Missing is that of the zero [Value], which [Value.Get] returns for a missing member.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"missing", "null", "boolean", "number", "string", "array", "object"}

func (k Kind) String() string { return kindNames[k] }

// MaxInteger is 2^53-1, the greatest integer of the protocol.
const MaxInteger = 1<<53 - 1

// A Value is a part of a [Tree]: two words, cheap to copy. The zero Value is of kind Missing.
type Value struct {
	tree *Tree
	at   uint32
}

func (v Value) node() node { return v.tree.nodes[v.at] }

// Exists says whether v is not the zero Value.
func (v Value) Exists() bool { return v.tree != nil }

// Kind returns the type of the value.
func (v Value) Kind() Kind {
	if v.tree == nil {
		return Missing
	}
	switch v.tree.canonical[v.node().start] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	default:
		return Number
	}
}

// Canonical returns J of the value: a slice of the tree's canonical bytes, which you must not change. It is nil for a
// missing value.
func (v Value) Canonical() []byte {
	if v.tree == nil {
		return nil
	}
	n := v.node()
	return v.tree.canonical[n.start:n.end:n.end]
}

// Span returns where [Value.Canonical] is in [Tree.Canonical]: the offset of its first byte, and that behind its
// last one.
func (v Value) Span() (start, end int) {
	n := v.node()
	return int(n.start), int(n.end)
}

// Text returns what a string stands for. ok is false for any other value.
func (v Value) Text() (text string, ok bool) {
	b, ok := v.TextBytes()
	return string(b), ok
}

// TextBytes is [Value.Text] as UTF-8, mostly a slice of the canonical bytes, which you must not change.
func (v Value) TextBytes() (text []byte, ok bool) {
	if v.Kind() != String {
		return nil, false
	}
	n := v.node()
	text = v.tree.canonical[n.start+1 : n.end-1]
	if n.count&isEscaped != 0 {
		text = unescape(text)
	}
	return text, true
}

// IsText says whether the value is a string that stands for exactly this text.
func (v Value) IsText(text string) bool {
	b, ok := v.TextBytes()
	return ok && string(b) == text
}

// Bool returns a boolean. ok is false for any other value.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.tree.canonical[v.node().start] == 't', true
}

// Int returns a number that is an integer of -(2^53-1) to 2^53-1, however it was written. ok is false for any other
// value.
func (v Value) Int() (value int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	text := v.Canonical()
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 16 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || '9' < c {
			return 0, false
		}
		value = value*10 + int64(c-'0')
	}
	if value > MaxInteger {
		return 0, false
	}
	if len(digits) < len(text) {
		value = -value
	}
	return value, true
}

// Float returns a number. ok is false for any other value.
func (v Value) Float() (value float64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	value, err := strconv.ParseFloat(string(v.Canonical()), 64)
	return value, err == nil
}

// Len returns the number of elements of an array or members of an object; 0 for any other value.
func (v Value) Len() int {
	if kind := v.Kind(); kind != Array && kind != Object {
		return 0
	}
	return int(v.node().count)
}

// Get returns the value of a member; the zero Value if it is missing, or v is no object. It looks at one name after the
// other: take [Value.MemberMap] to look up many in a large object.
func (v Value) Get(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	for at, end := v.at+1, v.node().next; at < end; at = v.tree.nodes[at+1].next {
		// Most names differ in length.
		key := v.tree.nodes[at]
		if key.count&isEscaped == 0 && int(key.end-key.start) != len(name)+len(`""`) {
			continue
		}
		if (Value{v.tree, at}).IsText(name) {
			return Value{v.tree, at + 1}
		}
	}
	return Value{}
}

// At follows member names from an object to a value inside of it; the zero Value if one is missing.
func (v Value) At(path ...string) Value {
	for _, name := range path {
		v = v.Get(name)
	}
	return v
}

// Members yields the members of an object in canonical order: each name, which is a string, and its value. It yields
// nothing for any other value.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(name, value Value) bool) {
		if v.Kind() != Object {
			return
		}
		for at, end := v.at+1, v.node().next; at < end; at = v.tree.nodes[at+1].next {
			if !yield(Value{v.tree, at}, Value{v.tree, at + 1}) {
				return
			}
		}
	}
}

// Elements yields the elements of an array with their index from 0. It yields nothing for any other value.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(index int, value Value) bool) {
		if v.Kind() != Array {
			return
		}
		index := 0
		for at, end := v.at+1, v.node().next; at < end; at = v.tree.nodes[at].next {
			if !yield(index, Value{v.tree, at}) {
				return
			}
			index++
		}
	}
}

// ElementsOf yields the elements of an array from one index up to another, with their indexes; they must be in it.
func (v Value) ElementsOf(first, end int) iter.Seq2[int, Value] {
	return func(yield func(index int, value Value) bool) {
		at := v.at + 1
		for range first {
			at = v.tree.nodes[at].next
		}
		for index := first; index < end; index++ {
			if !yield(index, Value{v.tree, at}) {
				return
			}
			at = v.tree.nodes[at].next
		}
	}
}

// MemberMap returns the members of an object by name; an empty map for any other value.
func (v Value) MemberMap() map[string]Value {
	members := make(map[string]Value, v.Len())
	for name, value := range v.Members() {
		text, _ := name.Text()
		members[text] = value
	}
	return members
}

// Depth returns the number of arrays and objects that are open at the deepest place of the value, itself counted: 0
// for a string, 1 for an empty array.
func (v Value) Depth() int {
	if v.tree == nil {
		return 0
	}
	// The ends of what is open.
	var open []uint32
	depth := 0
	for at, end := v.at, v.node().next; at < end; at++ {
		for len(open) > 0 && open[len(open)-1] <= at {
			open = open[:len(open)-1]
		}
		switch n := v.tree.nodes[at]; v.tree.canonical[n.start] {
		case '{', '[':
			open = append(open, n.next)
			depth = max(depth, len(open))
		}
	}
	return depth
}

// Equal says whether two values are the same JSON value. Missing values are equal.
func (v Value) Equal(other Value) bool {
	return v.Exists() == other.Exists() && bytes.Equal(v.Canonical(), other.Canonical())
}

// Compare orders two strings by UTF-16 code units, as RFC 8785 orders names; it panics for other values.
func (v Value) Compare(other Value) int {
	return compareStrings(v.Canonical(), other.Canonical(), (v.node().count|other.node().count)&isEscaped != 0)
}
