package together

import (
	"iter"
	"os"
)

// groupFiles bounds the files of one group, which are in memory together: so many have about one full batch of
// signatures.
const groupFiles = 128

// Alone is the size, in bytes, of a file that is verified alone; those of one group have no more together.
const Alone = 4 << 20

// Groups yields the files of a list in order, as many at a time as may be verified together: from the first index up to
// the end. Any other than a small file is alone. `size`: of a file, in bytes.
func Groups(count int, size func(i int) int64) iter.Seq2[int, int] {
	return func(yield func(first, end int) bool) {
		first, total := 0, int64(0)
		for i := range count {
			own := min(size(i), Alone)
			if i > first && (i-first == groupFiles || total+own > Alone) {
				if !yield(first, i) {
					return
				}
				first, total = i, 0
			}
			total += own
		}
		if first < count {
			yield(first, count)
		}
	}
}

// SizeOf returns the size of a file for [Groups]; what is no file counts as one that is alone.
func SizeOf(name string) int64 {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return Alone
}
