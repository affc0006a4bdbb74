package wasmkernel_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"svc.example/go/internal/kerneltest"
	"svc.example/go/wasmkernel"
)

func kernel(t testing.TB) *wasmkernel.Kernel {
	t.Helper()
	k, err := wasmkernel.New(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close(context.Background()) })
	return k
}

func TestCases(t *testing.T) { kerneltest.Cases(t, kernel(t)) }

func TestHashIsThatOfTheLock(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(kerneltest.Root(t), "packages", "wasm", "kernel.lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	var lock struct{ SHA256 string }
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	if lock.SHA256 != wasmkernel.SHA256 || kernel(t).SHA256() != lock.SHA256 {
		t.Errorf("the lock has %s, this package %s", lock.SHA256, wasmkernel.SHA256)
	}
}
