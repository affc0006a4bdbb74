package conformance_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"svc.example/go/internal/conformance"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
)

// FuzzAnswer sends anything, and wants one line of JSON that is no internal error.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"op":"hello"}`, `{"id":1,"op":"json.canonical","bytes":"eyJhIjoxfQ=="}`, `{"id":1,"op":"digest","tag":"event","bytes":"e30="}`,
		`{"id":1,"op":"merkle.root","leaves":["00",""]}`, `{"id":1,"op":"ed25519.batch","items":[{"public_key":"","message":"","signature":""}]}`,
		`{"id":1,"op":"merkle.inclusion","leaf_hash":"00","leaf_index":"0","tree_size":1,"path":[],"root":""}`, `[]`, `{"op":1}`, "\xff",
		`{"id":1,"op":"merkle.consistency","size1":"9007199254740992","root1":"","size2":2,"root2":"","path":["00"]}`,
	} {
		f.Add([]byte(seed))
	}
	server := conformance.Server{Implementation: "test", Version: "0", Kernel: kernel.Native}
	f.Fuzz(func(t *testing.T, line []byte) {
		answer := server.Answer(line)
		tree, err := jsonx.Parse(answer, jsonx.Limits{})
		if err != nil || !tree.WireIsCanonical() || tree.Root().Get("code").IsText("internal_error") {
			t.Fatalf("%q: %s", line, answer)
		}
	})
}

func TestServe(t *testing.T) {
	server := conformance.Server{Implementation: "test", Version: "0", Kernel: kernel.Native}
	long := `{"id":"` + strings.Repeat("a", 32<<20)
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"\n", `json_malformed 0`},
		{"{\"id\":7,\"op\":\"x\"}\r\n{\"id\":[8],\"op\":\"x\"}", "unsupported_op 7,unsupported_op [8]"},
		{"[1]\n", "malformed_request <nil>"},
		{`{"op":"digest","tag":"x","bytes":"e30="}`, "malformed_request <nil>"},
		{`{"id":7,"op":"verify","bytes":"?","kind":"no-kind","links":{}}`, "unsupported_object 7"},
		{long + "\n{\"id\":7,\"op\":\"x\"}\n", "request_too_large <nil>,unsupported_op 7"},
		{long, "request_too_large <nil>"},
	} {
		var out bytes.Buffer
		if err := server.Serve(strings.NewReader(test.in), &out); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			var answer struct {
				ID     any
				Code   string
				Offset any
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil {
				t.Fatal(err)
			}
			about, _ := json.Marshal(answer.ID)
			if answer.ID == nil {
				about = []byte("<nil>")
			}
			if answer.Offset != nil {
				about, _ = json.Marshal(answer.Offset)
			}
			got = append(got, answer.Code+" "+string(about))
		}
		if strings.Join(got, ",") != test.want {
			t.Errorf("%.30q: %v, want %s", test.in, got, test.want)
		}
	}
}
