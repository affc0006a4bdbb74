// Package fork judges evidence that two objects of one signer exclude each other (protocol section 11).
package fork

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how evidence of a fork is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "fork", Faults: faults, Examine: examineLone}
}

// A Judgement is what was found of one piece of evidence.
type Judgement struct {
	Left, Right *Side
	// Fault is why it is invalid; nil if it is not.
	Fault *finding.Finding
	// IsLate says that a side is sealed outside of its key's time, and LatePath where.
	IsLate   bool
	LatePath string
	// isUnknown says that one of the keys was not given.
	isUnknown bool
}

func invalid(path, message string) *finding.Finding {
	return &finding.Finding{Code: report.CodeForkEvidenceInvalid, Path: path, Message: message}
}

// Judge examines evidence at a path.
func Judge(e *examination.Exam, object jsonx.Value, path string, isLone bool, witnesses *witness.List, rank Rank) *Judgement {
	j := &Judgement{}
	for _, one := range []struct {
		name string
		side **Side
	}{{"left", &j.Left}, {"right", &j.Right}} {
		side, ok := readSide(object.Get(one.name), path+"/"+one.name)
		*one.side = side
		if !ok && j.Fault == nil {
			j.Fault = invalid(path+"/"+one.name, "The note cannot be read.")
		}
	}
	if j.Fault != nil {
		return j
	}
	rule := rules[values.Text(object, "kind")]
	left, right := j.Left, j.Right
	stream := values.Text(object, "stream_id")
	if left.stream() != stream || right.stream() != stream {
		j.Fault = invalid(path+"/stream_id", "A side is of another stream.")
		return j
	}
	divergence := object.Get("divergence")
	isDivergence := divergence.Kind() != jsonx.Null
	if isDivergence && rule.tree == nil {
		j.Fault = invalid(path+"/divergence", "Evidence of this kind has no divergence.")
		return j
	}
	if !rule.takes(left, right) {
		j.Fault = invalid(path, "The sides are not of the types of this kind.")
		return j
	}
	if isDivergence && !diverges(e, divergence, rule.tree(left), rule.tree(right)) {
		j.Fault = invalid(path, "The divergence does not hold.")
		return j
	}
	if !rule.excludes(e, left, right, object, isDivergence) {
		j.Fault = invalid(path, "The sides do not exclude each other.")
		return j
	}
	isWitness := values.Text(object, "kind") == "witness"
	for _, side := range []*Side{left, right} {
		if fault := holdSide(e, side, isWitness, isLone, witnesses, j); fault != nil {
			j.Fault = fault
			return j
		}
		if j.IsLate {
			return j
		}
	}
	j.oneSigner(path, rank)
	return j
}

// holdSide examines a side by itself; it returns why it does not hold.
func holdSide(e *examination.Exam, s *Side, isWitness, isLone bool, witnesses *witness.List, j *Judgement) *finding.Finding {
	part := examination.New(e.Kernel, e.Policy.Alone(), e.Keys, 1)
	s.part = part
	if s.sort == "note" {
		holdNote(e, s, isWitness, isLone, witnesses)
	} else {
		part.Kind, part.Value = report.Kind(s.sort), s.value
		sideForm(part.Kind).Examine(part, s.value)
	}
	part.Settle()
	for _, one := range part.Problems() {
		switch {
		case one.Code == report.CodeKeyNotValidAtTime:
			j.IsLate, j.LatePath = true, s.path+one.Path
		case one.Code.Check() != report.CheckTrust:
			return invalid(s.path+one.Path, "The side does not hold: "+one.Message)
		}
	}
	part.JudgeDated()
	if s.sort != "note" {
		seal := s.value.Get("seal")
		if s.sort == "receipt" {
			seal = s.value.Get("receipt")
		}
		kid := values.Text(seal, "kid")
		s.signers = []examination.Signer{{KID: kid, Key: e.Keys.PublicKey(kid)}}
	}
	return nil
}

// examineLone examines fork evidence by itself.
func examineLone(e *examination.Exam, object jsonx.Value) {
	const check = report.CheckFork
	e.Subject.ID = values.ID(object, "fork_id")
	e.Subject.StreamID = values.Text(object, "stream_id")
	e.Looked(check, 1)
	j := Judge(e, object, "", true, witness.KnownTo(e), rankAlone(e, values.Text(object, "kind") == "witness"))
	for _, side := range []*Side{j.Left, j.Right} {
		if side == nil || e.Subject.Origin != nil {
			continue
		}
		if origin, ok := side.Stated(); ok {
			e.Subject.Origin = examination.StatedBy(origin, e.Subject.StreamID)
		}
	}
	if j.Fault != nil {
		e.Reject(check, *j.Fault)
		return
	}
	for _, side := range []*Side{j.Left, j.Right} {
		takeSide(e, side, j)
	}
	if j.isUnknown {
		e.Cannot(check, "a key is missing: neither you nor the evidence tells it, so a signature was not checked")
	}
}

// takeSide takes over how trust reaches the signers of a side, and its faults of time.
func takeSide(e *examination.Exam, side *Side, j *Judgement) {
	part := side.part
	if part == nil {
		return
	}
	move := func(one examination.Noted) examination.Noted {
		if !one.Part.Exists() {
			one.Part, one.InPart = side.value, one.Finding.Path
		}
		one.Finding.Path = side.path + one.Finding.Path
		return one
	}
	for _, one := range part.Rejections {
		if one.Finding.Code == report.CodeKeyNotValidAtTime {
			if e.Failed(report.CheckTrust) {
				continue
			}
			e.TakeOver(report.CheckTrust, move(one))
		}
	}
	if j.IsLate {
		return
	}
	if side.sort != "note" {
		e.AdoptSigners(part, move)
		return
	}
	noteSigner(e, side)
}
