package inflate_test

import (
	"bytes"
	"compress/flate"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"svc.example/go/internal/inflate"
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
			for _, size := range []int{len(content) - 1, len(content) + 1, 0, 1 << 31} {
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

// A bitText writes a stream bit by bit.
type bitText struct {
	bytes []byte
	count int
}

// number adds bits with the lowest one first.
func (b *bitText) number(value, bits int) *bitText {
	for i := range bits {
		if b.count%8 == 0 {
			b.bytes = append(b.bytes, 0)
		}
		b.bytes[b.count/8] |= byte(value>>i&1) << (b.count % 8)
		b.count++
	}
	return b
}

// word adds bits of a text of 0 and 1 as they stand.
func (b *bitText) word(text string) *bitText {
	for _, c := range strings.ReplaceAll(text, " ", "") {
		b.number(int(c-'0'), 1)
	}
	return b
}

// dynamic begins a last block with its own codes: so many lengths of each kind, and the lengths of the code for lengths
// in the order of RFC 1951.
func dynamic(literals, distances int, lengths ...int) *bitText {
	b := new(bitText).number(1, 1).number(2, 2).number(literals-257, 5).number(distances-1, 5).number(len(lengths)-4, 4)
	for _, length := range lengths {
		b.number(length, 3)
	}
	return b
}

// Each of these is a whole stream, by hand. The code for lengths below has words of two bits for 0, 1, 2 and 18.
func TestByHand(t *testing.T) {
	//                   16 17 18  0  8  7  9  6 10  5 11  4 12  3 13  2 14  1
	ofLengths := []int{0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2}
	const zero, one, two, many = "00", "01", "10", "11"
	// zeros writes a run of 11 to 138 lengths of 0.
	zeros := func(b *bitText, count int) *bitText { return b.word(many).number(count-11, 7) }
	// lettersA writes the lengths of 257 literals: "a" has a word of one bit, and the end of the block the one given.
	lettersA := func(b *bitText, endLength string) *bitText {
		zeros(b, 97).word(one)
		zeros(b, 138)
		return zeros(b, 20).word(endLength)
	}
	for _, test := range []struct {
		name   string
		stream []byte
		size   int
		want   string
		ok     bool
	}{
		{"an empty fixed block", []byte{3, 0}, 0, "", true},
		{"padding that is set", []byte{3, 4}, 0, "", false},
		{"no bytes", nil, 0, "", false},
		{"an empty stored block", unhex("010000ffff"), 0, "", true},
		{"a bit before the length of a stored block", unhex("090000ffff"), 0, "", false},
		{"a complement that is none", unhex("010000fffe"), 0, "", false},
		{"a stored block that is cut", unhex("010200fdff61"), 2, "", false},
		{"a stored block", unhex("010200fdff6162"), 2, "ab", true},
		{"two stored blocks", unhex("000100feff61010100feff62"), 2, "ab", true},
		{"no last block", unhex("000100feff61"), 1, "", false},
		{"a block of the fourth kind", []byte{7, 0}, 0, "", false},
		{"a letter of fixed codes", new(bitText).number(1, 1).number(1, 2).word("10010001 0000000").bytes, 1, "a", true},
		{"a copy to before the beginning", new(bitText).number(1, 1).number(1, 2).word("10010001 0000001 00001 0000000").bytes, 4, "", false},
		{"a copy of the last letter", new(bitText).number(1, 1).number(1, 2).word("10010001 0000001 00000 0000000").bytes, 4, "aaaa", true},
		{"the fixed symbol 286", new(bitText).number(1, 1).number(1, 2).word("10010001 11000110 00000 0000000").bytes, 4, "", false},
		{"the fixed distance 30", new(bitText).number(1, 1).number(1, 2).word("10010001 0000001 11110 0000000").bytes, 4, "", false},
		{"a letter, no distances", lettersA(dynamic(257, 1, ofLengths...), one).word(zero).word("0 0 1").bytes, 2, "aa", true},
		{"one distance of one bit", lettersA(dynamic(257, 1, ofLengths...), one).word(one).word("0 1").bytes, 1, "a", true},
		{"one distance of two bits", lettersA(dynamic(257, 1, ofLengths...), one).word(two).word("0 1").bytes, 1, "", false},
		{"literals that leave a word", lettersA(dynamic(257, 1, ofLengths...), two).word(zero).word("0 10").bytes, 1, "", false},
		{"no end of block", lettersA(dynamic(257, 1, ofLengths...), zero).word(zero).word("0 0").bytes, 2, "", false},
		{"287 literals", lettersA(dynamic(287, 1, ofLengths...), one).bytes, 2, "", false},
		{"31 distances", lettersA(dynamic(257, 31, ofLengths...), one).word(zero).word(many).number(19, 7).word("0 0 1").bytes, 2, "", false},
		{"30 distances", lettersA(dynamic(257, 30, ofLengths...), one).word(zero).word(many).number(18, 7).word("0 0 1").bytes, 2, "aa", true},
		{"a run past all lengths", zeros(lettersA(dynamic(257, 1, ofLengths...), one), 11).word("0 0 1").bytes, 2, "", false},
		{"a repeat before any length", dynamic(257, 1, 1, 1, 0, 0).word("0").number(0, 2).bytes, 0, "", false},
		{"lengths that leave a word", dynamic(257, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2).bytes, 0, "", false},
		{"too many words", dynamic(257, 1, 1, 1, 1, 0).bytes, 0, "", false},
	} {
		got, ok := unpack(test.stream, test.size)
		if ok != test.ok || (ok && string(got) != test.want) {
			t.Errorf("%s: %v, %q", test.name, ok, got)
		}
	}
}

func unhex(text string) []byte {
	out, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return out
}

// FuzzInflate holds the inflater to compress/flate, which is laxer.
func FuzzInflate(f *testing.F) {
	for _, content := range contents() {
		if len(content) < 1000 {
			f.Add(pack(f, content, 9), uint32(len(content)))
		}
	}
	f.Add([]byte{3, 0}, uint32(0))
	f.Add(unhex("000100feff61010100feff62"), uint32(2))
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
