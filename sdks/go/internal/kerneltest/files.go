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

// Vectors returns a file or folder of the shared test vectors: other people's data beside the repository, in
// `../shared/vectors`, or in the folder of the environment variable SVC_VECTORS. Without them the test is skipped with
// a loud message; under CI it fails.
func Vectors(t testing.TB, path string) string {
	t.Helper()
	folder := os.Getenv("SVC_VECTORS")
	if folder == "" {
		folder = filepath.Join(Root(t), "..", "shared", "vectors")
	}
	found := filepath.Join(folder, filepath.FromSlash(path))
	if _, err := os.Stat(found); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("test vectors are missing: %s", found)
		}
		t.Skipf("!!! NOT TESTED: test vectors are missing: %s", found)
	}
	return found
}
