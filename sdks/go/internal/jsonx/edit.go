package jsonx

import (
	"fmt"
	"slices"
)

// An Edit leaves members of an object out and adds or replaces others: what a seal or hash covers is mostly an object
// without some members and with others (protocol section 4). It is made once and used for many objects, by several
// goroutines if need be.
type Edit struct {
	drop map[string]bool
	add  []added
}

type added struct {
	name string
	// text is the member in canonical JSON, its name included.
	text []byte
}

// NewEdit returns an Edit that leaves out the members called drop, and sets those in add; as for [Encode]. It panics
// for a member that cannot be written, which is an error of the program.
func NewEdit(drop []string, add Members) *Edit {
	e := &Edit{drop: map[string]bool{}}
	for _, name := range drop {
		e.drop[name] = true
	}
	for _, member := range add {
		e.drop[member.Name] = true
		text, err := Encode(Members{member})
		if err != nil {
			panic(fmt.Sprintf("jsonx: %v", err))
		}
		e.add = append(e.add, added{member.Name, text[1 : len(text)-1]})
	}
	slices.SortFunc(e.add, func(l, r added) int { return CompareNames(l.name, r.name) })
	return e
}

// Append appends J of the edited object to dst. It panics for any other value than an object.
func (e *Edit) Append(dst []byte, object Value) []byte {
	if object.Kind() != Object {
		panic("jsonx: an edit of what is no object")
	}
	dst = append(dst, '{')
	begin, left := len(dst), e.add
	put := func(text []byte) {
		if len(dst) > begin {
			dst = append(dst, ',')
		}
		dst = append(dst, text...)
	}
	for name, value := range object.Members() {
		text, _ := name.TextBytes()
		for len(left) > 0 && compareUTF16([]byte(left[0].name), text) < 0 {
			put(left[0].text)
			left = left[1:]
		}
		if !e.drop[string(text)] {
			start, _ := name.Span()
			_, end := value.Span()
			put(object.tree.canonical[start:end])
		}
	}
	for _, one := range left {
		put(one.text)
	}
	return append(dst, '}')
}
