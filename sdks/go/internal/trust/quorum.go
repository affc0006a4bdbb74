package trust

import (
	"slices"

	"svc.example/go/internal/note"
	"svc.example/go/internal/tables"
)

// A Quorum is the verifier's own demand for cosignatures: a number of pinned witnesses, or a tlog-policy.
type Quorum struct {
	// Least is the least number of witnesses that can meet it; 0 for the quorum none of a text.
	Least  int64
	Policy *note.Policy
	// ByKey finds the witnesses of a text by key and name.
	ByKey map[string]string
	// Unchecked are its keys of ML-DSA-44, by name and key id.
	Unchecked map[LineKey]bool
}

// A LineKey tells the key of a note line.
type LineKey struct {
	Name string
	ID   note.KeyID
}

func newTextQuorum(policy *note.Policy) *Quorum {
	q := &Quorum{Policy: policy, ByKey: map[string]string{}, Unchecked: map[LineKey]bool{}}
	for name, key := range policy.Witnesses {
		q.ByKey[string(key.Raw)+" "+key.Name] = name
		if key.Type == note.MLDSA44 {
			q.Unchecked[LineKey{key.Name, key.ID}] = true
		}
	}
	for _, key := range policy.Logs {
		if key.Type == note.MLDSA44 {
			q.Unchecked[LineKey{key.Name, key.ID}] = true
		}
	}
	if policy.Quorum != "none" {
		q.Least = q.fewest(policy.Quorum)
	}
	return q
}

// fewest returns the least number of witnesses that meet a witness or group.
func (q *Quorum) fewest(name string) int64 {
	group, ok := q.Policy.Groups[name]
	if !ok {
		return 1
	}
	counts := make([]int64, 0, len(group.Members))
	for _, member := range group.Members {
		counts = append(counts, q.fewest(member))
	}
	slices.Sort(counts)
	sum := int64(0)
	for _, count := range counts[:group.Threshold] {
		sum += count
	}
	return sum
}

// IsMetBy says whether witnesses meet a text's quorum. Each list holds the names of one witness, which counts in one
// place only: whichever meets the quorum. At most 4096 ways to choose are tried.
func (q *Quorum) IsMetBy(once [][]string) bool {
	chosen := map[string]bool{}
	ways := 0
	var choose func(at int) bool
	choose = func(at int) bool {
		for at < len(once) && len(once[at]) == 0 {
			at++
		}
		if at == len(once) {
			ways++
			return q.isMember(q.Policy.Quorum, chosen)
		}
		for _, name := range once[at] {
			if ways >= tables.MaxQuorumChoices {
				return false
			}
			chosen[name] = true
			if choose(at + 1) {
				return true
			}
			delete(chosen, name)
		}
		return false
	}
	return choose(0)
}

func (q *Quorum) isMember(name string, cosigned map[string]bool) bool {
	group, ok := q.Policy.Groups[name]
	if !ok {
		return cosigned[name]
	}
	count := 0
	for _, member := range group.Members {
		if q.isMember(member, cosigned) {
			count++
		}
	}
	return count >= group.Threshold
}
