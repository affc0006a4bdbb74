package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/ordered"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/note"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/render"
)

const (
	// maxKeyFile is more bytes than the PEM of one key has.
	maxKeyFile = 16 << 10
	// forOthers are the permissions of the group and of others.
	forOthers = 0o077
	giveKey   = `Give the file that "svc keys generate" wrote.`
)

// spkiPrefix is before the 32 raw bytes in the SPKI form of an Ed25519 key (RFC 8410).
var spkiPrefix = []byte{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00}

func (s *system) keys() *cmdline.Command {
	return &cmdline.Command{
		Name: "keys", About: "keys: show the forms of one",
		Commands: append([]*cmdline.Command{s.keysShow()}, others("generate", "endorse", "revocation-verify")...),
	}
}

func (s *system) keysShow() *cmdline.Command {
	return &cmdline.Command{
		Name: "show", About: "Show a key's public forms: hex, PEM, C2SP keys, identifier, fingerprint.",
		Options: []cmdline.Option{
			required(last("key", "<path>", "a key in PEM, private or public; - for standard input")),
			last("name", "<name>", "the name that the key signs notes under, for its C2SP keys"),
			{Name: "json", About: "print one JSON object"},
		},
		After: []string{"\nExample:\n  svc keys show --key acme-2026.pem --name acme.example/log"},
		Run: func(call *cmdline.Call) error {
			key, err := s.readPublicKey(call.Value("key"))
			if err != nil {
				return err
			}
			forms := formsOf(key)
			if call.Has("name") {
				if err := forms.nameNotes(call.Value("name")); err != nil {
					return err
				}
			}
			if call.Has("json") {
				return s.jsonLine(forms.object())
			}
			s.out.lines(forms.lines()...)
			return nil
		},
	}
}

// keyForms are all forms in which people exchange one public key. None of them says whose key it is.
type keyForms struct {
	publicKey, kid, fingerprint string
	// vkey is for notes that the key signs as their origin, witnessVkey for cosignatures; both only with a name.
	vkey, witnessVkey string
}

// formsOf returns the forms of a raw key of 64 hexadecimal digits.
func formsOf(key string) *keyForms {
	return &keyForms{publicKey: key, kid: kidOfKey(key), fingerprint: fingerprintOf(key)}
}

func (k *keyForms) raw() []byte { return rawKey(k.publicKey) }

// nameNotes adds the C2SP keys of a name.
func (k *keyForms) nameNotes(name string) error {
	if !schema.Matches(tables.FormatKeyName, []byte(name)) {
		return refuse(exitUsage, "--name: this is no name of a key as signed notes have it.",
			"Give one without spaces and without +, usually a URL without its scheme, as in evidence.example/log.")
	}
	k.vkey, k.witnessVkey = verificationKey(name, note.Ed25519, k.raw()), verificationKey(name, note.Cosignature, k.raw())
	return nil
}

func verificationKey(name string, kind byte, raw []byte) string {
	id := note.IDOf(name, kind, raw)
	return name + "+" + hex.EncodeToString(id[:]) + "+" + base64.StdEncoding.EncodeToString(append([]byte{kind}, raw...))
}

// pem returns the key as SPKI.
func (k *keyForms) pem() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: append(bytes.Clone(spkiPrefix), k.raw()...)}))
}

func (k *keyForms) object() *ordered.Object {
	object := ordered.New(
		ordered.Member{Name: "kid", Value: k.kid},
		ordered.Member{Name: "fingerprint", Value: k.fingerprint},
		ordered.Member{Name: "public_key_hex", Value: k.publicKey},
		ordered.Member{Name: "public_key_pem", Value: k.pem()},
	)
	if k.vkey != "" {
		object = object.With("vkey", k.vkey).With("witness_vkey", k.witnessVkey)
	}
	return object
}

// lines returns the forms for a person. Each verification key stays on one line of any length, so that it can be
// copied.
func (k *keyForms) lines() []string {
	labelled := func(label, text string) string { return fmt.Sprintf("%-13s%s", label, text) }
	lines := []string{
		labelled("kid", k.kid),
		labelled("fingerprint", inFours(k.fingerprint[:32])),
		labelled("", inFours(k.fingerprint[32:])),
		labelled("public key", k.publicKey),
	}
	if k.vkey != "" {
		lines = append(lines, labelled("vkey", render.Escape(k.vkey)), labelled("as witness", render.Escape(k.witnessVkey)))
	}
	return append(append(lines, ""), strings.Split(strings.TrimSpace(k.pem()), "\n")...)
}

// kidOfKey returns the identifier of a raw key of 64 hexadecimal digits.
func kidOfKey(key string) string { return examine.KIDOf(rawKey(key)) }

// fingerprintOf returns SHA-256 of a raw key in hex; the kid is its beginning.
func fingerprintOf(key string) string {
	sum := sha256.Sum256(rawKey(key))
	return hex.EncodeToString(sum[:])
}

// rawKey returns the bytes of a key that is known to be in hex.
func rawKey(key string) []byte {
	raw, err := hex.DecodeString(key)
	if err != nil {
		panic("a key that is not in hex")
	}
	return raw
}

// inFours returns digits in groups of four, so that a person can read them out and follow them.
func inFours(digits string) string {
	var out strings.Builder
	for i, one := range digits {
		if i > 0 && i%4 == 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(one)
	}
	return out.String()
}

// readPublicKey returns the raw public key of a file that holds a key in PEM, private or public. It refuses a private
// one that others may read. No message quotes the file.
func (s *system) readPublicKey(path string) (string, error) {
	text, err := s.readInput(path, maxKeyFile)
	if err != nil {
		return "", err
	}
	isPrivate := bytes.Contains(text, []byte("PRIVATE KEY"))
	if isPrivate {
		if err := requirePrivate(path); err != nil {
			return "", err
		}
	}
	block, _ := pem.Decode(text)
	var raw []byte
	switch {
	case block == nil:
	case isPrivate && block.Type == "PRIVATE KEY":
		raw = publicOf(block.Bytes)
	case !isPrivate && block.Type == "PUBLIC KEY" && bytes.HasPrefix(block.Bytes, spkiPrefix):
		raw = block.Bytes[len(spkiPrefix):]
	}
	if len(raw) != ed25519.PublicKeySize {
		return "", refuse(exitUsage, fmt.Sprintf(`"%s" holds no Ed25519 key in PEM form (PKCS#8 or SPKI).`, path), giveKey)
	}
	return hex.EncodeToString(raw), nil
}

// requirePrivate refuses a private key that others than its owner may read. Windows has no such permissions, and a pipe
// belongs to its maker.
func requirePrivate(path string) error {
	if path == "-" || runtime.GOOS == "windows" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return cannotRead(path, err)
	}
	mode := info.Mode() & fs.ModePerm
	if mode&forOthers == 0 {
		return nil
	}
	return refuse(exitInput,
		fmt.Sprintf(`"%s" holds a private key, and others than its owner have leave to it (mode %o).`, path, mode),
		"Somebody may have it already. If you are sure that nobody has: chmod 600 "+render.ShellWord(path))
}

// ed25519OID is id-Ed25519 of RFC 8410.
var ed25519OID = asn1.ObjectIdentifier{1, 3, 101, 112}

// publicOf returns the public key of a private one in PKCS#8 (RFC 5958); nil if it is not one of Ed25519.
func publicOf(der []byte) []byte {
	var key struct {
		Version   int
		Algorithm struct{ OID asn1.ObjectIdentifier }
		Private   []byte
		// Attributes and a public key may follow; the private key alone counts.
		Attributes asn1.RawValue `asn1:"optional,tag:0"`
		Public     asn1.RawValue `asn1:"optional,tag:1"`
	}
	var seed []byte
	rest, err := asn1.Unmarshal(der, &key)
	if err != nil || len(rest) > 0 || !key.Algorithm.OID.Equal(ed25519OID) {
		return nil
	}
	rest, err = asn1.Unmarshal(key.Private, &seed)
	if err != nil || len(rest) > 0 || len(seed) != ed25519.SeedSize {
		return nil
	}
	return ed25519.NewKeyFromSeed(seed)[ed25519.SeedSize:]
}

// jsonLine prints an object on one line in which nothing can act on a terminal.
func (s *system) jsonLine(object *ordered.Object) error {
	line, err := ordered.Line(object)
	if err != nil {
		return err
	}
	s.out.lines(render.EscapeJSON(string(line)))
	return nil
}
