package jsonx_test

import (
	"fmt"
	"math"
	"testing"

	"svc.example/go/internal/jsonx"
)

func ExampleEncode() {
	text, err := jsonx.Encode(jsonx.Members{{"seq_no", 7}, {"ok", true}, {"names", []string{"é", "\n"}}})
	fmt.Println(string(text), err)
	// Output: {"names":["é","\n"],"ok":true,"seq_no":7} <nil>
}

func TestEncode(t *testing.T) {
	value := parse(t, `{"b":1}`)
	for want, given := range map[string]any{
		`[null,1,-1,0.5,1e+21]`:         []any{nil, 1, int64(-1), 0.5, 1e21},
		`{"a":{"b":1},"c":[]}`:          map[string]any{"c": []any{}, "a": value},
		`{"b":2,"` + "\uffff" + `":1}`:  jsonx.Members{{"\uffff", 1}, {"b", jsonx.Raw("2")}},
		`"\u0000\"\\/` + "\u007f" + `"`: "\x00\"\\/\x7f",
		`9007199254740991`:              uint64(jsonx.MaxInteger),
		`0`:                             math.Copysign(0, -1),
	} {
		got, err := jsonx.Encode(given)
		if err != nil || string(got) != want {
			t.Errorf("%s, want %s: %v", got, want, err)
		}
		if tree, err := jsonx.Parse(got, jsonx.Limits{}); err != nil || !tree.WireIsCanonical() {
			t.Errorf("%s is not canonical: %v", got, err)
		}
	}
	deep := any(1)
	for range 65 {
		deep = []any{deep}
	}
	for _, given := range []any{
		math.NaN(), math.Inf(1), uint64(1 << 53), int64(-1 << 53), "\xff", jsonx.Value{}, struct{}{}, deep,
		jsonx.Members{{"a", 1}, {"a", 1}}, map[string]any{"\xff": 1},
	} {
		if got, err := jsonx.Encode(given); err == nil {
			t.Errorf("%v gives %s", given, got)
		}
	}
}

func TestEdit(t *testing.T) {
	edit := jsonx.NewEdit([]string{"seal", "note"}, jsonx.Members{{"protocol", "P"}, {"alg", "A"}, {"é", 1}})
	for text, want := range map[string]string{
		`{}`: `{"alg":"A","protocol":"P","é":1}`,
		`{"seal":{"a":[1,2]},"z":[1,{"seal":1}],"note":1,"beta":2}`: `{"alg":"A","beta":2,"protocol":"P","z":[1,{"seal":1}],"é":1}`,
		`{"alg":"other","a":1,"😀":2}`:                               `{"a":1,"alg":"A","protocol":"P","é":1,"😀":2}`,
	} {
		got := string(edit.Append([]byte("x"), parse(t, text)))
		if got != "x"+want {
			t.Errorf("%s gives %s, want %s", text, got, want)
		}
	}
}
