// notes opens and makes checkpoints with golang.org/x/mod/sumdb/note, transparency-dev/formats and torchwood. It reads
// one JSON object a line, and writes one for each:
//
//	{"open": NOTE, "log": VKEY, "witnesses": [VKEY...]}    what all of them find in a note, or "error"
//	{"make": ORIGIN, "size": N, "witness": NAME}           a checkpoint of a fresh key, cosigned by a fresh witness
package main

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"

	"filippo.io/torchwood"
	checkpoints "github.com/transparency-dev/formats/log"
	cosignatures "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
)

type request struct {
	Open      string   `json:"open"`
	Log       string   `json:"log"`
	Witnesses []string `json:"witnesses"`

	Make    string `json:"make"`
	Size    uint64 `json:"size"`
	Witness string `json:"witness"`
}

type cosignature struct {
	Name string `json:"name"`
	Time int64  `json:"time"`
}

type opened struct {
	Origin       string        `json:"origin"`
	Size         uint64        `json:"size"`
	Root         []byte        `json:"root"`
	Cosignatures []cosignature `json:"cosignatures"`
}

type made struct {
	Note        string `json:"note"`
	Vkey        string `json:"vkey"`
	WitnessVkey string `json:"witness_vkey"`
	Root        []byte `json:"root"`
	Time        int64  `json:"time"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		answer, err := any(nil), error(nil)
		if asked.Make != "" {
			answer, err = makeNote(asked)
		} else {
			answer, err = openNote(asked)
		}
		if err != nil {
			answer = map[string]string{"error": err.Error()}
		}
		if err := answers.Encode(answer); err != nil {
			log.Fatal(err)
		}
	}
}

// openNote has each library verify the note. They must agree.
func openNote(asked request) (*opened, error) {
	logKey, err := note.NewVerifier(asked.Log)
	if err != nil {
		return nil, fmt.Errorf("key of the log: %w", err)
	}
	theirs, others := []note.Verifier{}, []note.Verifier{logKey}
	for _, vkey := range asked.Witnesses {
		ofFormats, err := cosignatures.NewVerifierForCosignatureV1(vkey)
		if err != nil {
			return nil, fmt.Errorf("key of a witness: %w", err)
		}
		ofTorchwood, err := torchwood.NewCosignatureVerifier(vkey)
		if err != nil {
			return nil, fmt.Errorf("key of a witness: %w", err)
		}
		theirs, others = append(theirs, ofFormats), append(others, ofTorchwood)
	}
	checkpoint, _, read, err := checkpoints.ParseCheckpoint([]byte(asked.Open), logKey.Name(), logKey, theirs...)
	again, errAgain := note.Open([]byte(asked.Open), note.VerifierList(others...))
	if (err == nil) != (errAgain == nil) {
		return nil, fmt.Errorf("formats says %v, and torchwood %v", err, errAgain)
	}
	if err != nil {
		return nil, err
	}
	if len(again.Sigs) != len(read.Sigs) {
		return nil, fmt.Errorf("formats verified %d lines, and torchwood %d", len(read.Sigs), len(again.Sigs))
	}
	found := &opened{checkpoint.Origin, checkpoint.Size, checkpoint.Hash, []cosignature{}}
	for _, line := range read.Sigs {
		if line.Hash == logKey.KeyHash() {
			continue
		}
		at, err := cosignatures.CoSigV1Timestamp(line)
		if err != nil {
			return nil, err
		}
		found.Cosignatures = append(found.Cosignatures, cosignature{line.Name, at.Unix()})
	}
	return found, nil
}

// makeNote signs a checkpoint of a tree that nobody has: its root is that of no leaves that anybody knows.
func makeNote(asked request) (*made, error) {
	logSigner, vkey, _, err := freshKey(asked.Make)
	if err != nil {
		return nil, err
	}
	_, plain, secret, err := freshKey(asked.Witness)
	if err != nil {
		return nil, err
	}
	cosigner, err := cosignatures.NewSignerForCosignatureV1(secret)
	if err != nil {
		return nil, err
	}
	witnessVkey, err := cosignatures.VKeyToCosignatureV1(plain)
	if err != nil {
		return nil, err
	}
	root := sha256.Sum256([]byte(strconv.FormatUint(asked.Size, 10)))
	text := checkpoints.Checkpoint{Origin: asked.Make, Size: asked.Size, Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, logSigner, cosigner)
	if err != nil {
		return nil, err
	}
	cosignatureKey, err := cosignatures.NewVerifierForCosignatureV1(witnessVkey)
	if err != nil {
		return nil, err
	}
	read, err := note.Open(signed, note.VerifierList(cosignatureKey))
	if err != nil {
		return nil, err
	}
	at, err := cosignatures.CoSigV1Timestamp(read.Sigs[0])
	if err != nil {
		return nil, err
	}
	return &made{string(signed), vkey, witnessVkey, root[:], at.Unix()}, nil
}

func freshKey(name string) (note.Signer, string, string, error) {
	secret, vkey, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		return nil, "", "", err
	}
	signer, err := note.NewSigner(secret)
	return signer, vkey, secret, err
}
