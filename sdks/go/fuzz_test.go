package svc

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"svc.example/go/internal/kernel"
)

// FuzzVerifyBytes looks for bytes that end in an internal error instead of a verdict.
func FuzzVerifyBytes(f *testing.F) {
	trust, err := readTrustPolicy([]byte(`{"signers":[{"kid":"ed25519-4c869819ecf028ae","public_key_hex":` +
		`"7a6945e6d54dba953d775fce178ae5bc73ce1b3893b0af1d322b2b720c43adc7"}],"require_assurance":"L1","quorum":1}`))
	if err != nil {
		f.Fatal(err)
	}
	addGood(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := verify(t.Context(), text, Options{Trust: trust}, kernel.Native); errors.Is(err, ErrInternal) {
			t.Error(err)
		}
	})
}

// addGood adds the inputs of the good fixtures.
func addGood(f *testing.F) {
	names, err := filepath.Glob(fixturesFolder + "/cases/*/good*.json")
	if err != nil || len(names) == 0 {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if input, ok := inputOf(text); ok {
			f.Add(input)
		}
	}
}

// FuzzProduce looks for bytes that make what cuts, redacts and decodes fail, or make evidence that cannot be read.
func FuzzProduce(f *testing.F) {
	addGood(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		evidence, err := Decode(text)
		if errors.Is(err, ErrInternal) || (err == nil) != (evidence != nil) {
			t.Fatalf("%v, %v", evidence, err)
		}
		cut, err := PortableReceiptOf(text, 2)
		if errors.Is(err, ErrInternal) {
			t.Fatal(err)
		}
		if _, again := Decode(cut); err == nil && again != nil {
			t.Fatalf("a receipt that was cut: %v", again)
		}
		redacted, err := Redact(text, 1, 3)
		if errors.Is(err, ErrInternal) {
			t.Fatal(err)
		}
		if _, again := Decode(redacted); err == nil && again != nil {
			t.Fatalf("what was redacted: %v", again)
		}
	})
}

// FuzzParseTrustPolicy: a policy that is accepted can be used.
func FuzzParseTrustPolicy(f *testing.F) {
	names, err := filepath.Glob(fixturesFolder + "/cases/*/good*.json")
	if err != nil || len(names) == 0 {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var file struct{ Trust json.RawMessage }
		if err := json.Unmarshal(text, &file); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(file.Trust))
	}
	receipt, err := os.ReadFile(fixturesFolder + "/cases/receipt/good.json")
	if err != nil {
		f.Fatal(err)
	}
	input, _ := inputOf(receipt)
	f.Fuzz(func(t *testing.T, text []byte) {
		trust, err := ParseTrustPolicy(text)
		if errors.Is(err, ErrInternal) {
			t.Fatal(err)
		}
		if _, err := verify(t.Context(), input, Options{Trust: trust}, kernel.Native); err != nil {
			t.Fatal(err)
		}
	})
}
