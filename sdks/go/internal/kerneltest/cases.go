// Package kerneltest holds any kernel to the same cases. It is for tests alone.
package kerneltest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"svc.example/go/internal/conformance"
	"svc.example/go/internal/kernel"
)

// Cases answers every case of levels 1, 2, 3 and 7 with a kernel, and compares whole answers but their messages.
func Cases(t *testing.T, k kernel.Kernel) {
	server := conformance.Server{Implementation: "test", Version: "0", Kernel: k}
	has := operations(t, &server)
	files, err := filepath.Glob(filepath.Join(Root(t), "conformance", "cases", "[1237]-*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			count := 0
			for line := range Lines(t, file) {
				var one struct {
					Name    string
					Request json.RawMessage
					Answer  map[string]any
				}
				must(t, json.Unmarshal(line, &one))
				var request struct{ Op string }
				must(t, json.Unmarshal(one.Request, &request))
				// The cases about the form of requests also name operations of other levels.
				if one.Answer["code"] == "malformed_request" && !slices.Contains(has, request.Op) {
					continue
				}
				count++
				// A case is a request without its id.
				compare(t, one.Name, server.Answer(slices.Concat([]byte(`{"id":null,`), one.Request[1:])), one.Answer)
			}
			if count == 0 {
				t.Error("no cases")
			}
		})
	}
}

func operations(t *testing.T, server *conformance.Server) []string {
	var hello struct{ Ops []string }
	must(t, json.Unmarshal(server.Answer([]byte(`{"id":1,"op":"hello"}`)), &hello))
	return hello.Ops
}

func compare(t *testing.T, name string, line []byte, want map[string]any) {
	t.Helper()
	var got map[string]any
	must(t, json.Unmarshal(line, &got))
	delete(got, "message")
	want["id"] = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %s, want %v", name, line, want)
	}
}

// Lines yields the lines of a file.
func Lines(t testing.TB, file string) func(yield func(line []byte) bool) {
	return func(yield func(line []byte) bool) {
		in, err := os.Open(file)
		must(t, err)
		defer in.Close()
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if !yield(lines.Bytes()) {
				return
			}
		}
		must(t, lines.Err())
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
