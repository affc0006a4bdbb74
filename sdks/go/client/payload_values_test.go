package client

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"svc.example/go/internal/kerneltest"
)

type (
	tagged   struct{ Name string }
	untagged struct{ Name string }
	more     struct{ More int }
	embeds   struct {
		*embeds
		Ok bool
	}
	level  uint8
	broken string
	cents  int
	euros  struct{ Cents int }
	ansi   struct{}
)

func (b broken) Error() string                { return string(b) }
func (c cents) MarshalJSON() ([]byte, error)  { return json.Marshal(map[string]int{"cents": int(c)}) }
func (e *euros) MarshalJSON() ([]byte, error) { return json.Marshal(e.Cents / 100) }
func (ansi) MarshalText() ([]byte, error)     { return []byte("a\xffb"), nil }

// twoAmounts returns a struct that go vet would refuse in a source.
func twoAmounts() any {
	number := reflect.TypeFor[int]()
	return reflect.Zero(reflect.StructOf([]reflect.StructField{
		{Name: "Amount", Type: number, Tag: `json:"amount"`}, {Name: "Total", Type: number, Tag: `json:"amount"`},
		{Name: "Ok", Type: number, Tag: `json:"ok"`},
	})).Interface()
}

// payloadValues builds the value of each case of fixtures/payload-values.json.
func payloadValues() map[string]any {
	one := map[string]int{"a": 1}
	circle := map[string]any{}
	circle["self"] = circle
	deep := any(1)
	for range 63 {
		deep = []any{deep}
	}
	var itself any
	itself = &itself
	return map[string]any{
		"null": nil, "true": true, "false": false, "zero": 0, "the greatest integer": int64(1<<53 - 1),
		"the least integer": int64(1 - 1<<53), "a fraction": -1.5, "a small fraction": 5e-324, "an empty text": "",
		"a text of all planes": "<a&b> é 中 📍 \u0000 \u2028 \" \\ \ufffd",
		"an empty list":        []any{}, "an empty map": map[string]any{},
		"lists and maps":                   map[string]any{"": []any{1, map[string]any{"a/b~c": nil}}, "__proto__": [][]int{{}}},
		"one value in two places":          []any{one, one},
		"a time":                           time.Date(2026, 3, 1, 9, 30, 0, 5e8, time.UTC),
		"an object that says how it reads": cents(1250),
		"a nil slice":                      []string(nil),
		"a nil map":                        map[string]any(nil),
		"a nil pointer":                    (*tagged)(nil),
		"a struct": struct {
			Amount int `json:"amount"`
			Ok     bool
			Left   string `json:"-"`
			hidden int
		}{Amount: 1, Ok: true, hidden: 2},
		"a struct with embedded structs": struct {
			*tagged
			*more
			Ok bool
		}{&tagged{"a"}, nil, true},
		"an empty field that may be left out": struct {
			Name string `json:",omitempty"`
		}{},
		"a number as text": json.Number("12.5"),
		"JSON text":        json.RawMessage(`{"a": [1]}`),

		"NaN": math.NaN(), "infinity": math.Inf(1), "minus infinity": math.Inf(-1), "minus zero": math.Copysign(0, -1),
		"an integer of 2^53": int64(1) << 53, "an integer of -2^53": int64(-1) << 53, "a large fraction": 1e300,
		"a large integer": uint64(math.MaxUint64), "a text that is not Unicode": "a\xffb",
		"a name that is not Unicode": map[string]int{"\xff": 1}, "bytes": []byte("hello"),
		"a map with other names":             map[int]string{1: "a"},
		"a set":                              map[string]struct{}{"a": {}},
		"an error":                           errors.New("disk is full"),
		"an object whose members are hidden": struct{ a int }{5},
		"a function":                         func() {},
		"a value that is still to come":      make(chan int),
		"a value that contains itself":       circle,
		"65 levels":                          deep,
		"a complex number":                   1i,
		"two fields with one name":           twoAmounts(),
		"two fields with one name, one named by a tag": struct {
			Amount int
			Total  int `json:"Amount"`
		}{1, 2},
		"two embedded fields with one name": struct {
			tagged
			untagged
			Ok bool
		}{tagged{"a"}, untagged{"b"}, true},
		"a field with the name of an embedded one": struct {
			tagged
			Name string
		}{tagged{"a"}, "b"},
		"a struct that embeds itself": embeds{&embeds{Ok: true}, false},
		"an embedded time": struct {
			time.Time
			Name string
		}{time.Unix(0, 0), "a"},
		"a marshaler that needs a pointer":       euros{1250},
		"an error with fields":                   &fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist},
		"a text that is an error":                broken("disk is full"),
		"an error in a field":                    struct{ Err error }{errors.New("disk is full")},
		"no bytes":                               []byte(nil),
		"an array of bytes":                      [4]byte{1, 2, 3, 4},
		"a list of small numbers that are bytes": []level{1, 2},
		"names that are texts by a method":       map[netip.Addr]int{netip.IPv6Loopback(): 1},
		"a pointer to itself":                    itself,
		"a text by a method that is not Unicode": ansi{},
		"a number as text that is empty":         json.Number(""),
		"a number as text that is too large":     json.Number("1e400"),
		"JSON text with a name twice":            json.RawMessage(`{"a":1,"a":2}`),
		"JSON text with a number too small":      json.RawMessage(`1e-400`),
		"JSON text with a number too large":      json.RawMessage(`[9007199254740992]`),
		"JSON text that is not Unicode":          json.RawMessage("\"a\xffb\""),
		"invalid JSON text":                      json.RawMessage(`{`),
	}
}

// Every language builds the values of one table, and seals or refuses the same.
func TestPayloadValuesOfAllLanguages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(kerneltest.Root(t), "fixtures", "payload-values.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Refused string
		JSON          any
		Languages     []string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	values := payloadValues()
	for _, one := range cases {
		if one.Languages != nil && !slices.Contains(one.Languages, "go") {
			continue
		}
		value, isBuilt := values[one.Name]
		if !isBuilt {
			t.Errorf("%s: no value is built for this case", one.Name)
			continue
		}
		delete(values, one.Name)
		t.Run(one.Name, func(t *testing.T) {
			sent, err := EncodeEvent(EventInput{Payload: map[string]any{"x": value}})
			if one.Refused == "" {
				var event struct{ Payload struct{ X any } }
				if err != nil || json.Unmarshal(sent, &event) != nil || !reflect.DeepEqual(event.Payload.X, one.JSON) {
					t.Fatalf("%s: %v", sent, err)
				}
				return
			}
			if err == nil {
				t.Fatalf("sealed as %s", sent)
			}
			failure := errorOf(t, err)
			if failure.Code != CodePayloadNotJSON || failure.Retryable || !regexp.MustCompile(one.Refused).MatchString(failure.Message) {
				t.Fatal(err)
			}
			var detail struct {
				Problems []struct{ Path, Message string }
			}
			if err := json.Unmarshal(failure.Detail, &detail); err != nil || len(detail.Problems) != 1 || detail.Problems[0].Message != failure.Message {
				t.Fatalf("%s: %v", failure.Detail, err)
			}
			if path := detail.Problems[0].Path; path[:min(len(path), 10)] != "/payload/x" {
				t.Fatal(path)
			}
		})
	}
	for name := range values {
		t.Errorf("%s: fixtures/payload-values.json has no such case", name)
	}
}

func TestRefusedValuesOfABatchAreNamed(t *testing.T) {
	c := answering(t, Options{}, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	_, err := c.Stream("str_1").AppendBatch(t.Context(), []EventInput{
		{Payload: map[string]any{}}, {Payload: map[string]any{"a b": []any{0, map[string]any{"due": []byte{}}}}},
	})
	failure := errorOf(t, err)
	if !strings.HasPrefix(failure.Message, `events[1].payload["a b"][1].due is bytes`) || !strings.Contains(string(failure.Detail), `"/events/1/payload/a b/1/due"`) {
		t.Fatal(failure.Message, string(failure.Detail))
	}
}

func TestTextsAreSentAsTheyAre(t *testing.T) {
	text, err := EncodeEvent(EventInput{SourceRef: "<a&b> \\ufffd \uFFFD"})
	if err != nil || !strings.Contains(string(text), "<a&b> \\\\ufffd \uFFFD") {
		t.Fatal(string(text), err)
	}
}
