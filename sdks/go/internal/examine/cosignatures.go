package examine

import (
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A cosigned is one cosignature in its time; isValid is known once signatures are settled.
type cosigned struct {
	witness *knownWitness
	seconds int64
	isValid bool
}

// A cosignatures is those of one checkpoint, from statements and lines of its note (protocol section 10).
type cosignatures struct {
	exam      *exam
	c         *checkpoint
	known     *knownWitnesses
	seen      []*cosigned
	unchecked map[string]bool
}

// cosignatures takes in the lines of a checkpoint's note.
func (e *exam) cosignatures(c *checkpoint, known *knownWitnesses) *cosignatures {
	list := &cosignatures{exam: e, c: c, known: known, unchecked: map[string]bool{}}
	if c.note == nil {
		return list
	}
	path := c.path + "/note"
	for _, line := range c.note.Lines {
		isOfQuorum := e.quorum != nil && e.quorum.unchecked[lineKey{line.Name, line.ID}]
		if isOfQuorum || known.isUnchecked(line) {
			list.unchecked[line.Name] = true
		}
		for _, witness := range known.ofLine(line) {
			seconds, signature, ok := line.Cosignature()
			if !ok {
				e.fault(report.CheckWitness, report.CodeWitnessSignatureInvalid, path, "The line of a witness is no cosignature.")
				continue
			}
			list.add(witness, seconds, signature, path)
		}
	}
	return list
}

// statement takes in a witness statement.
func (l *cosignatures) statement(statement jsonx.Value, path string) {
	e := l.exam
	for _, name := range []string{"stream_id", "checkpoint_id", "checkpoint_hash", "window_count", "checkpoint_root"} {
		actual, expected := string(statement.Get(name).Canonical()), string(l.c.value.Get(name).Canonical())
		if name == "checkpoint_hash" {
			expected = `"` + l.c.hash + `"`
		}
		if actual != expected {
			e.reject(report.CheckWitness, finding{
				code: report.CodeWitnessStatementMismatch, path: path + "/" + name,
				message:  "The statement is not about checkpoint " + itoa(l.c.no) + ".",
				expected: strings.Trim(expected, `"`), actual: strings.Trim(actual, `"`),
			})
			return
		}
	}
	witness := l.known.ofEpoch(text(statement, "witness_id"), number(statement, "key_epoch"))
	if witness == nil {
		e.fault(report.CheckWitness, report.CodeWitnessKeyEpochInvalid, path+"/key_epoch", "The policy lists no such key.")
		return
	}
	l.add(witness, number(statement, "cosigned_at"), unhex(text(statement, "signature")), path)
}

func (l *cosignatures) add(witness *knownWitness, seconds int64, signature []byte, path string) {
	e := l.exam
	isInTime := isInKeyTime(witness, seconds) && seconds*1000 >= milliseconds(l.c.createdAt)-1000*tables.CosignatureSkewSeconds
	e.expect(report.CheckWitness, isInTime, report.CodeWitnessKeyEpochInvalid, path,
		witness.name+" cosigned outside of the time in which that counts.")
	one := &cosigned{witness: witness, seconds: seconds}
	message := note.Cosigned(seconds, note.HeadText(l.c.origin, l.c.count, l.c.root[:]))
	e.signature(report.CheckWitness, witness.key, message, signature, func(ok bool) {
		one.isValid = ok
		e.expect(report.CheckWitness, ok, report.CodeWitnessSignatureInvalid, path,
			"The cosignature by "+witness.name+" does not verify.")
	})
	if isInTime {
		l.seen = append(l.seen, one)
	}
}

// isInKeyTime says whether a time is in that of a listed key; both ends count, the first rounded down to the second.
func isInKeyTime(witness *knownWitness, seconds int64) bool {
	if !witness.isListed {
		return true
	}
	return seconds >= unixSeconds(witness.validFrom) &&
		(witness.validTo == "" || seconds*1000 <= milliseconds(witness.validTo))
}

// valid returns the witnesses whose cosignatures hold; only pinned ones if asked.
func (l *cosignatures) valid(onlyPinned bool) (list []*knownWitness) {
	for _, one := range l.seen {
		if one.isValid && (one.witness.isPinned || !onlyPinned) {
			list = append(list, one.witness)
		}
	}
	return list
}

// ofPolicy returns how many distinct witnesses of the policy cosigned.
func (l *cosignatures) ofPolicy() int64 {
	ids := map[string]bool{}
	for _, one := range l.valid(false) {
		if one.isListed {
			ids[one.id] = true
		}
	}
	return int64(len(ids))
}

// earliest returns the earliest time at which a pinned witness cosigned, in Unix seconds; 0 for none.
func (l *cosignatures) earliest() (seconds int64) {
	for _, one := range l.seen {
		if one.isValid && one.witness.isPinned && (seconds == 0 || one.seconds < seconds) {
			seconds = one.seconds
		}
	}
	return seconds
}

// judgeQuorum holds the cosignatures of the newest checkpoint against the threshold of its policy, which is -1 without
// one, and against the verifier's quorum.
func (e *exam) judgeQuorum(l *cosignatures, threshold int64, path string) {
	const check = report.CheckWitness
	once := distinct(l.valid(true))
	pinned := int64(len(once))
	e.witnessed = report.Witnessed{Required: max(threshold, 0), Valid: int64(len(distinct(l.valid(false)))), Pinned: pinned}
	unmet := func(expected, actual, message string) {
		e.reject(check, finding{code: report.CodeWitnessQuorumUnmet, path: path, message: message, expected: expected, actual: actual})
	}
	if threshold >= 0 {
		e.looked(check, 1)
		if count := l.ofPolicy(); count < threshold {
			unmet(itoa(threshold), itoa(count), "Too few witnesses of the policy cosigned the newest checkpoint.")
		}
	}
	if q := e.quorum; q != nil {
		e.witnessed.Required = max(e.witnessed.Required, q.least)
		e.isMet = e.isQuorumMet(q, once, pinned)
		if q.policy == nil || q.policy.Quorum != "none" {
			e.looked(check, 1)
			if !e.isMet {
				unmet(itoa(q.least), itoa(pinned), "The witnesses that you pin and that cosigned do not meet your quorum.")
			}
		}
	}
	e.noteWitnesses(l, pinned)
}

func (e *exam) isQuorumMet(q *quorum, once [][]*knownWitness, pinned int64) bool {
	if q.policy == nil {
		return pinned >= q.least
	}
	if q.policy.Quorum == "none" {
		return true
	}
	var names [][]string
	for _, group := range once {
		var named []string
		for _, one := range group {
			if name, ok := q.byKey[string(one.key)+" "+one.name]; ok {
				named = append(named, name)
			}
		}
		names = append(names, named)
	}
	return q.isMetBy(names)
}

func (e *exam) noteWitnesses(l *cosignatures, pinned int64) {
	var notes []string
	valid := l.valid(false)
	isManaged := len(valid) > 0
	for _, one := range valid {
		isManaged = isManaged && one.isManaged
	}
	switch {
	case len(valid) == 0:
		notes = append(notes, "no cosignature by a witness of the policy or of yours")
	case isManaged:
		notes = append(notes, "only the service's own witness has cosigned: it is not independent")
	case pinned == 0:
		notes = append(notes, "you pin none of these witnesses, so their independence is not checked")
	}
	if len(l.unchecked) > 0 {
		notes = append(notes, "cosignatures by ML-DSA-44 are not checked and not counted: "+itoa(int64(len(l.unchecked))))
	}
	if len(notes) > 0 {
		e.notChecked(report.CheckWitness, strings.Join(notes, "; "))
	}
}

// loneStatement examines a bare witness statement, which lacks the origin that its signature covers.
func (e *exam) loneStatement(object jsonx.Value) {
	e.subject.StreamID = text(object, "stream_id")
	e.cannot(report.CheckWitness, "the origin that the signature covers is not in a bare statement")
	e.unsigned("A bare statement cannot be checked without its checkpoint.", "")
}
