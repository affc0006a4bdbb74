package jsonx_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"svc.example/go/internal/jsonx"
)

// anyOf returns a value as encoding/json gives it.
func anyOf(v jsonx.Value) any {
	switch v.Kind() {
	case jsonx.Object:
		out := map[string]any{}
		for name, value := range v.Members() {
			text, _ := name.Text()
			out[text] = anyOf(value)
		}
		return out
	case jsonx.Array:
		out := []any{}
		for _, value := range v.Elements() {
			out = append(out, anyOf(value))
		}
		return out
	case jsonx.String:
		text, _ := v.Text()
		return text
	case jsonx.Number:
		number, _ := v.Float()
		return number
	case jsonx.Bool:
		value, _ := v.Bool()
		return value
	default:
		return nil
	}
}

// FuzzParse holds the parser to encoding/json, which is laxer, and to itself.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0.5e3,"\u00e9\ud83d\ude00"],"":null}`, `{"b":1,"a":2,"b":3}`, ` [true , false] `, `1e999`, `"\ud800"`, "\"\xff\"",
		`[9007199254740993]`, `{"a":{"a":{"a":[]}}}`, `01`, `"\q"`, `[1,]`, `{"\u0001":0,"\n":0}`, "\"\uffff\U0001f600\"",
		`{"q":0,"w":0,"e":0,"r":0,"t":0,"y":0,"u":0,"i":0,"o":0,"p":0,"a":0,"s":0,"d":0,"f":0}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		kept := bytes.Clone(wire)
		tree, err := jsonx.Parse(wire, jsonx.Limits{})
		if !bytes.Equal(wire, kept) {
			t.Fatal("the input was changed")
		}
		var other any
		otherErr := json.Unmarshal(wire, &other)
		if err != nil {
			fault := err.(*jsonx.SyntaxError)
			if fault.Offset < 0 || fault.Offset > len(wire) {
				t.Fatalf("offset %d of %d bytes", fault.Offset, len(wire))
			}
			if !utf8.Valid(wire) && (fault.Code != jsonx.InvalidUnicode || !utf8.Valid(wire[:fault.Offset])) {
				t.Fatalf("%q: %v, but ill-formed UTF-8 comes first", wire, err)
			}
			if fault.Code == jsonx.Malformed && otherErr == nil {
				t.Fatalf("%q: %v, which encoding/json accepts", wire, err)
			}
			return
		}
		if otherErr != nil {
			t.Fatalf("%q: accepted, but %v", wire, otherErr)
		}
		if got := anyOf(tree.Root()); !reflect.DeepEqual(got, other) {
			t.Fatalf("%q: %v, want %v", wire, got, other)
		}
		if tree.WireIsCanonical() != bytes.Equal(wire, tree.Canonical()) {
			t.Fatalf("%q: WireIsCanonical is %v", wire, tree.WireIsCanonical())
		}
		again, err := jsonx.Parse(tree.Canonical(), jsonx.Limits{})
		if err != nil || !again.WireIsCanonical() {
			t.Fatalf("%q: %q is not canonical: %v", wire, tree.Canonical(), err)
		}
		encoded, err := jsonx.Encode(anyOf(tree.Root()))
		if err != nil || !bytes.Equal(encoded, tree.Canonical()) {
			t.Fatalf("%q: %s, want %s: %v", wire, encoded, tree.Canonical(), err)
		}
		if depth := tree.Root().Depth(); depth != tree.Depth() || depth > strings.Count(string(wire), "[")+strings.Count(string(wire), "{") {
			t.Fatalf("%q: depth %d, %d", wire, tree.Depth(), depth)
		}
	})
}
