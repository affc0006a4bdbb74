// Package search looks for contradictions between two objects (protocol section 11, the search). It verifies nothing:
// it yields candidates.
package search

import (
	"cmp"
	"iter"
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
)

// A Candidate is two sides that seem to contradict each other, and the members of the evidence that follow from them.
// Each side is a value, or the text of a note.
type Candidate struct {
	kind, stream string
	left, right  any
	divergence   jsonx.Members
	policy       jsonx.Value
}

// A searcher yields the candidates of one kind, in the order in which they are tried.
type searcher struct {
	kind string
	of   func(a, b *Parts) iter.Seq[Candidate]
}

// searches are the searches of protocol section 11, the simplest to understand first.
var searches = []searcher{
	{"head", searchHeads}, {"chain", searchChains}, {"window", searchWindows}, {"leaf", searchLeaves},
	{"checkpoint", searchCheckpoints}, {"epoch", searchEpochs}, {"note", searchNotes},
	{"witness", searchWitnesses}, {"omission", searchOmissions},
}

// Candidates yields what may contradict in two objects, of these kinds of evidence; nil stands for all.
func Candidates(a, b *Parts, kinds []string) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for _, search := range searches {
			if kinds != nil && !slices.Contains(kinds, search.kind) {
				continue
			}
			for candidate := range search.of(a, b) {
				if !yield(candidate) {
					return
				}
			}
		}
	}
}

// largestTrees is how many trees of an object are searched for a divergence.
const largestTrees = 3

// A placed names a place along a stream.
type placed struct {
	stream string
	number int64
}

// grouped returns values by their place, in their order.
func grouped(all []jsonx.Value, member string) map[placed][]jsonx.Value {
	groups := map[placed][]jsonx.Value{}
	for _, one := range all {
		place := placed{values.Text(one, "stream_id"), values.Number(one, member)}
		groups[place] = append(groups[place], one)
	}
	return groups
}

func pairOf(kind string, left, right jsonx.Value) Candidate {
	return Candidate{kind: kind, stream: values.Text(left, "stream_id"), left: left, right: right}
}

// A statedHead is a head that a receipt, window or checkpoint states.
type statedHead struct {
	placed
	side jsonx.Value
}

func (p *Parts) heads() (heads []statedHead) {
	for _, sort := range []struct {
		values []jsonx.Value
		member string
	}{{p.receipts, "seq_no"}, {p.windows, "to_seq_no"}, {p.checkpoints, "to_seq_no"}} {
		for _, one := range sort.values {
			heads = append(heads, statedHead{placed{values.Text(one, "stream_id"), values.Number(one, sort.member)}, one})
		}
	}
	return heads
}

func searchHeads(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		there := map[placed][]jsonx.Value{}
		for _, one := range b.heads() {
			there[one.placed] = append(there[one.placed], one.side)
		}
		here := a.heads()
		slices.SortStableFunc(here, func(l, r statedHead) int { return cmp.Compare(l.number, r.number) })
		for _, one := range here {
			for _, other := range there[one.placed] {
				if !one.side.Get("stream_head_hash").Equal(other.Get("stream_head_hash")) && !yield(pairOf("head", one.side, other)) {
					return
				}
			}
		}
	}
}

func searchChains(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for _, way := range bothWays(a, b) {
			later := grouped(way[1].receipts, "seq_no")
			for _, left := range way[0].receipts {
				for _, right := range later[placed{values.Text(left, "stream_id"), values.Number(left, "seq_no") + 1}] {
					if !right.Get("previous_event_hash").Equal(left.Get("event_hash")) && !yield(pairOf("chain", left, right)) {
						return
					}
				}
			}
		}
	}
}

func searchWindows(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		there := grouped(b.windows, "window_no")
		for _, left := range a.windows {
			for _, right := range there[placed{values.Text(left, "stream_id"), values.Number(left, "window_no")}] {
				if window.SealForm.Hash(left) != window.SealForm.Hash(right) && !yield(pairOf("window", left, right)) {
					return
				}
			}
		}
		// Within one object ranges rise with the numbers, so that only the nearest numbers can contradict.
		streams := byStream(b.windows, "window_no")
		for _, left := range a.windows {
			others, no := streams[values.Text(left, "stream_id")], values.Number(left, "window_no")
			if i := firstFrom(others, "window_no", no) - 1; i >= 0 && values.Number(others[i], "to_seq_no") >= values.Number(left, "from_seq_no") {
				if !yield(pairOf("window", left, others[i])) {
					return
				}
			}
			if i := firstFrom(others, "window_no", no+1); i < len(others) && values.Number(others[i], "from_seq_no") <= values.Number(left, "to_seq_no") {
				if !yield(pairOf("window", left, others[i])) {
					return
				}
			}
		}
	}
}

// byStream returns values by their stream, in the order of a number.
func byStream(all []jsonx.Value, member string) map[string][]jsonx.Value {
	streams := map[string][]jsonx.Value{}
	for _, one := range all {
		stream := values.Text(one, "stream_id")
		streams[stream] = append(streams[stream], one)
	}
	for _, list := range streams {
		slices.SortStableFunc(list, func(l, r jsonx.Value) int { return cmp.Compare(values.Number(l, member), values.Number(r, member)) })
	}
	return streams
}

// firstFrom returns the index of the first value, of some in the order of a number, whose number is at least this one.
func firstFrom(sorted []jsonx.Value, member string, least int64) int {
	index, _ := slices.BinarySearchFunc(sorted, least, func(one jsonx.Value, least int64) int {
		return cmp.Compare(values.Number(one, member), least)
	})
	return index
}

func searchLeaves(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for _, way := range bothWays(a, b) {
			there := grouped(way[0].receipts, "seq_no")
			for _, window := range way[1].windows {
				for _, seq := range shownPlaces(window) {
					for _, receipt := range there[placed{values.Text(window, "stream_id"), seq}] {
						if !yield(pairOf("leaf", receipt, window)) {
							return
						}
					}
				}
			}
		}
	}
}

// shownPlaces returns the numbers of the events of which a window shows the hash: those of its leaves, then those of
// its inclusions, each once.
func shownPlaces(window jsonx.Value) (places []int64) {
	seen := map[int64]bool{}
	add := func(seq int64) {
		if !seen[seq] {
			seen[seq] = true
			places = append(places, seq)
		}
	}
	for i := range window.Get("leaves").Elements() {
		add(values.Number(window, "from_seq_no") + int64(i))
	}
	for _, one := range window.Get("inclusions").Elements() {
		add(values.Number(one, "seq_no"))
	}
	return places
}

func searchOmissions(a, b *Parts) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		policies := map[merkle.Hash]jsonx.Value{}
		for _, one := range slices.Concat(a.policies, b.policies) {
			policies[a.k.Digest(witness.PolicyLine, one.Canonical())] = one
		}
		for _, way := range bothWays(a, b) {
			streams := byStream(way[0].receipts, "seq_no")
			for _, checkpoint := range way[1].checkpoints {
				policy, ok := policies[values.Hash(checkpoint, "policy_digest")]
				receipts := streams[values.Text(checkpoint, "stream_id")]
				// The first event that the checkpoint leaves out has waited longest.
				i := firstFrom(receipts, "seq_no", values.Number(checkpoint, "to_seq_no")+1)
				if !ok || i == len(receipts) {
					continue
				}
				candidate := pairOf("omission", receipts[i], checkpoint)
				candidate.policy = policy
				if !yield(candidate) {
					return
				}
			}
		}
	}
}

func bothWays(a, b *Parts) [2][2]*Parts { return [2][2]*Parts{{a, b}, {b, a}} }
