package examine

import (
	"maps"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
)

// A provenLeaf is the data of a leaf, and its path in a tree.
type provenLeaf struct {
	data merkle.Hash
	path []merkle.Hash
}

// A knownLeaves is the leaves of trees that one object shows: single ones with their paths, and runs of windows.
type knownLeaves struct {
	k      kernel.Kernel
	single map[forkTree]map[int64]provenLeaf
	runs   []knownRun
}

// A knownRun is a run of windows with the trees that end in it.
type knownRun struct {
	windowRun
	trees map[forkTree]bool
}

func treeOf(checkpoint jsonx.Value) forkTree {
	return forkTree{number(checkpoint, "window_count"), hashOf(checkpoint, "checkpoint_root")}
}

func (l *knownLeaves) addLeaf(tree forkTree, index int64, leaf provenLeaf) {
	if l.single[tree] == nil {
		l.single[tree] = map[int64]provenLeaf{}
	}
	l.single[tree][index] = leaf
}

func (l *knownLeaves) addRun(run windowRun) {
	known := knownRun{run, map[forkTree]bool{}}
	frontier := run.frontier
	for i, hash := range run.hashes {
		grown, err := l.k.AppendLeaves(uint64(run.prior)+uint64(i), frontier, []merkle.Hash{l.k.LeafHash(hash[:])})
		if err != nil {
			break
		}
		frontier = grown
		root, _ := l.k.RootOfFrontier(frontier)
		known.trees[forkTree{run.prior + int64(i) + 1, root}] = true
	}
	l.runs = append(l.runs, known)
}

// addCheckpoint adds the windows that a checkpoint lists, unless its tree is known, or the one before them is not.
func (l *knownLeaves) addCheckpoint(checkpoint jsonx.Value) {
	tree := treeOf(checkpoint)
	if slices.ContainsFunc(l.runs, func(run knownRun) bool { return run.trees[tree] }) {
		return
	}
	var listed []merkle.Hash
	prior := int64(0)
	for i, one := range checkpoint.Get("window_roots").Elements() {
		if i == 0 {
			prior = number(one, "window_no") - 1
		}
		listed = append(listed, hashOf(one, "window_hash"))
	}
	for _, run := range slices.Backward(l.runs) {
		if run.prior+int64(len(run.hashes)) == prior {
			l.addRun(windowRun{run.prior, run.frontier, slices.Concat(run.hashes, listed)})
			return
		}
	}
	if frontier := checkpoint.Get("frontier"); frontier.Exists() || prior == 0 {
		l.addRun(windowRun{prior, hashes(frontier), listed})
	}
}

// addAnchor adds the checkpoints whose places an anchor shows.
func (l *knownLeaves) addAnchor(anchor jsonx.Value) {
	tree := forkTree{number(anchor, "log_size"), hashOf(anchor, "epoch_root")}
	for _, one := range anchor.Get("members").Elements() {
		l.addLeaf(tree, number(one, "leaf_index"), provenLeaf{hashOf(one, "checkpoint_hash"), hashes(one.Get("inclusion_path"))})
	}
}

// of returns the leaf data of a tree by index, and how to prove it: a single leaf that holds comes before one of a run.
func (l *knownLeaves) of(tree forkTree) (data map[int64]merkle.Hash, prove func(index int64) []merkle.Hash) {
	data = map[int64]merkle.Hash{}
	var run windowRun
	for _, one := range slices.Backward(l.runs) {
		if one.trees[tree] {
			run = one.windowRun
			break
		}
	}
	for i, hash := range run.hashes {
		if index := run.prior + int64(i); index < tree.size {
			data[index] = hash
		}
	}
	paths := map[int64][]merkle.Hash{}
	for index, leaf := range l.single[tree] {
		if l.k.VerifyInclusion(l.k.LeafHash(leaf.data[:]), uint64(index), uint64(tree.size), leaf.path, tree.root) {
			data[index], paths[index] = leaf.data, leaf.path
		}
	}
	return data, func(index int64) []merkle.Hash {
		if path, ok := paths[index]; ok {
			return path
		}
		return run.path(l.k, index, tree.size)
	}
}

// firstDivergence returns the first index at which two trees are shown to hold different leaf data, as the member
// divergence; nil if none is shown.
func firstDivergence(left *knownLeaves, leftTree forkTree, right *knownLeaves, rightTree forkTree) jsonx.Members {
	here, proveHere := left.of(leftTree)
	there, proveThere := right.of(rightTree)
	for _, index := range slices.Sorted(maps.Keys(here)) {
		other, ok := there[index]
		if !ok || other == here[index] {
			continue
		}
		return jsonx.Members{
			{Name: "index", Value: index},
			{Name: "left_hash", Value: hexOf(here[index])}, {Name: "left_path", Value: hexes(proveHere(index))},
			{Name: "right_hash", Value: hexOf(other)}, {Name: "right_path", Value: hexes(proveThere(index))},
		}
	}
	return nil
}
