package together

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Groups have all files in order, and neither too many nor too long ones.
func TestGroups(t *testing.T) {
	for name, test := range map[string]struct {
		sizes []int64
		ends  []int
	}{
		"none":            {nil, nil},
		"many small ones": {make([]int64, 2*groupFiles+1), []int{groupFiles, 2 * groupFiles, 2*groupFiles + 1}},
		"a large one":     {[]int64{1, Alone, 1, 1}, []int{1, 2, 4}},
		"just enough":     {[]int64{Alone - 1, 1, 1}, []int{2, 3}},
		"larger than all": {[]int64{1 << 62, 1 << 62}, []int{1, 2}},
	} {
		var ends []int
		last := 0
		for first, end := range Groups(len(test.sizes), func(i int) int64 { return test.sizes[i] }) {
			if first != last {
				t.Errorf("%s: %d comes after %d", name, first, last)
			}
			last = end
			ends = append(ends, end)
		}
		if !slices.Equal(ends, test.ends) {
			t.Errorf("%s: %v, and %v is right", name, ends, test.ends)
		}
	}
	for range Groups(3, func(int) int64 { return Alone }) {
		break
	}
}

// A folder, and a name of nothing, are alone.
func TestSizeOf(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{file: 3, folder: Alone, file + "none": Alone} {
		if own := SizeOf(name); own != want {
			t.Errorf("%s: %d, and %d is right", name, own, want)
		}
	}
}
