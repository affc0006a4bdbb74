package wasmkernel_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	svc "svc.example/go"
	"svc.example/go/internal/kerneltest"
	"svc.example/go/report"
)

// Both kernels give one report of every fixture.
func TestFixturesAgree(t *testing.T) {
	k := kernel(t)
	names, err := filepath.Glob(filepath.Join(kerneltest.Root(t), "fixtures", "cases", "*", "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	count := 0
	for _, name := range names {
		var file struct {
			Kind        report.Kind
			Trust       json.RawMessage
			Links       []json.RawMessage
			Input       *string
			InputBase64 string `json:"input_base64"`
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		// A trust policy that is not well formed cannot be made.
		trust, err := svc.ParseTrustPolicy(file.Trust)
		if err != nil {
			trust = svc.TrustPolicy{}
		}
		options := svc.Options{Kind: file.Kind, Trust: trust}
		for _, link := range file.Links {
			options.Links = append(options.Links, link)
		}
		input, err := base64.StdEncoding.DecodeString(file.InputBase64)
		if err != nil {
			t.Fatal(err)
		}
		if file.Input != nil {
			input = []byte(*file.Input)
		}
		r, err := svc.CrossCheck(t.Context(), input, options, k)
		var verdict *svc.VerdictError
		if r == nil || (err != nil && !errors.As(err, &verdict)) || (len(r.Problems) > 0 && r.Problems[0].Code == report.CodeKernelsDisagree) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
		count++
	}
	t.Logf("%d fixtures", count)
}
