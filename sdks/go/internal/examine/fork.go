package examine

import (
	"bytes"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A forkSide is one side of fork evidence (protocol section 11).
type forkSide struct {
	value jsonx.Value
	path  string
	// sort is receipt, window, checkpoint, anchor or note.
	sort       string
	record     record
	window     *bundleWindow
	checkpoint *checkpoint
	note       *note.Note
	head       note.Head
	// part is the examination of the side by itself.
	part *exam
	// signers are the keys that signed it; a nil key is one that nobody told.
	signers []signer
}

// sides holds what tells an object as a side, in this order.
var sides = []struct {
	member string
	kind   report.Kind
}{
	{"stream_event_id", report.KindReceipt}, {"window_id", report.KindWindow},
	{"checkpoint_id", report.KindCheckpoint}, {"anchor_epoch_id", report.KindAnchor},
}

func sideKind(value jsonx.Value) report.Kind {
	for _, one := range sides {
		if has(value, one.member) {
			return one.kind
		}
	}
	return ""
}

// forkFaults returns the faults of form between the members of fork evidence, and those of its sides.
func forkFaults(object jsonx.Value) []finding { return forkFaultsAt(object, "") }

func forkFaultsAt(object jsonx.Value, path string) (found []finding) {
	for _, name := range []string{"left", "right"} {
		side, sidePath := object.Get(name), path+"/"+name
		if side.Kind() == jsonx.String {
			continue
		}
		kind := sideKind(side)
		if kind == "" {
			found = append(found, finding{code: report.CodeMalformed, path: sidePath, message: "It is no side of fork evidence."})
			continue
		}
		f := formsOf(kind)[0]
		faults := shapeFindings(f.schema, side)
		if len(faults) == 0 && f.faults != nil {
			faults = f.faults(side)
		}
		for _, one := range faults {
			one.path = sidePath + one.path
			found = append(found, one)
		}
	}
	switch isOmission := text(object, "kind") == "omission"; {
	case isOmission && !has(object, "policy"):
		found = append(found, finding{code: report.CodeMissingMember, path: path + "/policy", message: "An omission is judged by a policy."})
	case !isOmission && has(object, "policy"):
		found = append(found, finding{code: report.CodeUnknownMember, path: path + "/policy", message: "Only an omission has a policy."})
	}
	return found
}

// readSide reads a side; ok is false for a text that is no note of a head.
func (e *exam) readSide(value jsonx.Value, path string) (s *forkSide, ok bool) {
	s = &forkSide{value: value, path: path}
	if whole, isText := value.Text(); isText {
		s.sort = "note"
		if s.note, ok = note.Parse(whole); ok {
			s.head, ok = note.ParseHead(s.note.Text)
		}
		return s, ok
	}
	switch kind := sideKind(value); kind {
	case report.KindReceipt:
		s.record = readRecord(value)
	case report.KindWindow:
		s.window = readWindow(value, path)
	case report.KindCheckpoint:
		s.checkpoint = e.readCheckpoint(value, path)
	}
	s.sort = string(sideKind(value))
	return s, true
}

// stream returns the stream of a side; empty for an anchor, and for a note whose origin ends in no stream id.
func (s *forkSide) stream() string {
	if s.sort != "note" {
		return text(s.value, "stream_id")
	}
	slash := strings.LastIndexByte(s.head.Origin, '/')
	if slash < 0 || !schema.Matches(tables.FormatStreamID, []byte(s.head.Origin[slash+1:])) {
		return ""
	}
	return s.head.Origin[slash+1:]
}

// origin returns the service's own origin, as a side states it; empty where it states none.
func (s *forkSide) origin() string {
	origin := text(s.value, "origin")
	if s.sort == "note" {
		origin = s.head.Origin
	}
	if stream := s.stream(); stream != "" {
		return serviceOf(origin, stream)
	}
	return origin
}

// A forkJudgement is what was found of one piece of evidence.
type forkJudgement struct {
	left, right *forkSide
	// fault is why it is invalid; nil if it is not.
	fault *finding
	// isLate says that a side is sealed outside of its key's time.
	isLate bool
	// isUnknown says that nobody told one of the keys.
	isUnknown bool
}

func invalid(path, message string) *finding {
	return &finding{code: report.CodeForkEvidenceInvalid, path: path, message: message}
}

// judgeFork examines evidence at a path. `counts` says of a key whether it counts as the service's.
func (e *exam) judgeFork(object jsonx.Value, path string, isLone bool, witnesses *knownWitnesses, counts func(kid string) bool) *forkJudgement {
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
	if !rule.takes(left, right) {
		j.fault = invalid(path, "The sides are not of the types of this kind.")
		return j
	}
	stream := text(object, "stream_id")
	if left.stream() != stream || right.stream() != stream {
		j.fault = invalid(path+"/stream_id", "A side is of another stream.")
		return j
	}
	divergence := object.Get("divergence")
	if divergence.Kind() != jsonx.Null {
		if rule.tree == nil {
			j.fault = invalid(path+"/divergence", "Evidence of this kind has no divergence.")
			return j
		}
		if !e.diverges(divergence, rule.tree(left), rule.tree(right)) {
			j.fault = invalid(path, "The divergence does not hold.")
			return j
		}
	}
	if !rule.excludes(e, left, right, object, divergence.Kind() != jsonx.Null) {
		j.fault = invalid(path, "The sides do not exclude each other.")
		return j
	}
	isWitness := text(object, "kind") == "witness"
	for _, side := range []*forkSide{left, right} {
		if fault := e.holdSide(side, isWitness, isLone, witnesses, j); fault != nil {
			j.fault = fault
			return j
		}
	}
	if j.isLate {
		return j
	}
	e.oneSigner(j, isWitness, path, counts)
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
			j.isLate = true
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

// holdNote examines the lines of a note by known keys.
func (e *exam) holdNote(s *forkSide, isWitness, isLone bool, witnesses *knownWitnesses) {
	part := s.part
	message := []byte(s.note.Text)
	broken := func(ok bool) {
		part.expect(report.CheckNote, ok, report.CodeSignatureInvalid, "", "A line by a known key does not verify.")
	}
	for _, line := range s.note.Lines {
		for _, key := range e.keys.all() {
			if line.Name == s.head.Origin && line.ID == note.IDOf(line.Name, note.Ed25519, key) {
				part.signature(report.CheckNote, key, message, line.Signature, broken)
				if !isWitness {
					s.signers = append(s.signers, signer{kid: kidOf(key), key: key, role: report.RoleNote})
				}
			}
		}
		for _, witness := range witnesses.ofLine(line) {
			seconds, signature, ok := line.Cosignature()
			if !ok {
				broken(false)
				continue
			}
			part.signature(report.CheckNote, witness.key, note.Cosigned(seconds, s.note.Text), signature, broken)
			if witness.isPinned {
				part.proveSealTime(seconds, "")
			}
			if isWitness {
				reached := report.None
				if witness.isPinned {
					reached = report.Pinned
				}
				s.signers = append(s.signers, signer{kidOf(witness.key), witness.key, report.RoleWitness, reached})
			}
		}
		if isWitness && isLone {
			e.hintedWitness(s, line, broken)
		}
	}
}

// hintedWitness takes in a cosignature by a hinted key, in lone evidence against a witness.
func (e *exam) hintedWitness(s *forkSide, line note.Line, settle func(bool)) {
	for _, key := range e.keys.hints {
		seconds, signature, ok := line.Cosignature()
		if line.ID != note.IDOf(line.Name, note.Cosignature, key) || !ok {
			continue
		}
		isKnown := false
		for _, one := range s.signers {
			isKnown = isKnown || bytes.Equal(one.key, key)
		}
		if !isKnown {
			s.part.signature(report.CheckNote, key, note.Cosigned(seconds, s.note.Text), signature, settle)
			s.signers = append(s.signers, signer{kidOf(key), key, report.RoleWitness, report.None})
		}
	}
}

// all returns every key that somebody told.
func (r *keyRing) all() (keys [][]byte) {
	seen := map[string]bool{}
	add := func(key []byte) {
		if !seen[string(key)] {
			seen[string(key)] = true
			keys = append(keys, key)
		}
	}
	for _, pins := range r.policy.pins {
		for _, pin := range pins {
			add(pin.key)
		}
	}
	for _, key := range r.told {
		add(key)
	}
	for _, key := range r.hints {
		add(key)
	}
	return keys
}

// oneSigner looks for the pair of keys of the two sides that are one signer, and is trusted most.
func (e *exam) oneSigner(j *forkJudgement, isWitness bool, path string, counts func(kid string) bool) {
	type pair struct{ left, right signer }
	var best *pair
	rank := func(p pair) int {
		score := 0
		for _, one := range []signer{p.left, p.right} {
			if counts(one.kid) || one.reached == report.Pinned {
				score++
			}
		}
		return score
	}
	for _, left := range j.left.signers {
		for _, right := range j.right.signers {
			one := pair{left, right}
			if left.key == nil || right.key == nil {
				j.isUnknown = true
				continue
			}
			isOne := bytes.Equal(left.key, right.key) || e.keys.leads(left.kid, right.kid) || e.keys.leads(right.kid, left.kid) ||
				(!isWitness && e.keys.isRooted(left.kid) && e.keys.isRooted(right.kid))
			if isOne && (best == nil || rank(one) > rank(*best)) {
				best = &one
			}
		}
	}
	switch {
	case best != nil:
		j.isUnknown = false
		j.left.signers, j.right.signers = []signer{best.left}, []signer{best.right}
	case len(j.left.signers) == 0 || len(j.right.signers) == 0:
		j.isUnknown = true
		if isWitness {
			j.fault = invalid(path, "No witness is known who cosigned both.")
		}
	case !j.isUnknown:
		j.fault = invalid(path, "The two sides are not by one signer.")
	}
}

// leads says whether endorsements lead from one key to another.
func (r *keyRing) leads(from, to string) bool {
	reached := map[string]bool{from: true}
	for range tables.MaxEndorsementChain {
		changed := false
		for _, one := range r.endorsements {
			if reached[one.endorser] && !reached[one.endorsed] {
				reached[one.endorsed], changed = true, true
			}
		}
		if reached[to] || !changed {
			break
		}
	}
	return reached[to]
}

// isRooted says whether a key is pinned, or endorsements lead to it from one that is.
func (r *keyRing) isRooted(kid string) bool {
	for pinned := range r.policy.pins {
		if r.leads(pinned, kid) {
			return true
		}
	}
	return false
}

// loneFork examines fork evidence by itself.
func (e *exam) loneFork(object jsonx.Value) {
	const check = report.CheckFork
	e.subject.ID = idOf(object, "fork_id")
	e.subject.StreamID = text(object, "stream_id")
	e.looked(check, 1)
	j := e.judgeFork(object, "", true, newKnownWitnesses(e), func(kid string) bool {
		return e.keys.standing(kid, scope{stream: e.subject.StreamID}).code == ""
	})
	for _, side := range []*forkSide{j.left, j.right} {
		if side != nil && e.subject.Origin == "" {
			e.subject.Origin = side.origin()
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
		e.cannot(check, "nobody told one of the keys, so whether one signer made both sides is not known")
	}
}

// takeSide takes over how trust reaches the signers of a side, and its faults of time.
func (e *exam) takeSide(side *forkSide, j *forkJudgement) {
	part := side.part
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
	if len(side.signers) == 0 {
		e.sealsSeen++
		e.missing++
		e.distrust(report.CheckTrust, finding{code: report.CodeKeyNotPinned, path: side.path, message: "Nobody told the key that signed the note."}, side.path)
		return
	}
	e.noteSigner(side)
}

// noteSigner judges whether trust reaches the signer of a note.
func (e *exam) noteSigner(side *forkSide) {
	e.sealsSeen++
	s := side.signers[0]
	in := scope{service: side.head.Origin}
	if stream := side.stream(); stream != "" {
		in = scope{stream: stream, origin: side.head.Origin}
	}
	code := report.Code("")
	if s.role == report.RoleWitness {
		if s.reached != report.Pinned {
			code = report.CodeKeyNotPinned
		}
	} else {
		standing := e.keys.standing(s.kid, in)
		code = standing.code
		s.reached = report.Endorsed
		if standing.isPinned {
			s.reached = report.Pinned
		}
		if code == "" && standing.validTo != "" {
			dated := datedUse{use: sealUse{path: ""}, validTo: standing.validTo}
			if !side.part.isDated(&dated) {
				code = report.CodeKeyTimeUnproven
			}
		}
	}
	if code != "" {
		s.reached = report.None
		e.distrust(report.CheckTrust, finding{code: code, path: side.path, kid: s.kid, message: distrustMessage(code, s.kid, "the note")}, s.kid)
	}
	e.signers.add(s)
}
