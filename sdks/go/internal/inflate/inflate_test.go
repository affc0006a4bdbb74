package inflate_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"svc.example/go/internal/inflate"
	"svc.example/go/internal/kerneltest"
)

// unpack returns the content, and whether the stream is accepted.
func unpack(packed []byte, size int) (content []byte, ok bool) {
	ok = inflate.Inflate(packed, uint32(size), func(piece []byte) { content = append(content, piece...) })
	return content, ok
}

func pack(t testing.TB, content []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func contents() map[string][]byte {
	random := rand.New(rand.NewPCG(5, 6))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	var text strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&text, "%d,loan-%d\r\n", i, random.IntN(100))
	}
	far := bytes.Clone(noise[:32768])
	return map[string][]byte{
		"nothing": {}, "a byte": {7}, "zeros": make([]byte, 1_000_000), "noise": noise, "text": []byte(text.String()),
		"as far back as can be": append(append(far, far...), far[:100]...),
	}
}

func TestWhatFlatePacks(t *testing.T) {
	for name, content := range contents() {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			packed := pack(t, content, level)
			if got, ok := unpack(packed, len(content)); !ok || !bytes.Equal(got, content) {
				t.Errorf("%s, level %d: %v, %d bytes", name, level, ok, len(got))
			}
			for _, size := range []int{len(content) - 1, len(content) + 1, 0, 1 << 30} {
				if size < 0 || size == len(content) {
					continue
				}
				if got, ok := unpack(packed, size); ok || len(got) > size {
					t.Errorf("%s, level %d: declared %d, %v, %d bytes", name, level, size, ok, len(got))
				}
			}
			if _, ok := unpack(append(bytes.Clone(packed), 0), len(content)); ok {
				t.Errorf("%s, level %d: a byte behind it", name, level)
			}
			if _, ok := unpack(packed[:len(packed)-1], len(content)); ok {
				t.Errorf("%s, level %d: a byte is missing", name, level)
			}
		}
	}
}

func TestByHand(t *testing.T) {
	for _, test := range kerneltest.Streams() {
		got, ok := unpack(test.Packed, int(test.Size))
		if ok != test.IsGood || (ok && string(got) != test.Content) {
			t.Errorf("%s: %v, %q", test.Name, ok, got)
		}
	}
}

// FuzzInflate holds the inflater to compress/flate, which is laxer.
func FuzzInflate(f *testing.F) {
	for _, content := range contents() {
		if len(content) < 1000 {
			f.Add(pack(f, content, 9), uint32(len(content)))
		}
	}
	f.Add([]byte{3, 0}, uint32(0))
	f.Add([]byte{0, 1, 0, 0xfe, 0xff, 0x61, 1, 1, 0, 0xfe, 0xff, 0x62}, uint32(2))
	f.Add(pack(f, []byte(strings.Repeat("seq_no,source_ref\r\n", 20)), 9), uint32(380))
	f.Fuzz(func(t *testing.T, packed []byte, size uint32) {
		size %= 1 << 22
		got, ok := unpack(packed, int(size))
		if len(got) > int(size) {
			t.Fatalf("%d bytes of %d", len(got), size)
		}
		in := bytes.NewReader(packed)
		other, err := io.ReadAll(io.LimitReader(flate.NewReader(in), int64(size)+1))
		if ok && (err != nil || !bytes.Equal(got, other) || in.Len() > 0) {
			t.Fatalf("%x: accepted, but %v, %d bytes, %d left", packed, err, len(other), in.Len())
		}
		if !ok {
			return
		}
		if again, ok := unpack(pack(t, got, 6), len(got)); !ok || !bytes.Equal(again, got) {
			t.Fatal("what was unpacked cannot be packed and unpacked")
		}
	})
}
