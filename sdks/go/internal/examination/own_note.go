package examination

import (
	"svc.example/go/internal/note"
	"svc.example/go/report"
)

// OwnNote holds the note of a checkpoint or anchor against it, and the lines by its sealing key (protocol section 9).
// It returns nil for a text that is no note.
func (e *Exam) OwnNote(whole, path, origin string, size int64, root []byte, kid string) *note.Note {
	const check = report.CheckNote
	e.Looked(check, 1)
	n, ok := note.Parse(whole)
	if !ok {
		e.Fault(check, report.CodeNoteMalformed, path, "It is no signed note.")
		return nil
	}
	e.Expect(check, n.Text == note.HeadText(origin, size, root), report.CodeNoteMismatch, path, "The note says something else.")
	key := e.Keys.PublicKey(kid)
	if key == nil {
		e.SignatureMissing(check)
		return n
	}
	id := note.IDOf(origin, note.Ed25519, key)
	isThere := false
	for _, line := range n.Lines {
		if line.Name != origin || line.ID != id {
			continue
		}
		isThere = true
		e.Signature(check, key, []byte(n.Text), line.Signature, func(ok bool) {
			if !ok {
				e.isBroken = true
				e.Fault(check, report.CodeSignatureInvalid, path, "The note's own signature does not verify.")
			}
		})
	}
	e.Expect(check, isThere, report.CodeNoteMismatch, path, "The note has no line by the key that sealed it.")
	return n
}
