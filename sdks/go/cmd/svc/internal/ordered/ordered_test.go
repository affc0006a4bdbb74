package ordered

import "testing"

func TestTextIsThatOfJSONStringify(t *testing.T) {
	for _, one := range []struct{ given, text, line string }{
		{`{"b":1.0,"a":[],"c":{}}`, "{\n  \"b\": 1,\n  \"a\": [],\n  \"c\": {}\n}\n", `{"b":1,"a":[],"c":{}}`},
		{`[{"z":"\u0001é\u2028<\/>\"","y":[1,null]}]`,
			"[\n  {\n    \"z\": \"\\u0001é\u2028</>\\\"\",\n    \"y\": [\n      1,\n      null\n    ]\n  }\n]\n",
			"[{\"z\":\"\\u0001é\u2028</>\\\"\",\"y\":[1,null]}]"},
		{`{"2":1e2,"1":true}`, "{\n  \"2\": 100,\n  \"1\": true\n}\n", `{"2":100,"1":true}`},
	} {
		value, err := Parse([]byte(one.given))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := Text(value); err != nil || string(text) != one.text {
			t.Errorf("%s: %q, %v", one.given, text, err)
		}
		if line, err := Line(value); err != nil || string(line) != one.line {
			t.Errorf("%s: %q, %v", one.given, line, err)
		}
	}
}

func TestWhatTheProtocolRefusesIsRefused(t *testing.T) {
	for _, text := range []string{`{"a":1,"a":2}`, `{"a":1} x`, `{"a":9007199254740993}`, "", `{"a":"\ud800"}`} {
		if value, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q was read as %v", text, value)
		}
	}
}

func TestAChangeLeavesTheObjectBeforeIt(t *testing.T) {
	before := New(Member{"b", "1"}, Member{"a", "2"})
	after := before.With("b", "3").With("c", "4").Without("a")
	if line, _ := Line(before); string(line) != `{"b":"1","a":"2"}` {
		t.Errorf("%s", line)
	}
	if line, _ := Line(after); string(line) != `{"b":"3","c":"4"}` {
		t.Errorf("%s", line)
	}
	if !before.Same(New(Member{"a", "2"}, Member{"b", "1"})) || before.Same(after) {
		t.Error("sameness does not depend on the order of members")
	}
}
