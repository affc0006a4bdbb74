package jsonx_test

import (
	"errors"
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
)

func TestAccepted(t *testing.T) {
	for _, test := range []struct{ name, wire, canonical string }{
		{"white space", " \t\r\n{ \"a\" : [ 1 , 2 ] }\n", `{"a":[1,2]}`},
		{"order by UTF-16 units", `{"\ufb33":1,"😀":2,"ö":3,"":4,"a":5}`, `{"":4,"a":5,"ö":3,"😀":2,"` + "\ufb33" + `":1}`},
		{"order with escapes", `{"\u0001":1,"\"":2,"\\":3,"!":4,"\u0000":5}`, `{"\u0000":5,"\u0001":1,"!":4,"\"":2,"\\":3}`},
		{"an escape before a longer name", `{"a\n":1,"a":2,"a\"b":3,"a\"":4}`, `{"a":2,"a\n":1,"a\"":4,"a\"b":3}`},
		{"needless escapes", `"\u0041\/\u00e9\u2028\ud83d\ude00"`, "\"A/é\u2028😀\""},
		{"short escapes", `"\u0008\u0009\u000a\u000c\u000d\u001F"`, `"\b\t\n\f\r\u001f"`},
		{"escapes that stay", `"\b\u000b\\\""`, `"\b\u000b\\\""`},
		{"noncharacters", `"\uffff\ufffe"`, "\"\uffff\ufffe\""},
		{"DEL stays", "\"\x7f\"", "\"\x7f\""},
		{"ordinary names", `{"constructor":{"__proto__":1}}`, `{"constructor":{"__proto__":1}}`},
		{"names that differ in case", `{"A":1,"a":2}`, `{"A":1,"a":2}`},
		{"the same name in two objects", `[{"a":1},{"a":1},{"b":{"a":1},"a":2}]`, `[{"a":1},{"a":1},{"a":2,"b":{"a":1}}]`},
		{"no members", `{"b":{},"a":[]}`, `{"a":[],"b":{}}`},
		{"two and three elements", `{"b":[1,2],"a":[1,2,3]}`, `{"a":[1,2,3],"b":[1,2]}`},
		{"words", `[true,false,null]`, `[true,false,null]`},
		{"zeros", `[0,-0,0.0,-0e9,0E-400]`, `[0,0,0,0,0]`},
		{"exponents", `[1e21,1E+21,1e20,1e-6,1e-7,123e-9]`, `[1e+21,1e+21,100000000000000000000,0.000001,1e-7,1.23e-7]`},
		{"ends of the range", `[5e-324,1.7976931348623157e308,-2.5e-8]`, `[5e-324,1.7976931348623157e+308,-2.5e-8]`},
		{"integers past 2^53", `[9007199254740992,18014398509481984,-9007199254740994]`, `[9007199254740992,18014398509481984,-9007199254740994]`},
		{"an integer that is J of its double", `[123456789012345680000]`, `[123456789012345680000]`},
		{"an integer that its double carries", `[1000000000000000000000]`, `[1e+21]`},
		{"a fraction is rounded", `[0.1000000000000000055511151231257827]`, `[0.1]`},
	} {
		tree, err := jsonx.Parse([]byte(test.wire), jsonx.Limits{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := string(tree.Canonical()); got != test.canonical {
			t.Errorf("%s: %s, want %s", test.name, got, test.canonical)
		}
		if tree.WireIsCanonical() != (test.wire == test.canonical) {
			t.Errorf("%s: WireIsCanonical is %v", test.name, tree.WireIsCanonical())
		}
	}
}

func TestRefused(t *testing.T) {
	deep := strings.Repeat("[", 64)
	many := `{"z":0,"a":0`
	for _, name := range strings.Fields("b c d e f g h i j k l m n o p q r s t u v w x y") {
		many += `,"` + name + `":0`
	}
	for _, test := range []struct {
		wire   string
		code   jsonx.Code
		offset int
	}{
		{"", jsonx.Malformed, 0},
		{" ", jsonx.Malformed, 1},
		{"\ufeff{}", jsonx.Malformed, 0},
		{"nul", jsonx.Malformed, 3},
		{"nulL", jsonx.Malformed, 3},
		{"[1,]", jsonx.Malformed, 3},
		{"[,1]", jsonx.Malformed, 1},
		{"[1 2]", jsonx.Malformed, 3},
		{"{\"a\"1}", jsonx.Malformed, 4},
		{"{\"a\":1,}", jsonx.Malformed, 7},
		{"{a:1}", jsonx.Malformed, 1},
		{"[]]", jsonx.Malformed, 2},
		{"01", jsonx.Malformed, 1},
		{"-", jsonx.Malformed, 1},
		{"-a", jsonx.Malformed, 1},
		{"1.", jsonx.Malformed, 2},
		{".5", jsonx.Malformed, 0},
		{"1e", jsonx.Malformed, 2},
		{"1e+", jsonx.Malformed, 3},
		{"+1", jsonx.Malformed, 0},
		{"NaN", jsonx.Malformed, 0},
		{"\"a", jsonx.Malformed, 2},
		{"\"\n\"", jsonx.Malformed, 1},
		{"\"\x00\"", jsonx.Malformed, 1},
		{`"\x"`, jsonx.Malformed, 2},
		{`"\u12g4"`, jsonx.Malformed, 5},
		{`"\u12`, jsonx.Malformed, 5},
		{`"\`, jsonx.Malformed, 2},
		{"\"\xff\"", jsonx.InvalidUnicode, 1},
		{"[1,\"\xe2\x82\"", jsonx.InvalidUnicode, 4},
		{"\"\xed\xa0\x80\"", jsonx.InvalidUnicode, 1},
		{"\"\xc0\x80\"", jsonx.InvalidUnicode, 1},
		{"{{{\xf4\x90\x80\x80", jsonx.InvalidUnicode, 3},
		{`"a\ud800"`, jsonx.InvalidUnicode, 2},
		{`"\udc00\ud800"`, jsonx.InvalidUnicode, 1},
		{`"\ud800\ud800\udc00"`, jsonx.InvalidUnicode, 1},
		{`"\ud800\u12g4"`, jsonx.InvalidUnicode, 1},
		{`"\ud800`, jsonx.InvalidUnicode, 1},
		{`"\ud80`, jsonx.Malformed, 6},
		{`{"a":1,"a":2}`, jsonx.DuplicateName, 7},
		{`{"a":1,"\u0061"}`, jsonx.DuplicateName, 7},
		{`{"b":1,"a":2,"b"`, jsonx.DuplicateName, 13},
		{`{"\n":1,"\u000a":2}`, jsonx.DuplicateName, 8},
		{many + `,"m":0}`, jsonx.DuplicateName, len(many) + 1},
		{many + `,"a":0}`, jsonx.DuplicateName, len(many) + 1},
		{"1e999", jsonx.LossyNumber, 0},
		{"[-1e999x", jsonx.LossyNumber, 1},
		{"1e-999", jsonx.LossyNumber, 0},
		{"9007199254740993", jsonx.LossyNumber, 0},
		{"[1, -9007199254740993]", jsonx.LossyNumber, 4},
		{"123456789012345678901", jsonx.LossyNumber, 0},
		{"1" + strings.Repeat("0", 400), jsonx.LossyNumber, 0},
		{"0." + strings.Repeat("0", 400) + "1", jsonx.LossyNumber, 0},
		{deep + "[", jsonx.TooDeep, 64},
		{deep + "{\"\xff", jsonx.InvalidUnicode, 66},
		{deep + "]x", jsonx.Malformed, 65},
	} {
		_, err := jsonx.Parse([]byte(test.wire), jsonx.Limits{})
		var fault *jsonx.SyntaxError
		if !errors.As(err, &fault) || fault.Code != test.code || fault.Offset != test.offset {
			t.Errorf("%.60q: %v, want %s at byte %d", test.wire, err, test.code, test.offset)
		}
	}
}

func TestMaxBytes(t *testing.T) {
	if _, err := jsonx.Parse([]byte("[1]"), jsonx.Limits{MaxBytes: 3}); err != nil {
		t.Error(err)
	}
	_, err := jsonx.Parse([]byte("[10]"), jsonx.Limits{MaxBytes: 3})
	var fault *jsonx.SyntaxError
	if !errors.As(err, &fault) || fault.Code != jsonx.TooLarge {
		t.Errorf("four bytes of three: %v", err)
	}
}

func TestFromCanonical(t *testing.T) {
	for wire, ok := range map[string]bool{`{"a":1,"b":"\n"}`: true, `{"b":1,"a":1}`: false, `[1.0]`: false, ` 1`: false, `x`: false} {
		tree, err := jsonx.FromCanonical([]byte(wire), false)
		if (err == nil) != ok {
			t.Errorf("%s: %v", wire, err)
		}
		if err == nil && tree.WireIsCanonical() {
			t.Errorf("%s: its text was not canonical", wire)
		}
	}
}
