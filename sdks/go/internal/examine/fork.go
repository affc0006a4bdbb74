package examine

import (
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// A forkJudgement is what was found of one piece of evidence.
type forkJudgement struct {
	left, right *forkSide
	// fault is why it is invalid; nil if it is not.
	fault *finding
	// isLate says that a side is sealed outside of its key's time, and latePath where.
	isLate   bool
	latePath string
	// isUnknown says that nobody told one of the keys.
	isUnknown bool
}

func invalid(path, message string) *finding {
	return &finding{code: report.CodeForkEvidenceInvalid, path: path, message: message}
}

// judgeFork examines evidence at a path.
func (e *exam) judgeFork(object jsonx.Value, path string, isLone bool, witnesses *knownWitnesses, rank forkRank) *forkJudgement {
	j := &forkJudgement{}
	for _, one := range []struct {
		name string
		side **forkSide
	}{{"left", &j.left}, {"right", &j.right}} {
		side, ok := e.readSide(object.Get(one.name), path+"/"+one.name)
		*one.side = side
		if !ok && j.fault == nil {
			j.fault = invalid(path+"/"+one.name, "The note cannot be read.")
		}
	}
	if j.fault != nil {
		return j
	}
	rule := forkRules[text(object, "kind")]
	left, right := j.left, j.right
	stream := text(object, "stream_id")
	if left.stream() != stream || right.stream() != stream {
		j.fault = invalid(path+"/stream_id", "A side is of another stream.")
		return j
	}
	divergence := object.Get("divergence")
	isDivergence := divergence.Kind() != jsonx.Null
	if isDivergence && rule.tree == nil {
		j.fault = invalid(path+"/divergence", "Evidence of this kind has no divergence.")
		return j
	}
	if !rule.takes(left, right) {
		j.fault = invalid(path, "The sides are not of the types of this kind.")
		return j
	}
	if isDivergence && !e.diverges(divergence, rule.tree(left), rule.tree(right)) {
		j.fault = invalid(path, "The divergence does not hold.")
		return j
	}
	if !rule.excludes(e, left, right, object, isDivergence) {
		j.fault = invalid(path, "The sides do not exclude each other.")
		return j
	}
	isWitness := text(object, "kind") == "witness"
	for _, side := range []*forkSide{left, right} {
		if fault := e.holdSide(side, isWitness, isLone, witnesses, j); fault != nil {
			j.fault = fault
			return j
		}
		if j.isLate {
			return j
		}
	}
	j.oneSigner(path, rank)
	return j
}

// holdSide examines a side by itself; it returns why it does not hold.
func (e *exam) holdSide(s *forkSide, isWitness, isLone bool, witnesses *knownWitnesses, j *forkJudgement) *finding {
	part := newExam(e.k, e.policy.alone(), e.keys, 1)
	s.part = part
	if s.sort == "note" {
		e.holdNote(s, isWitness, isLone, witnesses)
	} else {
		part.kind, part.value = report.Kind(s.sort), s.value
		formsOf(part.kind)[0].examine(part, s.value)
	}
	part.settle()
	for _, one := range part.problems() {
		switch {
		case one.Code == report.CodeKeyNotValidAtTime:
			j.isLate, j.latePath = true, s.path+one.Path
		case one.Code.Check() != report.CheckTrust:
			return invalid(s.path+one.Path, "The side does not hold: "+one.Message)
		}
	}
	part.judgeDated()
	if s.sort != "note" {
		seal := s.value.Get("seal")
		if s.sort == "receipt" {
			seal = s.value.Get("receipt")
		}
		kid := text(seal, "kid")
		s.signers = []signer{{kid: kid, key: e.keys.publicKey(kid)}}
	}
	return nil
}

// loneFork examines fork evidence by itself.
func (e *exam) loneFork(object jsonx.Value) {
	const check = report.CheckFork
	e.subject.ID = idOf(object, "fork_id")
	e.subject.StreamID = text(object, "stream_id")
	e.looked(check, 1)
	j := e.judgeFork(object, "", true, newKnownWitnesses(e), e.rankAlone(text(object, "kind") == "witness"))
	for _, side := range []*forkSide{j.left, j.right} {
		if side == nil || e.subject.Origin != nil {
			continue
		}
		if origin, ok := side.stated(); ok {
			e.subject.Origin = statedBy(origin, e.subject.StreamID)
		}
	}
	if j.fault != nil {
		e.reject(check, *j.fault)
		return
	}
	for _, side := range []*forkSide{j.left, j.right} {
		e.takeSide(side, j)
	}
	if j.isUnknown {
		e.cannot(check, "a key is missing: neither you nor the evidence tells it, so a signature was not checked")
	}
}

// takeSide takes over how trust reaches the signers of a side, and its faults of time.
func (e *exam) takeSide(side *forkSide, j *forkJudgement) {
	part := side.part
	if part == nil {
		return
	}
	move := func(one noted) noted {
		if !one.part.Exists() {
			one.part, one.inPart = side.value, one.finding.path
		}
		one.finding.path = side.path + one.finding.path
		return one
	}
	for _, one := range part.rejections {
		if one.finding.code == report.CodeKeyNotValidAtTime {
			if e.failed(report.CheckTrust) {
				continue
			}
			e.tally(report.CheckTrust).hasFailed = true
			e.rejections = append(e.rejections, move(one))
		}
	}
	if j.isLate {
		return
	}
	if side.sort != "note" {
		e.adoptSigners(part, move)
		return
	}
	e.noteSigner(side)
}
