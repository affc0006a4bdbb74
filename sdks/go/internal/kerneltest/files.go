package kerneltest

import (
	"os"
	"path/filepath"
	"testing"
)

// Root returns the repository's folder.
func Root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	must(t, err)
	for {
		if _, err := os.Stat(filepath.Join(folder, "pnpm-workspace.yaml")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("these tests run inside of the repository")
		}
		folder = parent
	}
}

// Vectors returns a file or folder of fixtures/vectors, the test vectors of others. The test fails if it is missing.
func Vectors(t testing.TB, path string) string {
	t.Helper()
	found := filepath.Join(Root(t), "fixtures", "vectors", filepath.FromSlash(path))
	if _, err := os.Stat(found); err != nil {
		t.Fatalf("test vectors are missing: %v", err)
	}
	return found
}
