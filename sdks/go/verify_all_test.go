package svc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// writeFixtures writes the inputs of fixtures into files, and returns their names.
func writeFixtures(t *testing.T, count int) (names []string) {
	t.Helper()
	folder := t.TempDir()
	for i, one := range readFixtures(t)[:count] {
		name := filepath.Join(folder, fmt.Sprintf("%04d", i))
		if err := os.WriteFile(name, one.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// Many files give what each gives alone, in their order, whatever the number of workers.
func TestVerifyAll(t *testing.T) {
	names := append(writeFixtures(t, 60), filepath.Join(t.TempDir(), "missing"))
	for _, workers := range []int{0, 1, 5, math.MaxInt} {
		at := 0
		for result := range VerifyAll(t.Context(), names, Options{Workers: workers}) {
			want, err := VerifyFile(t.Context(), names[at], Options{})
			if result.Name != names[at] || !reflect.DeepEqual(result.Report, want) || fmt.Sprint(result.Err) != fmt.Sprint(err) {
				t.Errorf("%d workers, file %d: %+v, want %v", workers, at, result, err)
			}
			at++
		}
		if at != len(names) {
			t.Errorf("%d workers: %d results of %d", workers, at, len(names))
		}
	}
}

// A loop that ends early ends the work; once the context ends, each file left has its error.
func TestVerifyAllEnds(t *testing.T) {
	names := writeFixtures(t, 60)
	for range VerifyAll(t.Context(), names, Options{Workers: 3}) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	count := 0
	for result := range VerifyAll(ctx, names, Options{Workers: 3}) {
		count++
		if result.Report != nil || !errors.Is(result.Err, context.Canceled) {
			t.Errorf("%+v", result)
		}
	}
	if count != len(names) {
		t.Errorf("%d results", count)
	}
	for range VerifyAll(t.Context(), nil, Options{}) {
		t.Error("a result of no file")
	}
}
