package client

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A field is one that encoding/json writes as a member.
type field struct {
	name string
	// index leads to the field, through the structs that embed it.
	index []int
	// isText says that the number in the field is written as a text, by the option ",string".
	isText bool
}

// A shape is what encoding/json makes of a struct.
type shape struct {
	fields []field
	// fault says why values of the type cannot be sent unchanged; empty if they can.
	fault string
}

var shapes sync.Map // of reflect.Type to *shape

// shapeOf returns the shape of a struct that writes itself by no method.
func shapeOf(kind reflect.Type) *shape {
	if known, ok := shapes.Load(kind); ok {
		return known.(*shape)
	}
	found := new(shape)
	found.add(kind, nil, nil)
	if found.fault == "" {
		found.fault = found.lost(kind)
	}
	shapes.Store(kind, found)
	return found
}

// add adds the fields of a struct, and those of the structs that it embeds. outer are the structs around it.
func (s *shape) add(kind reflect.Type, index []int, outer []reflect.Type) {
	outer = append(outer[:len(outer):len(outer)], kind)
	for i := range kind.NumField() {
		one := kind.Field(i)
		at := append(index[:len(index):len(index)], i)
		tag, isTagged := one.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		inner := one.Type
		if one.Anonymous && inner.Kind() == reflect.Pointer && inner.Name() == "" {
			inner = inner.Elem()
		}
		isEmbedded := one.Anonymous && inner.Kind() == reflect.Struct
		if (isTagged && tag == "-") || !(one.IsExported() || isEmbedded) {
			continue
		}
		if !isName(name) {
			name = ""
		}
		switch {
		case isEmbedded && name == "" && slices.Contains(outer, inner):
			s.fault = fmt.Sprintf("is of the type %v, which embeds itself, so that JSON would leave fields out", kind)
		case isEmbedded && name == "":
			s.add(inner, at, outer)
		case one.IsExported():
			if name == "" {
				name = one.Name
			}
			s.fields = append(s.fields, field{name, at, slices.Contains(strings.Split(options, ","), "string")})
		}
	}
}

// lost says which fields encoding/json would leave out in silence.
func (s *shape) lost(kind reflect.Type) string {
	if len(s.fields) == 0 {
		return fmt.Sprintf("is of the type %v, which has no exported fields: JSON would keep nothing of it", kind)
	}
	seen := make(map[string]bool, len(s.fields))
	for _, one := range s.fields {
		if seen[one.name] {
			return fmt.Sprintf("is of the type %v, which has two fields with the name %q: JSON would leave one out, or both", kind, one.name)
		}
		seen[one.name] = true
	}
	return ""
}

// isName says whether encoding/json takes the name of a tag.
func isName(name string) bool {
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return name != ""
}
