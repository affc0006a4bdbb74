package svc

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

// Each mutant for which this package and core once differed gives the report that the protocol asks for. The file has
// cases as the conformance kit writes what it finds.
func TestFound(t *testing.T) {
	text, err := os.ReadFile("testdata/found.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(text)) {
		var one struct {
			Name    string `json:"name"`
			Request struct {
				Bytes []byte          `json:"bytes"`
				Kind  report.Kind     `json:"kind"`
				Trust json.RawMessage `json:"trust"`
			} `json:"request"`
			Answer struct {
				Report map[string]any `json:"report"`
			} `json:"answer"`
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		t.Run(one.Name, func(t *testing.T) {
			var trust TrustPolicy
			if one.Request.Trust != nil {
				if trust, err = readTrustPolicy(one.Request.Trust); err != nil {
					t.Fatal(err)
				}
			}
			got, err := verify(t.Context(), one.Request.Bytes, Options{Trust: trust, Kind: one.Request.Kind}, kernel.Native)
			if err != nil {
				t.Fatal(err)
			}
			if want, have := essence(one.Answer.Report), essence(asMap(t, got)); want != have {
				t.Error(difference(want, have))
			}
		})
		count++
	}
	if count == 0 {
		t.Error("no cases")
	}
}
