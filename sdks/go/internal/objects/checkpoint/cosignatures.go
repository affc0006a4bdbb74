package checkpoint

import (
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Cosignatures are those of one checkpoint, from statements and lines of its note (protocol section 10).
type Cosignatures struct {
	exam       *examination.Exam
	Checkpoint *Checkpoint
	known      *witness.List
	seen       []*witness.Cosigned
	unchecked  map[string]bool
}

// ReadCosignatures takes in the lines of a checkpoint's note.
func ReadCosignatures(e *examination.Exam, c *Checkpoint, known *witness.List) *Cosignatures {
	list := &Cosignatures{exam: e, Checkpoint: c, known: known, unchecked: map[string]bool{}}
	if c.note == nil {
		return list
	}
	path := c.Path + "/note"
	for _, line := range c.note.Lines {
		isOfQuorum := e.Quorum != nil && e.Quorum.Unchecked[trust.LineKey{Name: line.Name, ID: line.ID}]
		if isOfQuorum || known.IsUnchecked(line) {
			list.unchecked[line.Name] = true
		}
		for _, witness := range known.OfLine(line) {
			seconds, signature, ok := line.Cosignature()
			if !ok {
				e.Fault(report.CheckWitness, report.CodeWitnessSignatureInvalid, path, "The line of a witness is no cosignature.")
				continue
			}
			list.add(witness, seconds, signature, path)
		}
	}
	return list
}

// AddStatement takes in a witness statement.
func (l *Cosignatures) AddStatement(statement jsonx.Value, path string) {
	e := l.exam
	for _, name := range []string{"stream_id", "checkpoint_id", "checkpoint_hash", "window_count", "checkpoint_root"} {
		actual, expected := string(statement.Get(name).Canonical()), string(l.Checkpoint.Value.Get(name).Canonical())
		if name == "checkpoint_hash" {
			expected = `"` + l.Checkpoint.Hash + `"`
		}
		if actual != expected {
			e.Reject(report.CheckWitness, finding.Finding{
				Code: report.CodeWitnessStatementMismatch, Path: path + "/" + name,
				Message:  "The statement is not about checkpoint " + values.Itoa(l.Checkpoint.No) + ".",
				Expected: strings.Trim(expected, `"`), Actual: strings.Trim(actual, `"`),
			})
			return
		}
	}
	witness := l.known.OfEpoch(values.Text(statement, "witness_id"), values.Number(statement, "key_epoch"))
	if witness == nil {
		e.Fault(report.CheckWitness, report.CodeWitnessKeyEpochInvalid, path+"/key_epoch", "The policy lists no such key.")
		return
	}
	l.add(witness, values.Number(statement, "cosigned_at"), values.Unhex(values.Text(statement, "signature")), path)
}

func (l *Cosignatures) add(by *witness.Known, seconds int64, signature []byte, path string) {
	e := l.exam
	isInTime := isInKeyTime(by, seconds) && seconds*1000 >= values.Milliseconds(l.Checkpoint.CreatedAt)-1000*tables.CosignatureSkewSeconds
	e.Expect(report.CheckWitness, isInTime, report.CodeWitnessKeyEpochInvalid, path,
		by.Name+" cosigned outside of the time in which that counts.")
	one := &witness.Cosigned{Witness: by, Seconds: seconds}
	message := note.Cosigned(seconds, note.HeadText(l.Checkpoint.Origin, l.Checkpoint.Count, l.Checkpoint.Root[:]))
	e.Signature(report.CheckWitness, by.Key, message, signature, func(ok bool) {
		one.IsValid = ok
		e.Expect(report.CheckWitness, ok, report.CodeWitnessSignatureInvalid, path,
			"The cosignature by "+by.Name+" does not verify.")
	})
	if isInTime {
		l.seen = append(l.seen, one)
	}
}

// isInKeyTime says whether a time is in that of a listed key; both ends count, the first rounded down to the second.
func isInKeyTime(witness *witness.Known, seconds int64) bool {
	if !witness.IsListed {
		return true
	}
	return seconds >= values.UnixSeconds(witness.ValidFrom) &&
		(witness.ValidTo == "" || seconds*1000 <= values.Milliseconds(witness.ValidTo))
}

// valid returns the witnesses whose cosignatures hold; only pinned ones if asked.
func (l *Cosignatures) valid(onlyPinned bool) (list []*witness.Known) {
	for _, one := range l.seen {
		if one.IsValid && (one.Witness.IsPinned || !onlyPinned) {
			list = append(list, one.Witness)
		}
	}
	return list
}

// ofPolicy returns how many distinct witnesses of the policy cosigned.
func (l *Cosignatures) ofPolicy() int64 {
	ids := map[string]bool{}
	for _, one := range l.valid(false) {
		if one.IsListed {
			ids[one.ID] = true
		}
	}
	return int64(len(ids))
}

// Earliest returns the earliest time at which a pinned witness cosigned, in Unix seconds; 0 for none.
func (l *Cosignatures) Earliest() (seconds int64) {
	for _, one := range l.seen {
		if one.IsValid && one.Witness.IsPinned && (seconds == 0 || one.Seconds < seconds) {
			seconds = one.Seconds
		}
	}
	return seconds
}

// judgeQuorum holds the cosignatures of the newest checkpoint against the threshold of its policy, which is -1 without
// one, and against the verifier's quorum.
func judgeQuorum(e *examination.Exam, l *Cosignatures, threshold int64, path string) {
	const check = report.CheckWitness
	once := witness.Distinct(l.valid(true))
	pinned := int64(len(once))
	e.Witnessed = report.Witnessed{Required: max(threshold, 0), Valid: int64(len(witness.Distinct(l.valid(false)))), Pinned: pinned}
	unmet := func(expected, actual, message string) {
		e.Reject(check, finding.Finding{Code: report.CodeWitnessQuorumUnmet, Path: path, Message: message, Expected: expected, Actual: actual})
	}
	if threshold >= 0 {
		e.Looked(check, 1)
		if count := l.ofPolicy(); count < threshold {
			unmet(values.Itoa(threshold), values.Itoa(count), "Too few witnesses of the policy cosigned the newest checkpoint.")
		}
	}
	if q := e.Quorum; q != nil {
		e.Witnessed.Required = max(e.Witnessed.Required, q.Least)
		e.IsQuorumMet = isQuorumMet(q, once, pinned)
		if q.Policy == nil || q.Policy.Quorum != "none" {
			e.Looked(check, 1)
			if !e.IsQuorumMet {
				unmet(values.Itoa(q.Least), values.Itoa(pinned), "The witnesses that you pin and that cosigned do not meet your quorum.")
			}
		}
	}
	noteWitnesses(e, l, pinned)
}

func isQuorumMet(q *trust.Quorum, once [][]*witness.Known, pinned int64) bool {
	if q.Policy == nil {
		return pinned >= q.Least
	}
	if q.Policy.Quorum == "none" {
		return true
	}
	var names [][]string
	for _, group := range once {
		var named []string
		for _, one := range group {
			if name, ok := q.ByKey[string(one.Key)+" "+one.Name]; ok {
				named = append(named, name)
			}
		}
		names = append(names, named)
	}
	return q.IsMetBy(names)
}

func noteWitnesses(e *examination.Exam, l *Cosignatures, pinned int64) {
	var notes []string
	valid := l.valid(false)
	isManaged := len(valid) > 0
	for _, one := range valid {
		isManaged = isManaged && one.IsManaged
	}
	switch {
	case len(valid) == 0:
		notes = append(notes, "no cosignature by a witness of the policy or of yours")
	case isManaged:
		notes = append(notes, "only the signer's own witness has cosigned: it is not independent")
	case pinned == 0:
		notes = append(notes, "you pin none of these witnesses, so their independence is not checked")
	}
	if len(l.unchecked) > 0 {
		notes = append(notes, "cosignatures by ML-DSA-44 are not checked and not counted: "+values.Itoa(int64(len(l.unchecked))))
	}
	if len(notes) > 0 {
		e.NotChecked(report.CheckWitness, strings.Join(notes, "; "))
	}
}
