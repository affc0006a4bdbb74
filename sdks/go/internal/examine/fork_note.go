package examine

import (
	"encoding/hex"
	"iter"
	"maps"
	"slices"

	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/note"
	"svc.example/go/report"
)

// holdNote examines the lines of a note by known keys.
func (e *exam) holdNote(s *forkSide, isWitness, isLone bool, witnesses *knownWitnesses) {
	part := s.part
	s.isWitness = isWitness
	message := []byte(s.note.Text)
	broken := func(ok bool) {
		part.expect(report.CheckNote, ok, report.CodeSignatureInvalid, "", "A line by a known key does not verify.")
	}
	for _, line := range s.note.Lines {
		if line.Name == s.head.Origin {
			found := e.ofLog(s, line, func(key []byte) {
				part.signature(report.CheckNote, key, message, line.Signature, broken)
			})
			if !isWitness {
				s.signers = append(s.signers, found...)
			}
		}
		known := witnesses.ofLine(line)
		for _, witness := range known {
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
		if isWitness && len(known) == 0 && line.Name != s.head.Origin {
			e.otherWitness(s, line, isLone, broken)
		}
	}
}

// ofLog returns the signers of a line of the log, by the keys that somebody told; where nobody did, by one that has the
// name of its line. Each key is checked.
func (e *exam) ofLog(s *forkSide, line note.Line, check func(key []byte)) (found []signer) {
	for kid, key := range e.keys.all() {
		if line.ID == note.IDOf(line.Name, note.Ed25519, key) {
			check(key)
			found = append(found, signer{kid: kid, key: key, role: report.RoleNote})
		}
	}
	if len(found) == 0 && len(line.Signature) == ed25519x.SignatureSize {
		found = append(found, signer{kid: unknownSigner(line), role: report.RoleNote})
	}
	return found
}

// otherWitness takes in a cosignature by nobody who is known: in lone evidence by a hinted key, otherwise by a key that
// nobody told, which has the name of its line.
func (e *exam) otherWitness(s *forkSide, line note.Line, isLone bool, settle func(bool)) {
	seconds, signature, isCosignature := line.Cosignature()
	isTold := false
	for _, key := range e.keys.all() {
		if !isLone || line.ID != note.IDOf(line.Name, note.Cosignature, key) {
			continue
		}
		isTold = true
		if !isCosignature {
			settle(false)
			continue
		}
		s.part.signature(report.CheckNote, key, note.Cosigned(seconds, s.note.Text), signature, settle)
		s.signers = append(s.signers, signer{kidOf(key), key, report.RoleWitness, report.None})
	}
	if !isTold && isCosignature {
		s.signers = append(s.signers, signer{kid: unknownSigner(line), role: report.RoleWitness})
	}
}

// unknownSigner names the signer of a line whose key nobody told.
func unknownSigner(line note.Line) string { return hex.EncodeToString(line.ID[:]) + " " + line.Name }

// all yields every key that somebody told, by its kid: those of the object in their order, then those that are pinned.
func (r *keyRing) all() iter.Seq2[string, []byte] {
	return func(yield func(kid string, key []byte) bool) {
		seen := map[string]bool{}
		for _, kid := range slices.Concat(r.carried, slices.Sorted(maps.Keys(r.policy.pins))) {
			if seen[kid] {
				continue
			}
			seen[kid] = true
			if !yield(kid, r.publicKey(kid)) {
				return
			}
		}
	}
}

// noteSigner judges whether trust reaches the signer of a note.
func (e *exam) noteSigner(side *forkSide) {
	s := side.signers[0]
	e.sealsSeen++
	if s.key == nil {
		e.missing++
		message := "Nobody told the key that signed the note."
		e.distrust(report.CheckTrust, finding{code: report.CodeKeyNotPinned, path: side.path, message: message}, s.kid)
		return
	}
	var code report.Code
	code, s.reached = e.noteStanding(side, s)
	if code != "" {
		one := e.unreached(code, s.kid, "the note", side.path)
		if s.role == report.RoleWitness {
			one.message, one.action = "You do not pin the witness "+s.kid+", which cosigned the note.", ""
		}
		e.distrust(report.CheckTrust, one, s.kid)
	}
	e.signers.add(s)
}

// noteStanding says why trust does not reach a signer of a note whose key somebody told, and how it does.
func (e *exam) noteStanding(side *forkSide, s signer) (code report.Code, reached report.Reached) {
	if s.role == report.RoleWitness {
		switch {
		case s.reached == report.Pinned:
			return "", report.Pinned
		case e.policy.revoked[s.kid]:
			return report.CodeKeyRevoked, report.None
		default:
			return report.CodeKeyNotPinned, report.None
		}
	}
	in := scope{service: side.head.Origin}
	if stream := side.stream(); stream != "" {
		in = scope{stream: stream, origin: side.head.Origin}
	}
	standing := e.keys.standing(s.kid, in)
	code = standing.code
	if code == "" && standing.validTo != "" {
		dated := datedUse{use: sealUse{path: ""}, validTo: standing.validTo}
		if !side.part.isDated(&dated) {
			code = report.CodeKeyTimeUnproven
		}
	}
	switch {
	case code != "":
		return code, report.None
	case standing.isPinned:
		return "", report.Pinned
	default:
		return "", report.Endorsed
	}
}
