package jsonx_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kerneltest"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestVectorsOfRFC8785(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(kerneltest.Vectors(t, "jcs/input"), "*.json"))
	if len(files) == 0 {
		t.Fatal("no vectors")
	}
	for _, file := range files {
		tree, err := jsonx.Parse(read(t, file), jsonx.Limits{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		want := read(t, strings.Replace(file, "input", "output", 1))
		if !bytes.Equal(tree.Canonical(), want) {
			t.Errorf("%s: %s, want %s", file, tree.Canonical(), want)
		}
	}
}

func TestVectorsOfSection2(t *testing.T) {
	list := parse(t, string(read(t, kerneltest.Vectors(t, "proofstream/json.json"))))
	if list.Len() == 0 {
		t.Fatal("no vectors")
	}
	for _, one := range list.Elements() {
		name, _ := one.Get("name").Text()
		input, _ := one.Get("input_base64").Text()
		wire, err := base64.StdEncoding.DecodeString(input)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := jsonx.Parse(wire, jsonx.Limits{})
		if ok, _ := one.Get("ok").Bool(); ok != (err == nil) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err != nil {
			if fault := err.(*jsonx.SyntaxError); one.Get("code").Exists() && !one.Get("code").IsText(string(fault.Code)) {
				t.Errorf("%s: %v, want %s", name, err, one.Get("code").Canonical())
			}
			continue
		}
		if text := hex.EncodeToString(tree.Canonical()); one.Get("canonical_hex").Exists() && !one.Get("canonical_hex").IsText(text) {
			t.Errorf("%s: %s, want %s", name, tree.Canonical(), one.Get("canonical_hex").Canonical())
		}
	}
}
