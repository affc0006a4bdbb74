package search

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/fork"
	"svc.example/go/internal/values"
)

func searchCheckpoints(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		differ := func(left, right jsonx.Value) bool {
			return left.Get("stream_id").Equal(right.Get("stream_id")) && checkpoint.SealForm.Hash(left) != checkpoint.SealForm.Hash(right)
		}
		for _, left := range a.checkpoints {
			for _, right := range b.checkpoints {
				if differ(left, right) && fork.AreExclusive(checkpoint.Read(left, ""), checkpoint.Read(right, ""), false) &&
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
				candidate.divergence = firstDivergence(a.leaves, fork.TreeOfCheckpoint(left), b.leaves, fork.TreeOfCheckpoint(right))
				if candidate.divergence != nil && !yield(candidate) {
					return
				}
			}
		}
	}
}

func checkpointSize(checkpoint jsonx.Value) int64 { return values.Number(checkpoint, "window_count") }

// largest returns the largest trees of an object, which hold the leaves of its smaller ones.
func largest[T any](parts []T, sizeOf func(T) int64) []T {
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, func(l, r T) int { return cmp.Compare(sizeOf(r), sizeOf(l)) })
	return sorted[:min(len(sorted), largestTrees)]
}

func searchEpochs(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for _, left := range a.anchors {
			for _, right := range b.anchors {
				one, other := fork.TreeOfEpoch(left), fork.TreeOfEpoch(right)
				if values.Text(left, "origin") != values.Text(right, "origin") || one == other {
					continue
				}
				candidate := Candidate{kind: "epoch", left: left, right: right}
				isOne := values.Number(left, "epoch_no") == values.Number(right, "epoch_no") || one.Size == other.Size
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

func (n *treeNote) tree() fork.Tree { return fork.TreeOfHead(n.head) }

// streamOf returns the stream of a note's origin; empty for that of a service's own log.
func (n *treeNote) streamOf() string { return fork.StreamOf(n.head.Origin) }

func notePair(kind string, left, right treeNote) Candidate {
	return Candidate{kind: kind, stream: left.streamOf(), left: left.whole, right: right.whole}
}

func searchNotes(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
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

func searchWitnesses(a, b *Parts) iter.Seq[Candidate] {
	return contradictingRoots("witness", a, b)
}

// contradictingRoots yields pairs of notes of one origin and size with two roots.
func contradictingRoots(kind string, a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
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
