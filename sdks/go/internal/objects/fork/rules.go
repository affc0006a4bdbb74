package fork

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/anchor"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
)

// A Tree is the tree of a side, which a divergence is about.
type Tree struct {
	Size int64
	Root merkle.Hash
}

// A rule says when two sides exclude each other. tree is nil for kinds without divergence.
type rule struct {
	takes    func(left, right *Side) bool
	tree     func(side *Side) Tree
	excludes func(e *examination.Exam, left, right *Side, evidence jsonx.Value, diverges bool) bool
}

func areOf(left, right string) func(l, r *Side) bool {
	return func(l, r *Side) bool { return l.sort == left && r.sort == right }
}

func checkpointTree(s *Side) Tree { return Tree{s.checkpoint.Count, s.checkpoint.Root} }

func noteTree(s *Side) Tree { return TreeOfHead(s.head) }

func epochTree(s *Side) Tree { return TreeOfEpoch(s.value) }

// TreeOfHead returns the tree of a note.
func TreeOfHead(head note.Head) Tree { return Tree{head.Size, merkle.Hash(head.Root)} }

// TreeOfEpoch returns the tree of an anchor.
func TreeOfEpoch(anchor jsonx.Value) Tree {
	return Tree{values.Number(anchor, "log_size"), values.Hash(anchor, "epoch_root")}
}

// TreeOfCheckpoint returns the tree of a checkpoint.
func TreeOfCheckpoint(checkpoint jsonx.Value) Tree {
	return Tree{values.Number(checkpoint, "window_count"), values.Hash(checkpoint, "checkpoint_root")}
}

var rules = map[string]rule{
	"head": {takes: haveHeads, excludes: func(_ *examination.Exam, l, r *Side, _ jsonx.Value, _ bool) bool {
		return l.lastEvent() == r.lastEvent() && !l.value.Get("stream_head_hash").Equal(r.value.Get("stream_head_hash"))
	}},
	"chain": {takes: areOf("receipt", "receipt"), excludes: func(_ *examination.Exam, l, r *Side, _ jsonx.Value, _ bool) bool {
		return l.record.SeqNo+1 == r.record.SeqNo && !r.record.Previous.Equal(l.record.EventHash)
	}},
	"leaf":       {takes: areOf("receipt", "window"), excludes: leavesExclude},
	"window":     {takes: areOf("window", "window"), excludes: windowsExclude},
	"checkpoint": {takes: areOf("checkpoint", "checkpoint"), tree: checkpointTree, excludes: checkpointsExclude},
	"note": {takes: areOf("note", "note"), tree: noteTree, excludes: func(_ *examination.Exam, l, r *Side, _ jsonx.Value, diverges bool) bool {
		a, b := noteTree(l), noteTree(r)
		return l.head.Origin == r.head.Origin && (diverges || tellTwo(a, b))
	}},
	"epoch": {takes: areOf("anchor", "anchor"), tree: epochTree, excludes: epochsExclude},
	"witness": {takes: areOf("note", "note"), excludes: func(_ *examination.Exam, l, r *Side, _ jsonx.Value, _ bool) bool {
		a, b := noteTree(l), noteTree(r)
		return l.head.Origin == r.head.Origin && tellTwo(a, b)
	}},
	"omission": {takes: areOf("receipt", "checkpoint"), excludes: omits},
}

// tellTwo says whether two trees of notes have one size and two roots. A tree of size 0 tells no history, whatever root
// somebody signs for it.
func tellTwo(a, b Tree) bool { return a.Size == b.Size && a.Size > 0 && a.Root != b.Root }

func haveHeads(l, r *Side) bool {
	isGood := func(s *Side) bool { return s.sort == "receipt" || s.sort == "window" || s.sort == "checkpoint" }
	return isGood(l) && isGood(r)
}

// lastEvent returns the number of the last event that a receipt, window or checkpoint is about.
func (s *Side) lastEvent() int64 {
	if s.sort == "receipt" {
		return s.record.SeqNo
	}
	return values.Number(s.value, "to_seq_no")
}

// leavesExclude says whether a window has, at the receipt's place, other event hashes and not the receipt's.
func leavesExclude(_ *examination.Exam, l, r *Side, _ jsonx.Value, _ bool) bool {
	w, seq := r.window, l.record.SeqNo
	if seq < w.From || seq > w.To {
		return false
	}
	count, isSame := 0, false
	for i, leaf := range w.Value.Get("leaves").Elements() {
		if int64(i) == seq-w.From {
			count++
			isSame = isSame || leaf.Equal(l.record.EventHash)
		}
	}
	for _, one := range w.Value.Get("inclusions").Elements() {
		if values.Number(one, "seq_no") == seq {
			count++
			isSame = isSame || one.Get("event_hash").Equal(l.record.EventHash)
		}
	}
	return count > 0 && !isSame
}

// windowsExclude says whether two windows have one number, or ranges that are not in the order of their numbers.
func windowsExclude(_ *examination.Exam, l, r *Side, _ jsonx.Value, _ bool) bool {
	a, b := l.window, r.window
	if a.No == b.No {
		return a.Hash != b.Hash
	}
	if a.No > b.No {
		a, b = b, a
	}
	return a.To >= b.From
}

func checkpointsExclude(_ *examination.Exam, l, r *Side, _ jsonx.Value, diverges bool) bool {
	return AreExclusive(l.checkpoint, r.checkpoint, diverges)
}

// AreExclusive says whether two checkpoints cannot both be of one stream.
func AreExclusive(a, b *checkpoint.Checkpoint, diverges bool) bool {
	if a.Hash == b.Hash {
		return false
	}
	previous := a.Value.Get("previous_checkpoint_hash")
	if diverges || a.Count == b.Count || a.No == b.No || a.Origin != b.Origin ||
		(previous.Equal(b.Value.Get("previous_checkpoint_hash")) && !previous.IsText(values.Zeros)) {
		return true
	}
	if a.No > b.No {
		a, b = b, a
	}
	return a.Count > b.Count || a.To >= b.To
}

// epochsExclude says whether two epochs cannot both be of one log.
func epochsExclude(_ *examination.Exam, l, r *Side, _ jsonx.Value, diverges bool) bool {
	if values.Text(l.value, "origin") != values.Text(r.value, "origin") {
		return false
	}
	a, b := epochTree(l), epochTree(r)
	return diverges || (a.Size == b.Size && a.Root != b.Root) ||
		(values.Number(l.value, "epoch_no") == values.Number(r.value, "epoch_no") && anchor.EpochHash(l.value) != anchor.EpochHash(r.value))
}

// omits says whether a checkpoint should have covered an event by the policy that it names.
func omits(e *examination.Exam, l, r *Side, evidence jsonx.Value, _ bool) bool {
	policy := evidence.Get("policy")
	late := values.Milliseconds(r.checkpoint.CreatedAt) - values.Milliseconds(values.TextOf(l.record.ReceivedAt))
	return digest.Sum(witness.PolicyLine, policy.Canonical()) == values.Hash(r.value, "policy_digest") &&
		r.checkpoint.To < l.record.SeqNo && late/2000 >= values.Number(policy, "window_max_seconds") &&
		(late%2000 > 0 || late/2000 > values.Number(policy, "window_max_seconds"))
}

// diverges says whether a divergence shows one place of two trees with two leaves.
func diverges(e *examination.Exam, divergence jsonx.Value, left, right Tree) bool {
	index := values.Number(divergence, "index")
	if index >= min(left.Size, right.Size) || divergence.Get("left_hash").Equal(divergence.Get("right_hash")) {
		return false
	}
	holds := func(name string, tree Tree) bool {
		data := values.Hash(divergence, name+"_hash")
		path := values.Hashes(divergence.Get(name + "_path"))
		return e.Kernel.VerifyInclusion(e.Kernel.LeafHash(data[:]), uint64(index), uint64(tree.Size), path, tree.Root)
	}
	return holds("left", left) && holds("right", right)
}
