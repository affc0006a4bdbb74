// Package digest computes the tagged hashes of protocol sections 1 and 17: SHA-256 of a first line, which says what is
// hashed, and the bytes.
package digest

import (
	"crypto/sha256"
	"hash"
)

// Protocol is the first word of every line unless another one is given (protocol section 1).
const Protocol = "SVC-PROOFSTREAM-001"

// A Hash is the 32 bytes of SHA-256.
type Hash = [sha256.Size]byte

// Line returns the first line for a tag: `SVC-PROOFSTREAM-001/`, the tag and a newline. It panics for a tag that is not
// one or more printable ASCII characters without a space: a newline in it would make two inputs hash alike.
func Line(tag string) []byte { return LineOf(Protocol, tag) }

// LineOf is [Line] with another first word (protocol section 17).
func LineOf(word, tag string) []byte {
	for _, text := range []string{word, tag} {
		if !IsTag(text) {
			panic("digest: no tag: " + text)
		}
	}
	return []byte(word + "/" + tag + "\n")
}

// IsTag says whether a text can be a tag: one or more printable ASCII characters without a space.
func IsTag(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return text != ""
}

// Tagged returns H(tag, b), b being the parts one behind the other.
func Tagged(tag string, parts ...[]byte) Hash { return Sum(Line(tag), parts...) }

// Sum returns SHA-256 of a first line, as [Line] returns it, and the parts behind it.
func Sum(line []byte, parts ...[]byte) Hash {
	h := New(line)
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum()
}

// A Hasher is SHA-256 over bytes that come piece by piece. It is no use to several goroutines at once.
type Hasher struct{ state hash.Hash }

// New returns a Hasher that has taken in a first line, or nothing for nil.
func New(line []byte) *Hasher {
	h := &Hasher{sha256.New()}
	h.state.Write(line)
	return h
}

// Write takes in the next bytes. The error is always nil.
func (h *Hasher) Write(piece []byte) (int, error) { return h.state.Write(piece) }

// Reset begins anew with a first line.
func (h *Hasher) Reset(line []byte) {
	h.state.Reset()
	h.state.Write(line)
}

// Sum returns the hash of all bytes so far.
func (h *Hasher) Sum() (sum Hash) {
	h.state.Sum(sum[:0])
	return sum
}
