package merkle_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"svc.example/go/internal/kerneltest"
	"svc.example/go/internal/merkle"
)

func leaves(n int) []merkle.Hash {
	out := make([]merkle.Hash, n)
	for i := range out {
		out[i] = merkle.LeafHash(fmt.Append(nil, "leaf ", i))
	}
	return out
}

func hashes(t *testing.T, texts []string) []merkle.Hash {
	t.Helper()
	out := make([]merkle.Hash, len(texts))
	for i, text := range texts {
		if n, err := hex.Decode(out[i][:], []byte(text)); err != nil || n != merkle.HashSize {
			t.Fatalf("%q is no hash", text)
		}
	}
	return out
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestVectorsOfTrees(t *testing.T) {
	var trees []struct {
		Size      int
		Root      string
		Frontier  []string
		Inclusion []struct {
			Index int
			Path  []string
		}
		Consistency []struct {
			From int
			Path []string
		}
	}
	readJSON(t, kerneltest.Vectors(t, "proofstream/trees.json"), &trees)
	if len(trees) == 0 {
		t.Fatal("no vectors")
	}
	for _, tree := range trees {
		var frontier merkle.Frontier
		var all []merkle.Hash
		for i := range tree.Size {
			data := sha256.Sum256(fmt.Append(nil, "leaf ", i))
			all = append(all, merkle.LeafHash(data[:]))
			if err := frontier.Append(all[len(all)-1]); err != nil {
				t.Fatal(err)
			}
		}
		root := hashes(t, []string{tree.Root})[0]
		if got, ok := frontier.Root(); !ok || got != root || frontier.Size() != uint64(tree.Size) {
			t.Errorf("size %d: root %x", tree.Size, got)
		}
		if got := frontier.Hashes(); !reflect.DeepEqual(got, hashes(t, tree.Frontier)) {
			t.Errorf("size %d: frontier %x", tree.Size, got)
		}
		for _, proof := range tree.Inclusion {
			want := hashes(t, proof.Path)
			if got := merkle.ProveInclusion(all, proof.Index); !equal(got, want) {
				t.Errorf("size %d, index %d: %x", tree.Size, proof.Index, got)
			}
			if !merkle.VerifyInclusion(all[proof.Index], uint64(proof.Index), uint64(tree.Size), want, root) {
				t.Errorf("size %d, index %d does not verify", tree.Size, proof.Index)
			}
		}
		for _, proof := range tree.Consistency {
			want := hashes(t, proof.Path)
			if got := merkle.ProveConsistency(all, proof.From); !equal(got, want) {
				t.Errorf("from %d to %d: %x", proof.From, tree.Size, got)
			}
			from, _ := merkle.Root(all[:proof.From])
			if !merkle.VerifyConsistency(uint64(proof.From), from, uint64(tree.Size), root, want) {
				t.Errorf("from %d to %d does not verify", proof.From, tree.Size)
			}
		}
	}
}

func equal(left, right []merkle.Hash) bool {
	return len(left) == len(right) && (len(left) == 0 || reflect.DeepEqual(left, right))
}

func TestVectorsOfInclusion(t *testing.T) {
	count := 0
	for line := range kerneltest.Lines(t, kerneltest.Vectors(t, "merkle/inclusion.jsonl")) {
		count++
		var one struct {
			Name              string
			LeafIdx, TreeSize uint64
			Root, LeafHash    string
			Proof             []string
			WantErr           bool
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		parts, isWhole := [][]byte{}, true
		for _, text := range append([]string{one.LeafHash, one.Root}, one.Proof...) {
			part, err := base64.StdEncoding.DecodeString(text)
			isWhole = isWhole && err == nil && len(part) == merkle.HashSize
			parts = append(parts, part)
		}
		ok := false
		if isWhole {
			var all []merkle.Hash
			for _, part := range parts {
				all = append(all, merkle.Hash(part))
			}
			ok = merkle.VerifyInclusion(all[0], one.LeafIdx, one.TreeSize, all[2:], all[1])
		}
		if ok == one.WantErr {
			t.Errorf("%s: %v", one.Name, ok)
		}
	}
	if count == 0 {
		t.Fatal("no vectors")
	}
}

// naiveRoot is MTH of RFC 6962 section 2.1, as it is there.
func naiveRoot(leaves []merkle.Hash) merkle.Hash {
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	return merkle.NodeHash(naiveRoot(leaves[:k]), naiveRoot(leaves[k:]))
}

// Every proof of every tree up to 40 leaves holds, and none holds that was changed in any one way.
func TestProofsAndTheirChanges(t *testing.T) {
	all := leaves(41)
	stranger := merkle.LeafHash([]byte("stranger"))
	for n := 1; n <= 40; n++ {
		root, _ := merkle.Root(all[:n])
		if root != naiveRoot(all[:n]) {
			t.Fatalf("the root of %d", n)
		}
		for index := range n {
			path := merkle.ProveInclusion(all[:n], index)
			holds := func(leaf merkle.Hash, index, size int, path []merkle.Hash, root merkle.Hash) bool {
				return merkle.VerifyInclusion(leaf, uint64(index), uint64(size), path, root)
			}
			if !holds(all[index], index, n, path, root) {
				t.Fatalf("%d of %d", index, n)
			}
			for _, changed := range changes(path, stranger) {
				if holds(all[index], index, n, changed, root) {
					t.Fatalf("%d of %d holds by another path", index, n)
				}
			}
			for other := range n + 2 {
				if other != index && holds(all[index], other, n, path, root) {
					t.Fatalf("%d of %d holds at %d", index, n, other)
				}
			}
			if holds(stranger, index, n, path, root) || holds(all[index], index, n, path, stranger) {
				t.Fatalf("%d of %d holds for a stranger", index, n)
			}
		}
		for from := 1; from <= n; from++ {
			path := merkle.ProveConsistency(all[:n], from)
			old, _ := merkle.Root(all[:from])
			holds := func(from int, old merkle.Hash, to int, root merkle.Hash, path []merkle.Hash) bool {
				return merkle.VerifyConsistency(uint64(from), old, uint64(to), root, path)
			}
			if !holds(from, old, n, root, path) {
				t.Fatalf("from %d to %d", from, n)
			}
			for _, changed := range changes(path, stranger) {
				if holds(from, old, n, root, changed) {
					t.Fatalf("from %d to %d holds by another path", from, n)
				}
			}
			if holds(from, stranger, n, root, path) || holds(from, old, n, stranger, path) || holds(0, old, n, root, path) {
				t.Fatalf("from %d to %d holds for a stranger", from, n)
			}
			if from < n && holds(n, root, from, old, path) {
				t.Fatalf("from %d to %d holds backwards", from, n)
			}
		}
	}
}

// changes returns the path with one hash left out, added, replaced or moved.
func changes(path []merkle.Hash, stranger merkle.Hash) (out [][]merkle.Hash) {
	for i := range len(path) + 1 {
		out = append(out, append(append(append([]merkle.Hash{}, path[:i]...), stranger), path[i:]...))
		if i == len(path) {
			break
		}
		out = append(out, append(append([]merkle.Hash{}, path[:i]...), path[i+1:]...))
		replaced := append([]merkle.Hash{}, path...)
		replaced[i][31] ^= 1
		out = append(out, replaced)
		if i > 0 {
			swapped := append([]merkle.Hash{}, path...)
			swapped[i], swapped[i-1] = swapped[i-1], swapped[i]
			out = append(out, swapped)
		}
	}
	return out
}

// The first leaf of the largest tree has a sibling on its right on every level.
func TestLargestTree(t *testing.T) {
	leaf := merkle.LeafHash(nil)
	root, path := leaf, leaves(53)
	for _, sibling := range path {
		root = merkle.NodeHash(root, sibling)
	}
	for size, want := range map[uint64]bool{merkle.MaxSize: true, 1<<52 + 1: true, 1 << 52: false, merkle.MaxSize + 1: false, 1 << 63: false} {
		if got := merkle.VerifyInclusion(leaf, 0, size, path, root); got != want {
			t.Errorf("%d leaves: inclusion %v", size, got)
		}
		if got := merkle.VerifyConsistency(1, leaf, size, root, path); got != want {
			t.Errorf("%d leaves: consistency %v", size, got)
		}
	}
}

func TestFrontier(t *testing.T) {
	if _, err := merkle.NewFrontier(5, leaves(1)); err == nil {
		t.Error("five leaves with one hash")
	}
	if _, err := merkle.NewFrontier(merkle.MaxSize+1, leaves(1)); err == nil {
		t.Error("2^53 leaves")
	}
	full, err := merkle.NewFrontier(merkle.MaxSize, leaves(53))
	if err != nil {
		t.Fatal(err)
	}
	if full.Append(leaves(1)[0]) == nil || full.Size() != merkle.MaxSize {
		t.Error("a full tree grows")
	}
	if _, ok := new(merkle.Frontier).Root(); ok {
		t.Error("a tree without leaves has a root")
	}
	begun, err := merkle.NewFrontier(2, []merkle.Hash{merkle.NodeHash(leaves(2)[0], leaves(2)[1])})
	if err != nil {
		t.Fatal(err)
	}
	if err := begun.Append(leaves(3)[2]); err != nil {
		t.Fatal(err)
	}
	if got, _ := begun.Root(); got != naiveRoot(leaves(3)) {
		t.Errorf("two and one: %x", got)
	}
}
