// Package histories compares what many objects show of the history of a stream.
//
// Each hash commits to all before it: two runs of events that are the same at the last place that both show are the
// same before it, and one comparison is enough for them.
package histories

import (
	"cmp"
	"slices"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// A History is what an object shows of the history of one stream: hashes at the places where they stand.
type History struct {
	Stream string
	// From is the number of the first event, and Events the hashes of that and those behind it.
	From   int64
	Events []merkle.Hash
	// Windows are the hashes of windows, by number.
	Windows map[int64]digest.Hash
	// Roots are those of the tree of windows, by the number of windows in it.
	Roots map[int64]merkle.Hash
	// Endorsed are the endorsements of keys that came with the object and hold.
	Endorsed []Endorsement
}

// An Endorsement is one by which a key names another one as its successor.
type Endorsement struct{ By, KID string }

// An Object is what one object shows, and who signed it.
type Object struct {
	Histories []*History
	Signers   []report.Signer
}

// A Place is where two histories differ.
type Place string

// The places at which histories are compared, in the order in which they are looked at.
const (
	Event  Place = "seq_no"
	Window Place = "window_no"
	Tree   Place = "window_count"
)

// A Contradiction is between two objects that cannot both be of one history.
type Contradiction struct {
	Stream string
	// Left and Right are the places of the two in the list that was compared.
	Left, Right int
	// Place and At are the earliest place that shows it; events are looked at before windows, and windows before trees.
	Place Place
	At    int64
	// IsReached says whether the trust of the verifier reaches everybody who sealed the two histories.
	IsReached bool
}

// shown is what an object shows of one stream.
type shown struct {
	index int
	*History
	kids []string
}

// Contradictions returns contradictions between objects that hold by themselves: for each one that contradicts an
// earlier one of the same stream under the same keys, one. Keys are the same if an object has signatures of both, or if
// trust reaches them and one endorses the other, so a stranger's object contradicts nobody.
func Contradictions(objects []Object) (found []Contradiction) {
	type group struct {
		isReached bool
		stream    string
	}
	var order []group
	streams := map[group][]shown{}
	for i, object := range objects {
		kids, isReached := sealersOf(object.Signers)
		if isReached {
			// An endorsement alone is anybody's word, so that a stranger's object would be taken for the service's.
			kids = withEndorsing(kids, object.Histories)
		}
		for _, history := range object.Histories {
			key := group{isReached, history.Stream}
			if streams[key] == nil {
				order = append(order, key)
			}
			streams[key] = append(streams[key], shown{i, history, kids})
		}
	}
	for _, key := range order {
		if len(streams[key]) < 2 {
			continue
		}
		for _, ofKeys := range bySigner(streams[key]) {
			found = append(found, inStream(ofKeys, key.isReached)...)
		}
	}
	return found
}

// sealersOf returns the keys that sealed something of a history, and whether trust reaches all of them. Vaults and
// witnesses seal nothing of it.
func sealersOf(signers []report.Signer) (kids []string, areReached bool) {
	areReached = true
	for _, one := range signers {
		if one.Role == report.RoleVault || one.Role == report.RoleWitness {
			continue
		}
		kids = append(kids, one.KID)
		areReached = areReached && one.Reached != report.None
	}
	return kids, areReached
}

// withEndorsing adds each key that endorses one of these, and those that endorse it.
func withEndorsing(kids []string, all []*History) []string {
	endorsing := map[string][]string{}
	for _, one := range all {
		for _, endorsement := range one.Endorsed {
			endorsing[endorsement.KID] = append(endorsing[endorsement.KID], endorsement.By)
		}
	}
	known := map[string]bool{}
	for _, kid := range kids {
		known[kid] = true
	}
	for i := 0; i < len(kids); i++ {
		for _, by := range endorsing[kids[i]] {
			if !known[by] {
				known[by], kids = true, append(kids, by)
			}
		}
	}
	return kids
}

// bySigner divides what is shown into groups that share no key.
func bySigner(all []shown) (groups [][]shown) {
	// next leads from a key to another one of its group, and from the last of them nowhere. Each search halves its way.
	next := map[string]string{}
	last := func(kid string) string {
		for onward, ok := next[kid]; ok; onward, ok = next[kid] {
			if further, ok := next[onward]; ok {
				next[kid] = further
			}
			kid = onward
		}
		return kid
	}
	for _, one := range all {
		for _, kid := range one.kids {
			if from, to := last(kid), last(one.kids[0]); from != to {
				next[from] = to
			}
		}
	}
	places := map[string]int{}
	for _, one := range all {
		if len(one.kids) == 0 {
			continue
		}
		key := last(one.kids[0])
		place, ok := places[key]
		if !ok {
			place, groups = len(groups), append(groups, nil)
			places[key] = place
		}
		groups[place] = append(groups[place], one)
	}
	return groups
}

func inStream(all []shown, isReached bool) (found []Contradiction) {
	known := map[int]bool{}
	note := func(place Place, differences []difference) {
		for _, one := range differences {
			left, right := min(one.one, one.other), max(one.one, one.other)
			// Places come in order, so the first is kept.
			if left != right && !known[right] {
				known[right] = true
				found = append(found, Contradiction{all[0].Stream, left, right, place, one.at, isReached})
			}
		}
	}
	note(Event, differingEvents(all))
	note(Window, differing(all, func(h *History) map[int64]digest.Hash { return h.Windows }))
	note(Tree, differing(all, func(h *History) map[int64]merkle.Hash { return h.Roots }))
	slices.SortFunc(found, func(a, b Contradiction) int { return a.Right - b.Right })
	return found
}

// A difference is between two objects at a place.
type difference struct {
	one, other int
	at         int64
}

func byPlace(a, b difference) int { return cmp.Or(cmp.Compare(a.at, b.at), a.other-b.other) }

func differing(all []shown, hashesOf func(*History) map[int64][32]byte) (found []difference) {
	type first struct {
		hash  [32]byte
		index int
	}
	known := map[int64]first{}
	for _, one := range all {
		for at, hash := range hashesOf(one.History) {
			before, ok := known[at]
			if !ok {
				known[at] = first{hash, one.index}
			} else if before.hash != hash {
				found = append(found, difference{before.index, one.index, at})
			}
		}
	}
	slices.SortFunc(found, byPlace)
	return found
}

func differingEvents(all []shown) (found []difference) {
	var runs []shown
	for _, one := range all {
		if len(one.Events) > 0 {
			runs = append(runs, one)
		}
	}
	// The longest of those that begin together comes first, so that it covers the others.
	slices.SortFunc(runs, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.to(), a.to()), a.index-b.index)
	})
	// furthest is the run that reaches furthest so far.
	var furthest *shown
	for i := range runs {
		run := &runs[i]
		if furthest != nil {
			end := min(furthest.to(), run.to())
			if end >= run.From && furthest.at(end) != run.at(end) {
				found = append(found, difference{furthest.index, run.index, firstDifference(furthest, run, end)})
				continue
			}
		}
		if furthest == nil || run.to() > furthest.to() {
			furthest = run
		}
	}
	slices.SortFunc(found, byPlace)
	return found
}

func (h *History) to() int64                  { return h.From + int64(len(h.Events)) - 1 }
func (h *History) at(seqNo int64) merkle.Hash { return h.Events[seqNo-h.From] }

// firstDifference returns the first event that both show and that differs; the one at `last` does.
func firstDifference(one, other *shown, last int64) int64 {
	same, different := max(one.From, other.From)-1, last
	for different-same > 1 {
		middle := same + (different-same)/2
		if one.at(middle) == other.at(middle) {
			same = middle
		} else {
			different = middle
		}
	}
	return different
}
