package note

import (
	"encoding/binary"

	"svc.example/go/internal/tables"
)

// cosignatureBytes is the length behind the key id of a cosignature: its time and the signature.
const cosignatureBytes = 8 + 64

// Cosigned returns what a witness signs: a header with the time, in Unix seconds, and the text of the note.
func Cosigned(time int64, text string) []byte {
	return []byte("cosignature/v1\ntime " + itoa(time) + "\n" + text)
}

// Cosignature reads a line as a cosignature. ok is false for another length, or a time that is not 1 to 2^53-1.
func (l Line) Cosignature() (time int64, signature []byte, ok bool) {
	if len(l.Signature) != cosignatureBytes {
		return 0, nil, false
	}
	seconds := binary.BigEndian.Uint64(l.Signature)
	if seconds < 1 || seconds > tables.MaxSafeInteger {
		return 0, nil, false
	}
	return int64(seconds), l.Signature[8:], true
}
