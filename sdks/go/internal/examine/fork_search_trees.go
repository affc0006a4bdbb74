package examine

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"svc.example/go/internal/jsonx"
)

func searchCheckpoints(a, b *forkParts) iter.Seq[forkCandidate] {
	return func(yield func(forkCandidate) bool) {
		differ := func(left, right jsonx.Value) bool {
			return left.Get("stream_id").Equal(right.Get("stream_id")) && checkpointSeal.hash(left) != checkpointSeal.hash(right)
		}
		reader := &exam{k: a.k}
		side := func(value jsonx.Value) *forkSide {
			return &forkSide{value: value, checkpoint: reader.readCheckpoint(value, "")}
		}
		for _, left := range a.checkpoints {
			for _, right := range b.checkpoints {
				if differ(left, right) && checkpointsExclude(reader, side(left), side(right), jsonx.Value{}, false) &&
					!yield(pairOf("checkpoint", left, right)) {
					return
				}
			}
		}
		for _, left := range largest(a.checkpoints, checkpointSize) {
			for _, right := range largest(b.checkpoints, checkpointSize) {
				if !differ(left, right) {
					continue
				}
				candidate := pairOf("checkpoint", left, right)
				candidate.divergence = firstDivergence(a.leaves, treeOf(left), b.leaves, treeOf(right))
				if candidate.divergence != nil && !yield(candidate) {
					return
				}
			}
		}
	}
}

func checkpointSize(checkpoint jsonx.Value) int64 { return number(checkpoint, "window_count") }

// largest returns the largest trees of an object, which hold the leaves of its smaller ones.
func largest[T any](parts []T, sizeOf func(T) int64) []T {
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, func(l, r T) int { return cmp.Compare(sizeOf(r), sizeOf(l)) })
	return sorted[:min(len(sorted), largestTrees)]
}

func searchEpochs(a, b *forkParts) iter.Seq[forkCandidate] {
	return func(yield func(forkCandidate) bool) {
		for _, left := range a.anchors {
			for _, right := range b.anchors {
				one, other := epochTree(&forkSide{value: left}), epochTree(&forkSide{value: right})
				if text(left, "origin") != text(right, "origin") || one == other {
					continue
				}
				candidate := forkCandidate{kind: "epoch", left: left, right: right}
				isOne := number(left, "epoch_no") == number(right, "epoch_no") || one.size == other.size
				if isOne && !yield(candidate) {
					return
				}
				candidate.divergence = firstDivergence(a.leaves, one, b.leaves, other)
				if candidate.divergence != nil && !yield(candidate) {
					return
				}
			}
		}
	}
}

func (n *treeNote) tree() forkTree { return noteTree(&forkSide{head: n.head}) }

// streamOf returns the stream of a note's origin; empty for that of a service's own log.
func (n *treeNote) streamOf() string { return (&forkSide{sort: "note", head: n.head}).stream() }

func notePair(kind string, left, right treeNote) forkCandidate {
	return forkCandidate{kind: kind, stream: left.streamOf(), left: left.whole, right: right.whole}
}

func searchNotes(a, b *forkParts) iter.Seq[forkCandidate] {
	return func(yield func(forkCandidate) bool) {
		for candidate := range contradictingRoots("note", a, b) {
			if !yield(candidate) {
				return
			}
		}
		sizeOf := func(n treeNote) int64 { return n.head.Size }
		for _, left := range largest(a.notes, sizeOf) {
			for _, right := range largest(b.notes, sizeOf) {
				if left.head.Origin != right.head.Origin || left.head.Size == right.head.Size {
					continue
				}
				candidate := notePair("note", left, right)
				candidate.divergence = firstDivergence(a.leaves, left.tree(), b.leaves, right.tree())
				if candidate.divergence != nil && !yield(candidate) {
					return
				}
			}
		}
	}
}

func searchWitnesses(a, b *forkParts) iter.Seq[forkCandidate] {
	return contradictingRoots("witness", a, b)
}

// contradictingRoots yields pairs of notes of one origin and size with two roots.
func contradictingRoots(kind string, a, b *forkParts) iter.Seq[forkCandidate] {
	return func(yield func(forkCandidate) bool) {
		for _, left := range a.notes {
			for _, right := range b.notes {
				isOne := left.head.Size == right.head.Size && left.head.Origin == right.head.Origin
				if isOne && !bytes.Equal(left.head.Root, right.head.Root) && !yield(notePair(kind, left, right)) {
					return
				}
			}
		}
	}
}
