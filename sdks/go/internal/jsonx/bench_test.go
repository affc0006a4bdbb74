package jsonx_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kerneltest"
)

// bundle returns the canonical text of a bundle of the fixtures, many times over in one array.
func bundle(b *testing.B) []byte {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(kerneltest.Root(b), "fixtures", "cases", "bundle", "good.json"))
	if err != nil {
		b.Fatal(err)
	}
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	list := []any{}
	for range 100 {
		list = append(list, tree.Root())
	}
	out, err := jsonx.Encode(list)
	if err != nil {
		b.Fatal(err)
	}
	return out
}

func BenchmarkParse(b *testing.B) {
	wire := bundle(b)
	b.Run("canonical", func(b *testing.B) {
		b.SetBytes(int64(len(wire)))
		b.ReportAllocs()
		for b.Loop() {
			if tree, err := jsonx.Parse(wire, jsonx.Limits{}); err != nil || !tree.WireIsCanonical() {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(wire)))
		b.ReportAllocs()
		for b.Loop() {
			var value any
			if err := json.Unmarshal(wire, &value); err != nil {
				b.Fatal(err)
			}
		}
	})
}
