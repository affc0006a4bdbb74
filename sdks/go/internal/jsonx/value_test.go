package jsonx_test

import (
	"fmt"
	"math"
	"testing"

	"svc.example/go/internal/jsonx"
)

func parse(t testing.TB, text string) jsonx.Value {
	t.Helper()
	tree, err := jsonx.Parse([]byte(text), jsonx.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return tree.Root()
}

func ExampleParse() {
	tree, err := jsonx.Parse([]byte(`{"size": 1.0, "name": "\u0041"}`), jsonx.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	size, _ := tree.Root().Get("size").Int()
	fmt.Println(size, string(tree.Root().Get("name").Canonical()), tree.WireIsCanonical())
	fmt.Printf("%s\n", tree.Canonical())
	// Output:
	// 1 "A" false
	// {"name":"A","size":1}
}

func TestInt(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "1.0": 1, "1e3": 1000, "-7": -7, "9007199254740991": jsonx.MaxInteger,
		"-9007199254740991": -jsonx.MaxInteger,
	} {
		if got, ok := parse(t, text).Int(); !ok || got != want {
			t.Errorf("%s: %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"9007199254740992", "1.5", "1e21", "1e-7", `"1"`, "null", "[1]", "true"} {
		if got, ok := parse(t, text).Int(); ok {
			t.Errorf("%s: %d", text, got)
		}
	}
	if got, ok := parse(t, "-1.5e-9").Float(); !ok || math.Abs(got+1.5e-9) > 0 {
		t.Errorf("-1.5e-9: %v", got)
	}
}

func TestMembersAndElements(t *testing.T) {
	root := parse(t, `{"b":[10,{"c":null},"x"],"a":"\"q\"","\n":true}`)
	names := ""
	for name, value := range root.Members() {
		text, _ := name.Text()
		names += fmt.Sprintf("%q=%s ", text, value.Canonical())
	}
	if want := `"\n"=true "a"="\"q\"" "b"=[10,{"c":null},"x"] `; names != want {
		t.Errorf("%s, want %s", names, want)
	}
	list := root.Get("b")
	kinds := ""
	for index, value := range list.Elements() {
		kinds += fmt.Sprint(index, value.Kind(), " ")
	}
	if want := "0 number 1 object 2 string "; kinds != want {
		t.Errorf("%s, want %s", kinds, want)
	}
	parts := ""
	for first := range 4 {
		for end := first; end <= 3; end++ {
			for index, value := range list.ElementsOf(first, end) {
				parts += fmt.Sprint(index, value.Kind()) + " "
			}
			parts += "| "
		}
	}
	if want := "| 0 number | 0 number 1 object | 0 number 1 object 2 string | | 1 object | 1 object 2 string | | 2 string | | "; parts != want {
		t.Errorf("%s, want %s", parts, want)
	}
	if list.Len() != 3 || root.Len() != 3 || root.Get("a").Len() != 0 {
		t.Error("wrong lengths")
	}
	if text, ok := root.Get("a").Text(); !ok || text != `"q"` {
		t.Errorf("a is %q", text)
	}
	if root.Get("A").Exists() || root.Get("c").Exists() || list.Get("c").Exists() {
		t.Error("a member that is not there")
	}
	if got := len(root.MemberMap()); got != 3 {
		t.Errorf("%d members", got)
	}
	if b, ok := root.Get("\n").Bool(); !b || !ok {
		t.Error("the newline's member is true")
	}
}

func TestMissing(t *testing.T) {
	var none jsonx.Value
	if none.Kind() != jsonx.Missing || none.Canonical() != nil || none.Len() != 0 || none.Depth() != 0 || none.Get("a").Exists() {
		t.Error("the zero Value has something")
	}
	if !none.Equal(jsonx.Value{}) || none.Equal(parse(t, "null")) {
		t.Error("the zero Value equals only itself")
	}
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{"1": 0, "[]": 1, `{"a":[{}],"b":[[]],"c":1}`: 3, `[[],{"a":{"b":{}}},[]]`: 4} {
		root := parse(t, text)
		if got := root.Depth(); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
		if outer := parse(t, "["+text+",1]"); outer.Depth() != want+1 {
			t.Errorf("[%s,1]: %d", text, outer.Depth())
		}
	}
	for _, value := range parse(t, `[1,[],[[]],{"a":[[]]}]`).Elements() {
		if string(value.Canonical()) == "[[]]" && value.Depth() != 2 {
			t.Errorf("a part: %d", value.Depth())
		}
	}
}
