package fork

import (
	"encoding/hex"

	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// holdNote examines the lines of a note by known keys.
func holdNote(e *examination.Exam, s *Side, isWitness, isLone bool, witnesses *witness.List) {
	part := s.part
	s.isWitness = isWitness
	message := []byte(s.note.Text)
	broken := func(ok bool) {
		part.Expect(report.CheckNote, ok, report.CodeSignatureInvalid, "", "A line by a known key does not verify.")
	}
	for _, line := range s.note.Lines {
		if line.Name == s.head.Origin {
			found := ofLog(e, s, line, func(key []byte) {
				part.Signature(report.CheckNote, key, message, line.Signature, broken)
			})
			if !isWitness {
				s.signers = append(s.signers, found...)
			}
		}
		known := witnesses.OfLine(line)
		for _, witness := range known {
			seconds, signature, ok := line.Cosignature()
			if !ok {
				broken(false)
				continue
			}
			part.Signature(report.CheckNote, witness.Key, note.Cosigned(seconds, s.note.Text), signature, broken)
			if witness.IsPinned {
				part.ProveSealTime(seconds, "")
			}
			if isWitness {
				reached := report.None
				if witness.IsPinned {
					reached = report.Pinned
				}
				s.signers = append(s.signers, examination.Signer{KID: values.KID(witness.Key), Key: witness.Key, Role: report.RoleWitness, Reached: reached})
			}
		}
		if isWitness && len(known) == 0 && line.Name != s.head.Origin {
			otherWitness(e, s, line, isLone, broken)
		}
	}
}

// ofLog returns the signers of a line of the log, by the keys that somebody told; where nobody did, by one that has the
// name of its line. Each key is checked.
func ofLog(e *examination.Exam, s *Side, line note.Line, check func(key []byte)) (found []examination.Signer) {
	for kid, key := range e.Keys.All() {
		if line.ID == note.IDOf(line.Name, note.Ed25519, key) {
			check(key)
			found = append(found, examination.Signer{KID: kid, Key: key, Role: report.RoleNote})
		}
	}
	if len(found) == 0 && len(line.Signature) == ed25519x.SignatureSize {
		found = append(found, examination.Signer{KID: unknownSigner(line), Role: report.RoleNote})
	}
	return found
}

// otherWitness takes in a cosignature by nobody who is known: in lone evidence by a hinted key, otherwise by a key that
// nobody told, which has the name of its line.
func otherWitness(e *examination.Exam, s *Side, line note.Line, isLone bool, settle func(bool)) {
	seconds, signature, isCosignature := line.Cosignature()
	isTold := false
	for _, key := range e.Keys.All() {
		if !isLone || line.ID != note.IDOf(line.Name, note.Cosignature, key) {
			continue
		}
		isTold = true
		if !isCosignature {
			settle(false)
			continue
		}
		s.part.Signature(report.CheckNote, key, note.Cosigned(seconds, s.note.Text), signature, settle)
		s.signers = append(s.signers, examination.Signer{KID: values.KID(key), Key: key, Role: report.RoleWitness, Reached: report.None})
	}
	if !isTold && isCosignature {
		s.signers = append(s.signers, examination.Signer{KID: unknownSigner(line), Role: report.RoleWitness})
	}
}

// unknownSigner names the signer of a line whose key nobody gave.
func unknownSigner(line note.Line) string { return hex.EncodeToString(line.ID[:]) + " " + line.Name }

// noteSigner judges whether trust reaches the signer of a note.
func noteSigner(e *examination.Exam, side *Side) {
	s := side.signers[0]
	e.SealsSeen++
	if s.Key == nil {
		e.Missing++
		one := finding.Finding{Code: report.CodeKeyNotPinned, Path: side.path, Message: "Nobody gave the key that signed the note."}
		if s.Role == report.RoleWitness {
			one.Action = report.AskWitness
		}
		e.Distrust(report.CheckTrust, one, s.KID)
		return
	}
	var code report.Code
	code, s.Reached = noteStanding(e, side, s)
	if code != "" {
		one := e.Unreached(code, s.KID, "which sealed the note", side.path)
		if s.Role == report.RoleWitness {
			one.Message, one.Action = "You do not pin the witness "+s.KID+", which cosigned the note.", ""
			if code == report.CodeKeyNotPinned {
				one.Action = report.AskWitness
			}
		}
		e.Distrust(report.CheckTrust, one, s.KID)
	}
	e.Signers.Add(s)
}

// noteStanding says why trust does not reach a signer of a note whose key somebody told, and how it does.
func noteStanding(e *examination.Exam, side *Side, s examination.Signer) (code report.Code, reached report.Reached) {
	if s.Role == report.RoleWitness {
		switch {
		case s.Reached == report.Pinned:
			return "", report.Pinned
		case e.Policy.Revoked[s.KID]:
			return report.CodeKeyRevoked, report.None
		default:
			return report.CodeKeyNotPinned, report.None
		}
	}
	in := trust.Scope{Service: side.head.Origin}
	if stream := side.stream(); stream != "" {
		in = trust.Scope{Stream: stream, Origin: side.head.Origin}
	}
	standing := e.Keys.Standing(s.KID, in)
	code = standing.Code
	if code == "" && standing.ValidTo != "" {
		dated := examination.DatedUse{Use: examination.SealUse{Path: ""}, ValidTo: standing.ValidTo}
		if !side.part.IsDated(&dated) {
			code = report.CodeKeyTimeUnproven
		}
	}
	switch {
	case code != "":
		return code, report.None
	case standing.IsPinned:
		return "", report.Pinned
	default:
		return "", report.Endorsed
	}
}
