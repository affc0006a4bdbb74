package search

import (
	"maps"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/fork"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/values"
)

// A provenLeaf is the data of a leaf, and its path in a tree.
type provenLeaf struct {
	data merkle.Hash
	path []merkle.Hash
}

// A knownLeaves is the leaves of trees that one object shows: single ones with their paths, and runs of windows.
type knownLeaves struct {
	k      kernel.Kernel
	single map[fork.Tree]map[int64]provenLeaf
	runs   []knownRun
}

// A knownRun is a run of windows with the trees that end in it.
type knownRun struct {
	window.Run
	trees map[fork.Tree]bool
}

func (l *knownLeaves) addLeaf(tree fork.Tree, index int64, leaf provenLeaf) {
	if l.single[tree] == nil {
		l.single[tree] = map[int64]provenLeaf{}
	}
	l.single[tree][index] = leaf
}

func (l *knownLeaves) addRun(run window.Run) {
	known := knownRun{run, map[fork.Tree]bool{}}
	frontier := run.Frontier
	for i, hash := range run.Hashes {
		grown, err := l.k.AppendLeaves(uint64(run.Prior)+uint64(i), frontier, []merkle.Hash{l.k.LeafHash(hash[:])})
		if err != nil {
			break
		}
		frontier = grown
		root, _ := l.k.RootOfFrontier(frontier)
		known.trees[fork.Tree{Size: run.Prior + int64(i) + 1, Root: root}] = true
	}
	l.runs = append(l.runs, known)
}

// addCheckpoint adds the windows that a checkpoint lists, unless its tree is known, or the one before them is not.
func (l *knownLeaves) addCheckpoint(checkpoint jsonx.Value) {
	tree := fork.TreeOfCheckpoint(checkpoint)
	if slices.ContainsFunc(l.runs, func(run knownRun) bool { return run.trees[tree] }) {
		return
	}
	var listed []merkle.Hash
	prior := int64(0)
	for i, one := range checkpoint.Get("window_roots").Elements() {
		if i == 0 {
			prior = values.Number(one, "window_no") - 1
		}
		listed = append(listed, values.Hash(one, "window_hash"))
	}
	for _, run := range slices.Backward(l.runs) {
		if run.Prior+int64(len(run.Hashes)) == prior {
			l.addRun(window.Run{Prior: run.Prior, Frontier: run.Frontier, Hashes: slices.Concat(run.Hashes, listed)})
			return
		}
	}
	if frontier := checkpoint.Get("frontier"); frontier.Exists() || prior == 0 {
		l.addRun(window.Run{Prior: prior, Frontier: values.Hashes(frontier), Hashes: listed})
	}
}

// addAnchor adds the checkpoints whose places an anchor shows.
func (l *knownLeaves) addAnchor(anchor jsonx.Value) {
	tree := fork.TreeOfEpoch(anchor)
	for _, one := range anchor.Get("members").Elements() {
		l.addLeaf(tree, values.Number(one, "leaf_index"), provenLeaf{values.Hash(one, "checkpoint_hash"), values.Hashes(one.Get("inclusion_path"))})
	}
}

// of returns the leaf data of a tree by index, and how to prove it: a single leaf that holds comes before one of a run.
func (l *knownLeaves) of(tree fork.Tree) (data map[int64]merkle.Hash, prove func(index int64) []merkle.Hash) {
	data = map[int64]merkle.Hash{}
	var run window.Run
	for _, one := range slices.Backward(l.runs) {
		if one.trees[tree] {
			run = one.Run
			break
		}
	}
	for i, hash := range run.Hashes {
		if index := run.Prior + int64(i); index < tree.Size {
			data[index] = hash
		}
	}
	paths := map[int64][]merkle.Hash{}
	for index, leaf := range l.single[tree] {
		if l.k.VerifyInclusion(l.k.LeafHash(leaf.data[:]), uint64(index), uint64(tree.Size), leaf.path, tree.Root) {
			data[index], paths[index] = leaf.data, leaf.path
		}
	}
	return data, func(index int64) []merkle.Hash {
		if path, ok := paths[index]; ok {
			return path
		}
		return run.Path(l.k, index, tree.Size)
	}
}

// firstDivergence returns the first index at which two trees are shown to hold different leaf data, as the member
// divergence; nil if none is shown.
func firstDivergence(left *knownLeaves, leftTree fork.Tree, right *knownLeaves, rightTree fork.Tree) jsonx.Members {
	here, proveHere := left.of(leftTree)
	there, proveThere := right.of(rightTree)
	for _, index := range slices.Sorted(maps.Keys(here)) {
		other, ok := there[index]
		if !ok || other == here[index] {
			continue
		}
		return jsonx.Members{
			{Name: "index", Value: index},
			{Name: "left_hash", Value: values.Hex(here[index])}, {Name: "left_path", Value: values.Hexes(proveHere(index))},
			{Name: "right_hash", Value: values.Hex(other)}, {Name: "right_path", Value: values.Hexes(proveThere(index))},
		}
	}
	return nil
}
