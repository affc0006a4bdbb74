// Package interop holds notes, cosignatures and proofs of this SDK against the transparency community's libraries: they
// open ours and check ours, and we open and check theirs. It has tests only.
package interop

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	flog "github.com/transparency-dev/formats/log"
	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/merkle/testonly"
	xnote "golang.org/x/mod/sumdb/note"

	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/kerneltest"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/note"
)

// A shown is what is in a good case about a checkpoint.
type shown struct {
	Origin      string `json:"origin"`
	WindowCount uint64 `json:"window_count"`
	Root        string `json:"checkpoint_root"`
	Note        string `json:"note"`
	publicKey   []byte
	// witnesses are those that the case pins.
	witnesses []pinned
}

type pinned struct {
	name string
	key  []byte
}

// goodCheckpoints returns the checkpoints of the repository's cases that verify.
func goodCheckpoints(t *testing.T) (all []shown) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(kerneltest.Root(t), "fixtures", "cases", "checkpoint", "good*.json"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var one struct {
			Trust struct {
				Signers []struct {
					PublicKey string `json:"public_key_hex"`
				} `json:"signers"`
				Witnesses []struct {
					Name      string `json:"name"`
					PublicKey string `json:"public_key_hex"`
				} `json:"witnesses"`
			} `json:"trust"`
			Input string `json:"input"`
		}
		var checkpoint shown
		if json.Unmarshal(text, &one) != nil || json.Unmarshal([]byte(one.Input), &checkpoint) != nil || len(one.Trust.Signers) == 0 {
			continue
		}
		checkpoint.publicKey, _ = hex.DecodeString(one.Trust.Signers[0].PublicKey)
		for _, witness := range one.Trust.Witnesses {
			key, _ := hex.DecodeString(witness.PublicKey)
			checkpoint.witnesses = append(checkpoint.witnesses, pinned{witness.Name, key})
		}
		all = append(all, checkpoint)
	}
	if len(all) < 5 {
		t.Fatalf("%d good checkpoints", len(all))
	}
	return all
}

// vkeyOf writes a verification key.
func vkeyOf(name string, kind byte, key []byte) string {
	id := note.IDOf(name, kind, key)
	return name + "+" + hex.EncodeToString(id[:]) + "+" + base64.StdEncoding.EncodeToString(append([]byte{kind}, key...))
}

func TestTheyOpenOurNotes(t *testing.T) {
	for _, one := range goodCheckpoints(t) {
		verifier, err := xnote.NewVerifier(vkeyOf(one.Origin, note.Ed25519, one.publicKey))
		if err != nil {
			t.Fatal(err)
		}
		opened, err := xnote.Open([]byte(one.Note), xnote.VerifierList(verifier))
		if err != nil || len(opened.Sigs) != 1 {
			t.Fatalf("%q: %v", one.Note, err)
		}
		checkpoint, _, _, err := flog.ParseCheckpoint([]byte(one.Note), one.Origin, verifier)
		if err != nil || checkpoint.Size != one.WindowCount || hex.EncodeToString(checkpoint.Hash) != one.Root {
			t.Fatalf("%+v: %v", checkpoint, err)
		}
		if _, err := xnote.Open([]byte(strings.Replace(one.Note, "\n", "\n1", 1)), xnote.VerifierList(verifier)); err == nil {
			t.Fatal("a changed note was opened")
		}
	}
}

func TestWeOpenTheirNotes(t *testing.T) {
	secret, vkey, err := xnote.GenerateKey(rand.Reader, "log.example/one")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := xnote.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	root := bytes.Repeat([]byte{7}, 32)
	body := flog.Checkpoint{Origin: "log.example/one", Size: 1<<53 - 1, Hash: root}.Marshal()
	signed, err := xnote.Sign(&xnote.Note{Text: string(body)}, signer)
	if err != nil {
		t.Fatal(err)
	}
	key, code := note.ParseKey(vkey, note.Ed25519)
	ours, ok := note.Parse(string(signed))
	if code != "" || !ok || len(ours.Lines) != 1 || ours.Lines[0].ID != key.ID || ours.Lines[0].Name != key.Name {
		t.Fatalf("%q %q: %+v", vkey, signed, ours)
	}
	if !ed25519x.Verify(key.Raw, []byte(ours.Text), ours.Lines[0].Signature) {
		t.Fatal("their signature does not hold here")
	}
	head, ok := note.ParseHead(ours.Text)
	if !ok || head.Origin != "log.example/one" || head.Size != 1<<53-1 || !bytes.Equal(head.Root, root) {
		t.Fatalf("%+v", head)
	}
	if note.HeadText(head.Origin, head.Size, head.Root) != string(body) {
		t.Fatal("the same head has another text here")
	}
}

func TestWeOpenTheirCosignatures(t *testing.T) {
	secret, vkey, err := xnote.GenerateKey(rand.Reader, "witness.example/w1")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := fnote.NewSignerForCosignatureV1(secret)
	if err != nil {
		t.Fatal(err)
	}
	text := note.HeadText("log.example/one", 5, bytes.Repeat([]byte{9}, 32))
	signed, err := xnote.Sign(&xnote.Note{Text: text}, signer)
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := note.ParseKey(vkey, note.Ed25519)
	witness, code := note.ParseKey(vkeyOf(plain.Name, note.Cosignature, plain.Raw), note.Cosignature)
	ours, ok := note.Parse(string(signed))
	if code != "" || !ok || ours.Lines[0].ID != witness.ID {
		t.Fatalf("%q: %+v", signed, ours)
	}
	time, signature, ok := ours.Lines[0].Cosignature()
	if !ok || !ed25519x.Verify(witness.Raw, note.Cosigned(time, ours.Text), signature) {
		t.Fatal("their cosignature does not hold here")
	}
}

// Witnesses whose cosignatures are in good checkpoints are opened by the library of the same format.
func TestTheyOpenOurCosignatures(t *testing.T) {
	opened := 0
	for _, one := range goodCheckpoints(t) {
		for _, witness := range one.witnesses {
			verifier, err := fnote.NewVerifierForCosignatureV1(vkeyOf(witness.name, note.Ed25519, witness.key))
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := xnote.Open([]byte(one.Note), xnote.VerifierList(verifier))
			if _, isOther := err.(*xnote.UnverifiedNoteError); isOther {
				continue
			}
			if err != nil || len(parsed.Sigs) == 0 {
				t.Fatalf("%q: %v", one.Note, err)
			}
			ours, ok := note.Parse(one.Note)
			if !ok {
				t.Fatalf("%q is no note here", one.Note)
			}
			for _, signed := range parsed.Sigs {
				at, err := fnote.CoSigV1Timestamp(signed)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(ours.Lines, func(line note.Line) bool {
					seconds, _, ok := line.Cosignature()
					return ok && line.Name == witness.name && seconds == at.Unix()
				}) {
					t.Errorf("%q: no line here with the time %v", one.Note, at)
				}
				opened++
			}
			changed := strings.Replace(one.Note, "\n", "\n1", 1)
			if _, err := xnote.Open([]byte(changed), xnote.VerifierList(verifier)); err == nil {
				t.Error("a changed note was opened")
			}
		}
	}
	if opened < 3 {
		t.Errorf("%d cosignatures", opened)
	}
}

func TestProofsBothWays(t *testing.T) {
	const most = 70
	tree := testonly.New(rfc6962.DefaultHasher)
	var leaves []merkle.Hash
	for size := 1; size <= most; size++ {
		data := fmt.Appendf(nil, "leaf %d", size)
		tree.AppendData(data)
		leaves = append(leaves, merkle.LeafHash(data))
		root, _ := merkle.Root(leaves)
		if !bytes.Equal(root[:], tree.Hash()) {
			t.Fatalf("size %d: two roots", size)
		}
		for index := range size {
			ours := merkle.ProveInclusion(leaves, index)
			if err := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(index), uint64(size), leaves[index][:], slicesOf(ours), root[:]); err != nil {
				t.Fatalf("our proof of %d in %d: %v", index, size, err)
			}
			theirs, err := tree.InclusionProof(uint64(index), uint64(size))
			if err != nil || !merkle.VerifyInclusion(leaves[index], uint64(index), uint64(size), hashesOf(theirs), root) {
				t.Fatalf("their proof of %d in %d: %v", index, size, err)
			}
		}
		for from := 1; from < size; from++ {
			old, _ := merkle.Root(leaves[:from])
			ours := merkle.ProveConsistency(leaves, from)
			if err := proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(from), uint64(size), slicesOf(ours), old[:], root[:]); err != nil {
				t.Fatalf("our proof from %d to %d: %v", from, size, err)
			}
			theirs, err := tree.ConsistencyProof(uint64(from), uint64(size))
			if err != nil || !merkle.VerifyConsistency(uint64(from), old, uint64(size), root, hashesOf(theirs)) {
				t.Fatalf("their proof from %d to %d: %v", from, size, err)
			}
		}
	}
}

func slicesOf(hashes []merkle.Hash) [][]byte {
	list := make([][]byte, 0, len(hashes))
	for _, one := range hashes {
		list = append(list, one[:])
	}
	return list
}

func hashesOf(list [][]byte) []merkle.Hash {
	hashes := make([]merkle.Hash, 0, len(list))
	for _, one := range list {
		hashes = append(hashes, merkle.Hash(one))
	}
	return hashes
}
