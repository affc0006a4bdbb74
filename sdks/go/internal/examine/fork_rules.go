package examine

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
)

// A forkTree is the tree of a side, which a divergence is about.
type forkTree struct {
	size int64
	root merkle.Hash
}

// A forkRule says when two sides exclude each other. tree is nil for kinds without divergence.
type forkRule struct {
	takes    func(left, right *forkSide) bool
	tree     func(side *forkSide) forkTree
	excludes func(e *exam, left, right *forkSide, evidence jsonx.Value, diverges bool) bool
}

func areOf(left, right string) func(l, r *forkSide) bool {
	return func(l, r *forkSide) bool { return l.sort == left && r.sort == right }
}

func checkpointTree(s *forkSide) forkTree { return forkTree{s.checkpoint.count, s.checkpoint.root} }
func noteTree(s *forkSide) forkTree       { return forkTree{s.head.Size, merkle.Hash(s.head.Root)} }
func epochTree(s *forkSide) forkTree {
	return forkTree{number(s.value, "log_size"), hashOf(s.value, "epoch_root")}
}

var forkRules = map[string]forkRule{
	"head": {takes: haveHeads, excludes: func(_ *exam, l, r *forkSide, _ jsonx.Value, _ bool) bool {
		return l.lastEvent() == r.lastEvent() && !l.value.Get("stream_head_hash").Equal(r.value.Get("stream_head_hash"))
	}},
	"chain": {takes: areOf("receipt", "receipt"), excludes: func(_ *exam, l, r *forkSide, _ jsonx.Value, _ bool) bool {
		return l.record.seqNo+1 == r.record.seqNo && !r.record.previous.Equal(l.record.eventHash)
	}},
	"leaf":       {takes: areOf("receipt", "window"), excludes: leavesExclude},
	"window":     {takes: areOf("window", "window"), excludes: windowsExclude},
	"checkpoint": {takes: areOf("checkpoint", "checkpoint"), tree: checkpointTree, excludes: checkpointsExclude},
	"note": {takes: areOf("note", "note"), tree: noteTree, excludes: func(_ *exam, l, r *forkSide, _ jsonx.Value, diverges bool) bool {
		a, b := noteTree(l), noteTree(r)
		return l.head.Origin == r.head.Origin && (diverges || tellTwo(a, b))
	}},
	"epoch": {takes: areOf("anchor", "anchor"), tree: epochTree, excludes: epochsExclude},
	"witness": {takes: areOf("note", "note"), excludes: func(_ *exam, l, r *forkSide, _ jsonx.Value, _ bool) bool {
		a, b := noteTree(l), noteTree(r)
		return l.head.Origin == r.head.Origin && tellTwo(a, b)
	}},
	"omission": {takes: areOf("receipt", "checkpoint"), excludes: omits},
}

// tellTwo says whether two trees of notes have one size and two roots. A tree of size 0 tells no history, whatever root
// somebody signs for it.
func tellTwo(a, b forkTree) bool { return a.size == b.size && a.size > 0 && a.root != b.root }

func haveHeads(l, r *forkSide) bool {
	isGood := func(s *forkSide) bool { return s.sort == "receipt" || s.sort == "window" || s.sort == "checkpoint" }
	return isGood(l) && isGood(r)
}

// lastEvent returns the number of the last event that a receipt, window or checkpoint is about.
func (s *forkSide) lastEvent() int64 {
	if s.sort == "receipt" {
		return s.record.seqNo
	}
	return number(s.value, "to_seq_no")
}

// leavesExclude says whether a window has, at the receipt's place, other event hashes and not the receipt's.
func leavesExclude(_ *exam, l, r *forkSide, _ jsonx.Value, _ bool) bool {
	w, seq := r.window, l.record.seqNo
	if seq < w.from || seq > w.to {
		return false
	}
	count, isSame := 0, false
	for i, leaf := range w.value.Get("leaves").Elements() {
		if int64(i) == seq-w.from {
			count++
			isSame = isSame || leaf.Equal(l.record.eventHash)
		}
	}
	for _, one := range w.value.Get("inclusions").Elements() {
		if number(one, "seq_no") == seq {
			count++
			isSame = isSame || one.Get("event_hash").Equal(l.record.eventHash)
		}
	}
	return count > 0 && !isSame
}

// windowsExclude says whether two windows have one number, or ranges that are not in the order of their numbers.
func windowsExclude(_ *exam, l, r *forkSide, _ jsonx.Value, _ bool) bool {
	a, b := l.window, r.window
	if a.no == b.no {
		return a.hash != b.hash
	}
	if a.no > b.no {
		a, b = b, a
	}
	return a.to >= b.from
}

// checkpointsExclude says whether two checkpoints cannot both be of one stream.
func checkpointsExclude(_ *exam, l, r *forkSide, _ jsonx.Value, diverges bool) bool {
	a, b := l.checkpoint, r.checkpoint
	if a.hash == b.hash {
		return false
	}
	previous := a.value.Get("previous_checkpoint_hash")
	if diverges || a.count == b.count || a.no == b.no || a.origin != b.origin ||
		(previous.Equal(b.value.Get("previous_checkpoint_hash")) && !previous.IsText(zeros)) {
		return true
	}
	if a.no > b.no {
		a, b = b, a
	}
	return a.count > b.count || a.to >= b.to
}

// epochsExclude says whether two epochs cannot both be of one log.
func epochsExclude(_ *exam, l, r *forkSide, _ jsonx.Value, diverges bool) bool {
	if text(l.value, "origin") != text(r.value, "origin") {
		return false
	}
	a, b := epochTree(l), epochTree(r)
	return diverges || (a.size == b.size && a.root != b.root) ||
		(number(l.value, "epoch_no") == number(r.value, "epoch_no") && epochHash(l.value) != epochHash(r.value))
}

// omits says whether a checkpoint should have covered an event by the policy that it names.
func omits(e *exam, l, r *forkSide, evidence jsonx.Value, _ bool) bool {
	policy := evidence.Get("policy")
	late := milliseconds(r.checkpoint.createdAt) - milliseconds(textOf(l.record.receivedAt))
	return digest.Sum(policyLine, policy.Canonical()) == hashOf(r.value, "policy_digest") &&
		r.checkpoint.to < l.record.seqNo && late/2000 >= number(policy, "window_max_seconds") &&
		(late%2000 > 0 || late/2000 > number(policy, "window_max_seconds"))
}

// diverges says whether a divergence shows one place of two trees with two leaves.
func (e *exam) diverges(divergence jsonx.Value, left, right forkTree) bool {
	index := number(divergence, "index")
	if index >= min(left.size, right.size) || divergence.Get("left_hash").Equal(divergence.Get("right_hash")) {
		return false
	}
	holds := func(name string, tree forkTree) bool {
		data := hashOf(divergence, name+"_hash")
		return e.k.VerifyInclusion(e.k.LeafHash(data[:]), uint64(index), uint64(tree.size), hashes(divergence.Get(name+"_path")), tree.root)
	}
	return holds("left", left) && holds("right", right)
}
