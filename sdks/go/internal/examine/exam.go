// Package examine decides what is right or wrong about an object of the protocol, and makes the report. It is total
// over its input: no bytes make it panic, and no bytes decide whom it trusts.
package examine

import (
	"context"

	"svc.example/go/internal/histories"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A finding is one problem, before the report has put it in its place.
type finding struct {
	code             report.Code
	path             string
	message          string
	expected, actual string
	kid              string
	seqNo            int64
	// action is the next step of a single cause; empty for that of the code.
	action string
}

// A noted finding belongs to a check. A part that was examined by itself is named with its own path.
type noted struct {
	check   report.CheckID
	finding finding
	part    jsonx.Value
	inPart  string
	// subject is the key or installation that a finding of trust is about.
	subject string
	// shown is the path as a report shows it; set when what was found is put in order.
	shown string
}

// A tally is what one check has looked at and found.
type tally struct {
	count       int64
	hasFailed   bool
	rejections  int
	unevaluated int
	note        string
	found       string
}

// An exam is one examination of one object, or of a part of one.
type exam struct {
	k         kernel.Kernel
	workers   int
	context   context.Context
	policy    *Policy
	keys      *keyRing
	witnesses []pinnedWitness
	quorum    *quorum
	isMet     bool

	// origin is that of the object's stream, once a checkpoint has stated it; empty before.
	origin string
	kind   report.Kind
	list   string
	value  jsonx.Value
	// manifestValue is the manifest of a truth package.
	manifestValue jsonx.Value
	subject       report.Subject
	redacted      int64
	isIncluded    bool
	isComplete    bool
	witnessed     report.Witnessed
	published     string
	anchored      string
	provenance    *report.Provenance
	levels        []eventLevel

	// sealers are the keys whose seals hold; read it after settle.
	sealers    map[string]bool
	tallies    map[report.CheckID]*tally
	rejections []noted
	distrusts  []noted
	distrusted map[string]bool
	queue      signatureQueue
	signers    signerList
	times      []timeProof
	dated      []datedUse
	missing    int
	// heads are recomputed roots, and stated those that checkpoints state; of a bundle windowRoots gives all.
	heads       []head
	newestCount int64
	// statedStream is the stream of the newest checkpoint that was noted; empty for none.
	statedStream string
	windowRoots  func(count int64) (merkle.Hash, bool)
	stated       []head
	handedIn     []link
	// histories are what the object shows of the histories of streams.
	histories []*histories.History
	wires     [][]byte
	sealsSeen int64
	isBroken  bool
	// scratch is room for a text that is hashed at once.
	scratch []byte
}

// newExam returns an examination under a trust policy. `keys` are those of an outer examination, or nil.
func newExam(k kernel.Kernel, policy *Policy, keys *keyRing, workers int) *exam {
	e := &exam{
		k: k, workers: workers, policy: policy, keys: keys, published: "none", anchored: "none",
		sealers: map[string]bool{}, tallies: map[report.CheckID]*tally{}, distrusted: map[string]bool{},
	}
	if keys == nil {
		e.keys = newKeyRing(policy)
	}
	e.quorum = policy.quorum
	for _, witness := range policy.witnesses {
		if !policy.revoked[witness.kid] {
			e.witnesses = append(e.witnesses, witness)
		}
	}
	e.queue.exam = e
	return e
}

func (e *exam) tally(check report.CheckID) *tally {
	t := e.tallies[check]
	if t == nil {
		t = &tally{}
		e.tallies[check] = t
	}
	return t
}

// looked notes that a check looked at so many things.
func (e *exam) looked(check report.CheckID, count int) { e.tally(check).count += int64(count) }

// notChecked notes why a check looked at nothing, or what it did not look at.
func (e *exam) notChecked(check report.CheckID, note string) { e.tally(check).note = note }

// found notes what a check found; it is said where there is no note of another kind.
func (e *exam) found(check report.CheckID, note string) { e.tally(check).found = note }

// cannot notes that a check could not be made, and why.
func (e *exam) cannot(check report.CheckID, note string) {
	t := e.tally(check)
	t.unevaluated++
	t.note = note
}

// reject notes what makes the verdict rejected.
func (e *exam) reject(check report.CheckID, f finding) {
	t := e.tally(check)
	t.hasFailed = true
	// Rejections far beyond the bound of a report take no memory.
	if t.rejections++; t.rejections > 64*tables.MaxProblems {
		e.bound(check)
		t.rejections = tables.MaxProblems
	}
	e.rejections = append(e.rejections, noted{check: check, finding: f})
}

// fault rejects with a code, a path and a message.
func (e *exam) fault(check report.CheckID, code report.Code, path, message string) {
	e.reject(check, finding{code: code, path: path, message: message})
}

// expect rejects unless the condition holds, and returns it.
func (e *exam) expect(check report.CheckID, isTrue bool, code report.Code, path, message string) bool {
	if !isTrue {
		e.fault(check, code, path, message)
	}
	return isTrue
}

// expectEqual counts one thing, and rejects with both texts unless they are equal. It returns whether they are.
func (e *exam) expectEqual(check report.CheckID, code report.Code, expected, actual, path, message string) bool {
	e.looked(check, 1)
	if expected == actual {
		return true
	}
	e.reject(check, finding{code: code, path: path, message: message, expected: expected, actual: actual})
	return false
}

// distrust notes what keeps the verdict from verified although nothing is wrong: one for each code and subject.
func (e *exam) distrust(check report.CheckID, f finding, subject string) {
	key := string(f.code) + " " + subject
	if e.distrusted[key] {
		return
	}
	e.distrusted[key] = true
	e.distrusts = append(e.distrusts, noted{check: check, finding: f, subject: subject})
	if check != report.CheckTrust {
		e.tally(check).unevaluated++
	}
}

func (e *exam) isDistrusted(check report.CheckID) bool {
	for _, one := range e.distrusts {
		if one.check == check {
			return true
		}
	}
	return false
}

// hasFailed says whether one of the checks has failed or could not be made.
func (e *exam) isClean(checks ...report.CheckID) bool {
	for _, check := range checks {
		if t := e.tallies[check]; t != nil && (t.hasFailed || t.unevaluated > 0) {
			return false
		}
	}
	return true
}

// failed says whether one of the checks has failed.
func (e *exam) failed(checks ...report.CheckID) bool {
	for _, check := range checks {
		if t := e.tallies[check]; t != nil && t.hasFailed {
			return true
		}
	}
	return false
}
