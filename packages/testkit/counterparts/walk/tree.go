package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// tree is a log in memory. Its keys come from its origin, so that they are known before the walk.
type tree struct {
	origin string
	hashes []tlog.Hash
	size   int64
}

func newTree(name string) *tree {
	return &tree{origin: "walk.example/" + strings.ReplaceAll(name, " ", "-")}
}

func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, 0, len(indexes))
	for _, index := range indexes {
		read = append(read, t.hashes[index])
	}
	return read, nil
}

// growTo appends leaves until the tree has this size.
func (t *tree) growTo(size int64) *tree {
	for ; t.size < size; t.size++ {
		hashes, err := tlog.StoredHashes(t.size, fmt.Appendf(nil, "leaf %d", t.size), t)
		if err != nil {
			log.Fatal(err)
		}
		t.hashes = append(t.hashes, hashes...)
	}
	return t
}

func (t *tree) root(size int64) tlog.Hash {
	root, err := tlog.TreeHash(size, t)
	if err != nil {
		log.Fatal(err)
	}
	return root
}

// proof returns the lines of a consistency proof.
func (t *tree) proof(from, to int64) []string {
	lines := []string{}
	if from == 0 || from == to {
		return lines
	}
	hashes, err := tlog.ProveTree(to, from, t)
	if err != nil {
		log.Fatal(err)
	}
	for _, hash := range hashes {
		lines = append(lines, hash.String())
	}
	return lines
}

// The signature algorithm Ed25519 of c2sp.org/signed-note.
const ed25519Line = 1

// key is an Ed25519 key of a log, as golang.org/x/mod/sumdb/note writes it.
type key struct{ secret, vkey string }

// key returns the log's key of a number.
func (t *tree) key(number int) key {
	seed := sha256.Sum256(fmt.Appendf(nil, "%s %d", t.origin, number))
	public := ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey)
	vkey, err := note.NewEd25519VerifierKey(t.origin, public)
	if err != nil {
		log.Fatal(err)
	}
	// The private form names the same key by the same four bytes.
	hash := strings.Split(vkey, "+")[1]
	typed := base64.StdEncoding.EncodeToString(append([]byte{ed25519Line}, seed[:]...))
	return key{fmt.Sprintf("PRIVATE+KEY+%s+%s+%s", t.origin, hash, typed), vkey}
}

// vkeys returns the two keys by which a witness knows the log.
func (t *tree) vkeys() []string {
	return []string{t.key(0).vkey, t.key(1).vkey}
}

// signer signs with the log's key of a number. A witness knows 0 and 1.
func (t *tree) signer(number int) note.Signer {
	signer, err := note.NewSigner(t.key(number).secret)
	if err != nil {
		log.Fatal(err)
	}
	return signer
}

// forger has the name and the key hash of a key, and makes signatures that do not hold.
type forger struct{ note.Signer }

func (f forger) Sign(message []byte) ([]byte, error) {
	signature, err := f.Signer.Sign(message)
	if err == nil {
		signature[0] ^= 1
	}
	return signature, err
}

// text returns a checkpoint without signatures.
func (t *tree) text(size int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", t.origin, size, root)
}

// note returns the checkpoint of a size under the log's first key.
func (t *tree) note(size int64) string {
	return signed(t.text(size, t.root(size)), t.signer(0))
}

func signed(text string, signers ...note.Signer) string {
	whole, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		log.Fatal(err)
	}
	return string(whole)
}
