package wasmkernel_test

import (
	"bytes"
	"compress/flate"
	"crypto/ed25519"
	"crypto/sha512"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/jsonx"
	native "svc.example/go/internal/kernel"
	"svc.example/go/internal/kerneltest"
	"svc.example/go/internal/merkle"
	"svc.example/go/wasmkernel"
)

// corpus returns the inputs that the compiled kernel's own fuzzing has kept.
func corpus(t testing.TB, name string) (inputs [][]byte) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(kerneltest.Root(t), "packages", "wasm", "fuzz", "corpus", name, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus %s: %v", name, err)
	}
	for _, file := range files {
		input, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, input)
	}
	return inputs
}

// mutants yields count changes of the seeds: bytes flipped, left out, doubled, replaced by others of the seed.
func mutants(seeds [][]byte, count int) func(yield func([]byte) bool) {
	random := rand.New(rand.NewPCG(7, 8))
	return func(yield func([]byte) bool) {
		for _, seed := range seeds {
			if !yield(seed) {
				return
			}
		}
		for range count {
			one := slices.Clone(seeds[random.IntN(len(seeds))])
			for range 1 + random.IntN(3) {
				if len(one) == 0 {
					break
				}
				at := random.IntN(len(one))
				switch random.IntN(5) {
				case 0:
					one[at] ^= 1 << random.IntN(8)
				case 1:
					one = slices.Delete(one, at, min(len(one), at+1+random.IntN(4)))
				case 2:
					end := min(len(one), at+1+random.IntN(8))
					one = slices.Insert(one, at, slices.Clone(one[at:end])...)
				case 3:
					one[at] = one[random.IntN(len(one))]
				default:
					one[at] = byte(random.Uint32())
				}
			}
			if !yield(one) {
				return
			}
		}
	}
}

func sameJSON(t *testing.T, k *wasmkernel.Kernel, wire []byte) {
	t.Helper()
	ours, oursErr := native.Native.ParseJSON(wire, jsonx.Limits{})
	theirs, theirsErr := k.ParseJSON(wire, jsonx.Limits{})
	if !reflect.DeepEqual(oursErr, theirsErr) {
		t.Fatalf("%q: %v, compiled %v", wire, oursErr, theirsErr)
	}
	if oursErr != nil {
		return
	}
	if !bytes.Equal(ours.Canonical(), theirs.Canonical()) || ours.WireIsCanonical() != theirs.WireIsCanonical() {
		t.Fatalf("%q: %q, compiled %q", wire, ours.Canonical(), theirs.Canonical())
	}
	if ours.Depth() != theirs.Depth() || !ours.Root().Equal(theirs.Root()) {
		t.Fatalf("%q: another tree", wire)
	}
}

func jsonSeeds(t testing.TB) [][]byte {
	seeds := corpus(t, "json")
	for _, text := range []string{
		`{"z":1,"a":[1.50,-0,1e21,"\u00e9\ud83d\ude00\n"],"\ud83d\ude00":null,"` + "\uffff" + `":true}`,
		`{"q":0,"w":0,"e":0,"r":0,"t":0,"y":0,"u":0,"i":0,"o":0,"p":0,"a":0,"s":0,"d":0,"f":0,"q":0}`,
		`[9007199254740993,123456789012345680000,5e-324,1e-400,1.7976931348623159e308,0.1e1]`, `"\ud800\u12g4"`, "\"\xed\xa0\x80\"",
	} {
		seeds = append(seeds, []byte(text))
	}
	return seeds
}

func TestJSONAgrees(t *testing.T) {
	k := kernel(t)
	for wire := range mutants(jsonSeeds(t), 20_000) {
		sameJSON(t, k, wire)
	}
}

func FuzzJSON(f *testing.F) {
	k := kernel(f)
	for _, seed := range jsonSeeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, wire []byte) { sameJSON(t, k, wire) })
}

func sameInflate(t *testing.T, k *wasmkernel.Kernel, packed []byte, size uint32) {
	t.Helper()
	run := func(k native.Kernel) (content []byte, ok bool) {
		ok = k.Inflate(packed, size, func(piece []byte) { content = append(content, piece...) })
		return content, ok
	}
	ours, oursOK := run(native.Native)
	theirs, theirsOK := run(k)
	if oursOK != theirsOK || (oursOK && !bytes.Equal(ours, theirs)) {
		t.Fatalf("%x of %d: %v, compiled %v", packed, size, oursOK, theirsOK)
	}
}

// streams returns deflate streams and the sizes that they give.
func streams(t testing.TB) (packed [][]byte) {
	t.Helper()
	random := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		content := make([]byte, random.IntN(400))
		letters := 1 + random.IntN(40)
		for i := range content {
			content[i] = byte('0' + random.IntN(letters))
		}
		var out bytes.Buffer
		w, err := flate.NewWriter(&out, random.IntN(12)-2)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(content)
		_ = w.Close()
		packed = append(packed, out.Bytes())
	}
	for _, one := range corpus(t, "inflate") {
		packed = append(packed, one[1:])
	}
	return packed
}

func TestInflateAgrees(t *testing.T) {
	k := kernel(t)
	for packed := range mutants(streams(t), 20_000) {
		// The size that it gives, if it gives any.
		size := uint32(0)
		native.Native.Inflate(packed, 1<<20, func(piece []byte) { size += uint32(len(piece)) })
		for _, one := range []uint32{size, 1 << 20} {
			sameInflate(t, k, packed, one)
		}
	}
}

func FuzzInflate(f *testing.F) {
	k := kernel(f)
	for _, packed := range streams(f) {
		f.Add(packed, uint32(100))
	}
	f.Fuzz(func(t *testing.T, packed []byte, size uint32) { sameInflate(t, k, packed, size%(1<<20)) })
}

func TestStreamsByHandAgree(t *testing.T) {
	k := kernel(t)
	for _, one := range kerneltest.Streams() {
		t.Run(one.Name, func(t *testing.T) { sameInflate(t, k, one.Packed, one.Size) })
	}
}

func TestLargeStreamAgrees(t *testing.T) {
	k := kernel(t)
	content := bytes.Repeat([]byte("so it goes, and goes on, "), 400_000)
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, 1)
	_, _ = w.Write(content)
	_ = w.Close()
	sameInflate(t, k, out.Bytes(), uint32(len(content)))
	stored := bytes.Buffer{}
	w, _ = flate.NewWriter(&stored, 0)
	_, _ = w.Write(content)
	_ = w.Close()
	sameInflate(t, k, stored.Bytes(), uint32(len(content)))
}

func TestSignaturesAgree(t *testing.T) {
	k := kernel(t)
	random := rand.New(rand.NewPCG(11, 12))
	var items []ed25519x.Item
	for i := range 300 {
		seed := sha512.Sum512(fmt.Append(nil, "key ", i%7))
		private := ed25519.NewKeyFromSeed(seed[:32])
		message := fmt.Append(nil, "message ", i)
		signature := ed25519.Sign(private, message)
		public := slices.Clone(private.Public().(ed25519.PublicKey))
		switch i % 5 {
		case 0:
			signature[random.IntN(64)] ^= 1 << random.IntN(8)
		case 1:
			public[random.IntN(32)] ^= 1 << random.IntN(8)
		}
		items = append(items, ed25519x.Item{PublicKey: public, Message: message, Signature: signature})
	}
	if ours, theirs := native.Native.VerifyBatch(items), k.VerifyBatch(items); !slices.Equal(ours, theirs) {
		t.Errorf("%v, compiled %v", ours, theirs)
	}
}

func TestTreesAgree(t *testing.T) {
	k := kernel(t)
	ours := native.Native
	var leaves []merkle.Hash
	for i := range 40 {
		data := bytes.Repeat([]byte{byte(i)}, i)
		if k.LeafHash(data) != ours.LeafHash(data) {
			t.Errorf("the leaf hash of %d bytes", i)
		}
		leaves = append(leaves, ours.LeafHash(data))
	}
	for n := 1; n <= len(leaves); n++ {
		root, _ := ours.Root(leaves[:n])
		frontier, _ := ours.AppendLeaves(0, nil, leaves[:n])
		theirs, err := k.AppendLeaves(0, nil, leaves[:n])
		if again, ok := k.RootOfFrontier(frontier); !ok || again != root || err != nil || !slices.Equal(frontier, theirs) {
			t.Errorf("the tree of %d", n)
		}
		if again, ok := k.Root(leaves[:n]); !ok || again != root {
			t.Errorf("the root of %d", n)
		}
		for i := range n {
			if !slices.Equal(k.ProveInclusion(leaves[:n], i), ours.ProveInclusion(leaves[:n], i)) {
				t.Errorf("the path of %d in %d", i, n)
			}
			if !slices.Equal(k.ProveConsistency(leaves[:n], i+1), ours.ProveConsistency(leaves[:n], i+1)) {
				t.Errorf("the path from %d to %d", i+1, n)
			}
		}
	}
	if _, err := k.AppendLeaves(5, leaves[:1], nil); err != merkle.ErrFrontier {
		t.Errorf("five leaves with one hash: %v", err)
	}
	if _, err := k.AppendLeaves(merkle.MaxSize, leaves[:0], nil); err != merkle.ErrFrontier {
		t.Errorf("a full tree without hashes: %v", err)
	}
	if _, ok := k.Root(nil); ok {
		t.Error("a tree without leaves has a root")
	}
}

func TestDigestsAgree(t *testing.T) {
	k := kernel(t)
	for _, size := range []int{0, 1, 55, 56, 63, 64, 65, 1 << 20, 3<<20 + 5} {
		part := bytes.Repeat([]byte{7}, size)
		for _, line := range [][]byte{nil, digest.Line("event")} {
			if k.Digest(line, part, []byte("x")) != native.Native.Digest(line, part, []byte("x")) {
				t.Errorf("%d bytes behind %q", size, line)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	k := kernel(t)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for n := range 50 {
				text := fmt.Appendf(nil, `{"b":%d,"a":%d}`, i, n)
				tree, err := k.ParseJSON(text, jsonx.Limits{})
				if want := fmt.Sprintf(`{"a":%d,"b":%d}`, n, i); err != nil || string(tree.Canonical()) != want {
					t.Errorf("%s: %v", text, err)
				}
			}
		})
	}
	group.Wait()
}
