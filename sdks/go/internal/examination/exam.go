// Package examination has the state of one examination: findings, tallies, seals, signers and times, and the report
// that comes of them. It is total over its input: no bytes make it panic, and no bytes decide whom it trusts. It knows
// no kind of object: those are in the packages below objects and vault.
package examination

import (
	"context"

	"svc.example/go/internal/finding"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/trust"
	"svc.example/go/report"
)

// A Noted finding belongs to a check. A part that was examined by itself is named with its own path.
type Noted struct {
	check   report.CheckID
	Finding finding.Finding
	Part    jsonx.Value
	InPart  string
	// subject is the key or installation that a finding of trust is about.
	subject string
	// shown is the path as a report shows it; set when what was found is put in order.
	shown string
}

// A Tally is what one check has looked at and found.
type Tally struct {
	Count       int64
	hasFailed   bool
	rejections  int
	unevaluated int
	Note        string
	Found       string
}

// An Exam is one examination of one object, or of a part of one.
type Exam struct {
	Kernel      kernel.Kernel
	Workers     int
	Context     context.Context
	Policy      *trust.Policy
	Keys        *trust.KeyRing
	Witnesses   []trust.Witness
	Quorum      *trust.Quorum
	IsQuorumMet bool

	// Origin is that of the object's stream, once a checkpoint has stated it; empty before.
	Origin string
	Kind   report.Kind
	List   string
	Value  jsonx.Value
	// Inner is JSON in an object that is not JSON, and InnerPath where it stands.
	Inner      jsonx.Value
	InnerPath  string
	Subject    report.Subject
	Redacted   int64
	IsIncluded bool
	IsComplete bool
	Witnessed  report.Witnessed
	Published  string
	Anchored   string
	Provenance *report.Provenance
	Levels     []EventLevel

	// Sealers are the keys whose seals hold; read it after Settle.
	Sealers    map[string]bool
	tallies    map[report.CheckID]*Tally
	Rejections []Noted
	distrusts  []Noted
	distrusted map[string]bool
	queue      signatureQueue
	Signers    SignerList
	times      []timeProof
	Dated      []DatedUse
	Missing    int
	// Heads are recomputed roots, and Stated those that checkpoints state; of a bundle WindowRoots gives all.
	Heads       []Head
	NewestCount int64
	// StatedStream is the stream of the newest checkpoint that was noted; empty for none.
	StatedStream string
	WindowRoots  func(count int64) (merkle.Hash, bool)
	Stated       []Head
	// Histories are what the object shows of the histories of streams.
	Histories []*histories.History
	Links     [][]byte
	SealsSeen int64
	isBroken  bool
	// Scratch is room for a text that is hashed at once.
	Scratch []byte
}

// New returns an examination under a trust policy. `keys` are those of an outer examination, or nil.
func New(k kernel.Kernel, policy *trust.Policy, keys *trust.KeyRing, workers int) *Exam {
	e := &Exam{
		Kernel: k, Workers: workers, Policy: policy, Keys: keys, Published: "none", Anchored: "none",
		Sealers: map[string]bool{}, tallies: map[report.CheckID]*Tally{}, distrusted: map[string]bool{},
	}
	if keys == nil {
		e.Keys = trust.NewKeyRing(policy)
	}
	e.Quorum = policy.Quorum
	for _, witness := range policy.Witnesses {
		if !policy.Revoked[witness.KID] {
			e.Witnesses = append(e.Witnesses, witness)
		}
	}
	e.queue.exam = e
	return e
}

// Tally returns the tally of a check.
func (e *Exam) Tally(check report.CheckID) *Tally {
	t := e.tallies[check]
	if t == nil {
		t = &Tally{}
		e.tallies[check] = t
	}
	return t
}

// Looked notes that a check looked at so many things.
func (e *Exam) Looked(check report.CheckID, count int) { e.Tally(check).Count += int64(count) }

// NotChecked notes why a check looked at nothing, or what it did not look at.
func (e *Exam) NotChecked(check report.CheckID, note string) { e.Tally(check).Note = note }

// Found notes what a check found; it is said where there is no note of another kind.
func (e *Exam) Found(check report.CheckID, note string) { e.Tally(check).Found = note }

// Cannot notes that a check could not be made, and why.
func (e *Exam) Cannot(check report.CheckID, note string) {
	t := e.Tally(check)
	t.unevaluated++
	t.Note = note
}

// Reject notes what makes the verdict rejected.
func (e *Exam) Reject(check report.CheckID, f finding.Finding) {
	t := e.Tally(check)
	t.hasFailed = true
	// Rejections far beyond the bound of a report take no memory.
	if t.rejections++; t.rejections > 64*tables.MaxProblems {
		e.bound(check)
		t.rejections = tables.MaxProblems
	}
	e.Rejections = append(e.Rejections, Noted{check: check, Finding: f})
}

// Fault rejects with a code, a path and a message.
func (e *Exam) Fault(check report.CheckID, code report.Code, path, message string) {
	e.Reject(check, finding.Finding{Code: code, Path: path, Message: message})
}

// Expect rejects unless the condition holds, and returns it.
func (e *Exam) Expect(check report.CheckID, isTrue bool, code report.Code, path, message string) bool {
	if !isTrue {
		e.Fault(check, code, path, message)
	}
	return isTrue
}

// ExpectEqual counts one thing, and rejects with both texts unless they are equal. It returns whether they are.
func (e *Exam) ExpectEqual(check report.CheckID, code report.Code, expected, actual, path, message string) bool {
	e.Looked(check, 1)
	if expected == actual {
		return true
	}
	e.Reject(check, finding.Finding{Code: code, Path: path, Message: message, Expected: expected, Actual: actual})
	return false
}

// Distrust notes what keeps the verdict from verified although nothing is wrong: one for each code and subject.
func (e *Exam) Distrust(check report.CheckID, f finding.Finding, subject string) {
	key := string(f.Code) + " " + subject
	if e.distrusted[key] {
		return
	}
	e.distrusted[key] = true
	e.distrusts = append(e.distrusts, Noted{check: check, Finding: f, subject: subject})
	if check != report.CheckTrust {
		e.Tally(check).unevaluated++
	}
}

func (e *Exam) isDistrusted(check report.CheckID) bool {
	for _, one := range e.distrusts {
		if one.check == check {
			return true
		}
	}
	return false
}

// IsClean says whether none of the checks has failed, and all could be made.
func (e *Exam) IsClean(checks ...report.CheckID) bool {
	for _, check := range checks {
		if t := e.tallies[check]; t != nil && (t.hasFailed || t.unevaluated > 0) {
			return false
		}
	}
	return true
}

// Failed says whether one of the checks has failed.
func (e *Exam) Failed(checks ...report.CheckID) bool {
	for _, check := range checks {
		if t := e.tallies[check]; t != nil && t.hasFailed {
			return true
		}
	}
	return false
}

// RejectIn rejects with a finding whose place is that of a part of the object.
func (e *Exam) RejectIn(check report.CheckID, f finding.Finding, part jsonx.Value, inPart string) {
	e.Reject(check, f)
	last := &e.Rejections[len(e.Rejections)-1]
	last.Part, last.InPart = part, inPart
}
