package svc

import (
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
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := verify(t.Context(), text, Options{Trust: trust}, kernel.Native); errors.Is(err, ErrInternal) {
			t.Error(err)
		}
	})
}
