package note

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
)

// Types of signatures.
const (
	// Ed25519 is that of a log.
	Ed25519 = 0x01
	// Cosignature is cosignature/v1 of a witness.
	Cosignature = 0x04
	// MLDSA44 is that of a log or witness with a key of ML-DSA-44.
	MLDSA44 = 0x06
)

const (
	ed25519Bytes = 32
	mldsaBytes   = 1312
	// MLDSACosignatureBytes is the length behind the key id of a cosignature by ML-DSA-44.
	MLDSACosignatureBytes = 2428
)

// IDOf returns the key id of a key: the first bytes of SHA-256(name ‖ 0x0A ‖ type ‖ raw key).
func IDOf(name string, kind byte, key []byte) KeyID {
	sum := sha256.Sum256(append(append([]byte(name), '\n', kind), key...))
	return KeyID(sum[:keyIDSize])
}

// A Key is a verification key.
type Key struct {
	Name string
	Type byte
	ID   KeyID
	// Raw is the key without its type.
	Raw []byte
}

// ParseKey reads a verification key: its name, its key id as 8 hexadecimal digits and the base64 of its type and raw
// key, joined by +. `types` are those allowed. The code is malformed, unsupported_object or kid_mismatch; empty for a
// key that is one.
func ParseKey(text string, types ...byte) (key Key, code string) {
	name, rest, ok := strings.Cut(text, "+")
	if !ok || !schema.Matches(tables.FormatKeyName, []byte(name)) {
		return key, "malformed"
	}
	digits, coded, ok := strings.Cut(rest, "+")
	if !ok || len(digits) != 2*keyIDSize || strings.ToLower(digits) != digits {
		return key, "malformed"
	}
	id, err := hex.DecodeString(digits)
	raw, ok := Base64(coded)
	if err != nil || !ok || len(raw) < 2 {
		return key, "malformed"
	}
	key = Key{name, raw[0], KeyID(id), raw[1:]}
	if bytes.IndexByte(types, key.Type) < 0 {
		return key, "unsupported_object"
	}
	want := ed25519Bytes
	if key.Type == MLDSA44 {
		want = mldsaBytes
	}
	if len(key.Raw) != want {
		return key, "malformed"
	}
	if IDOf(name, key.Type, key.Raw) != key.ID {
		return key, "kid_mismatch"
	}
	return key, ""
}

// PublicKey returns the raw key in lowercase hex.
func (k Key) PublicKey() string { return hex.EncodeToString(k.Raw) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
