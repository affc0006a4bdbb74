package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// refused stands for any status of 400 to 499, where the text forbids something and names no status.
const refused = "4xx"

// testCase is one sentence of the text. "says" is what it demands.
type testCase struct {
	name string
	says string
	ask  func(c *client, t *tree) string
	// Whether the witness must not know the log.
	isUnknown bool
}

var (
	other = tlog.Hash{1}
	// manyLines is as many lines of a proof as a client may send.
	manyLines = slices.Repeat([]string{other.String()}, 63)
)

var cases = []testCase{
	{name: "first checkpoint", says: "200", ask: func(c *client, t *tree) string {
		return c.add(0, nil, t.growTo(5).note(5))
	}},
	{name: "larger checkpoint with its proof", says: "200", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, t.growTo(12).proof(5, 12), t.note(12))
	})},
	{name: "same checkpoint again", says: "200", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, nil, t.note(5))
	})},
	{name: "signature by a second key of the log", says: "200", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.growTo(5).text(5, t.root(5)), t.signer(1)))
	}},
	{name: "signatures of unknown keys beside the known one", says: "200", ask: func(c *client, t *tree) string {
		stranger := newTree("stranger")
		return c.add(0, nil, signed(t.growTo(5).text(5, t.root(5)), t.signer(2), stranger.signer(0), t.signer(0)))
	}},
	{name: "extension line", says: "200", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.growTo(5).text(5, t.root(5))+"an extension\n", t.signer(0)))
	}},
	{name: "empty tree", says: "200", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.text(0, sha256.Sum256(nil)), t.signer(0)))
	}},
	{name: "tree of 2^60 leaves", says: "200", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.text(1<<60, other), t.signer(0)))
	}},
	{name: "connection used again", says: "200", ask: func(c *client, t *tree) string {
		if answer := c.add(0, nil, t.growTo(5).note(5)); answer != "200" {
			return answer
		}
		answer, isReused := c.addOn(5, nil, t.note(5))
		if !isReused {
			return "another connection"
		}
		return answer
	}},

	{name: "unknown origin", says: "404", isUnknown: true, ask: func(c *client, t *tree) string {
		return c.add(0, nil, t.growTo(5).note(5))
	}},
	{name: "signature of an unknown key alone", says: "403", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.growTo(5).text(5, t.root(5)), t.signer(2)))
	}},
	{name: "signature that does not hold", says: "403", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.growTo(5).text(5, t.root(5)), forger{t.signer(0)}))
	}},
	{name: "signature that does not hold beside one that does", says: "403", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.growTo(5).text(5, t.root(5)), t.signer(0), forger{t.signer(1)}))
	}},

	{name: "old size above that of the checkpoint", says: "400", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(8, nil, t.note(5))
	})},
	{name: "old size below the recorded one", says: "409 with 5", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(3, t.growTo(8).proof(3, 8), t.note(8))
	})},
	{name: "old size above the recorded one", says: "409 with 5", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(6, t.growTo(8).proof(6, 8), t.note(8))
	})},
	{name: "old size zero, to learn the recorded one", says: "409 with 5", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(0, nil, t.growTo(8).note(8))
	})},
	{name: "checkpoint below the recorded size", says: "409 with 5", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(0, nil, t.note(3))
	})},
	{name: "old size of a log that was never cosigned", says: "409 with 0", ask: func(c *client, t *tree) string {
		return c.add(3, t.growTo(8).proof(3, 8), t.note(8))
	}},

	{name: "proof with a wrong hash", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		proof := t.growTo(12).proof(5, 12)
		proof[0] = other.String()
		return c.add(5, proof, t.note(12))
	})},
	{name: "proof without its last hash", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		proof := t.growTo(12).proof(5, 12)
		return c.add(5, proof[:len(proof)-1], t.note(12))
	})},
	{name: "proof with a hash too many", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, append(t.growTo(12).proof(5, 12), other.String()), t.note(12))
	})},
	{name: "no proof", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, nil, t.growTo(12).note(12))
	})},
	{name: "proof of 63 lines that proves nothing", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, manyLines, t.growTo(12).note(12))
	})},
	{name: "another history", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, t.growTo(12).proof(5, 12), signed(t.text(12, other), t.signer(0)))
	})},
	{name: "proof from the empty tree", says: "422", ask: func(c *client, t *tree) string {
		return c.add(0, []string{other.String()}, t.growTo(5).note(5))
	}},
	{name: "proof between equal sizes", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, []string{other.String()}, t.note(5))
	})},
	{name: "another root of the recorded size", says: "422", ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, nil, signed(t.text(5, other), t.signer(0)))
	})},
	{name: "another root of the empty tree", says: "422", ask: func(c *client, t *tree) string {
		return c.add(0, nil, signed(t.text(0, other), t.signer(0)))
	}},
	{name: "recorded size after a refusal", says: "409 with 5", ask: recorded(5, func(c *client, t *tree) string {
		c.add(5, nil, t.growTo(12).note(12))
		return c.add(12, nil, t.note(12))
	})},
	{name: "8 at once from one old size", says: "one 200, the others 409, and the one is recorded", ask: recorded(5, race)},

	{name: "proof of 64 lines", says: refused, ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, append(manyLines, other.String()), t.growTo(12).note(12))
	})},
	{name: "old size with a leading zero", says: refused, ask: recorded(5, func(c *client, t *tree) string {
		return c.add("05", nil, t.note(5))
	})},
	{name: "old size with a sign", says: refused, ask: recorded(5, func(c *client, t *tree) string {
		return c.add("+5", nil, t.note(5))
	})},
	{name: "old size with two spaces", says: refused, ask: recorded(5, func(c *client, t *tree) string {
		return c.add(" 5", nil, t.note(5))
	})},
	{name: "no old size", says: refused, ask: func(c *client, t *tree) string {
		return c.raw(t.growTo(5).note(5))
	}},
	{name: "no empty line before the checkpoint", says: refused, ask: func(c *client, t *tree) string {
		return c.raw("old 0\n" + t.growTo(5).note(5))
	}},
	{name: "lines that end in CRLF", says: refused, ask: func(c *client, t *tree) string {
		return c.raw("old 0\r\n\r\n" + t.growTo(5).note(5))
	}},
	{name: "proof line of 31 bytes", says: refused, ask: recorded(5, func(c *client, t *tree) string {
		return c.add(5, []string{base64.StdEncoding.EncodeToString(other[1:])}, t.growTo(6).note(6))
	})},
	{name: "checkpoint without signatures", says: refused, ask: func(c *client, t *tree) string {
		return c.add(0, nil, t.growTo(5).text(5, t.root(5))+"\n")
	}},
	{name: "size of the checkpoint with a leading zero", says: refused, ask: func(c *client, t *tree) string {
		text := strings.Replace(t.growTo(5).text(5, t.root(5)), "\n5\n", "\n05\n", 1)
		return c.add(0, nil, signed(text, t.signer(0)))
	}},
	{name: "GET", says: refused, ask: func(c *client, t *tree) string {
		answer, _ := c.send(http.MethodGet, "/add-checkpoint", "", func(string) error { return nil })
		return answer
	}},

	{name: "last checkpoint, for monitors", says: "200", ask: recorded(5, func(c *client, t *tree) string {
		return c.monitor(t)
	})},
	{name: "last checkpoint of a log that was never cosigned", says: "404", ask: func(c *client, t *tree) string {
		return c.monitor(t)
	}},
}

// recorded has the witness cosign a first checkpoint of this size before.
func recorded(size int64, ask func(*client, *tree) string) func(*client, *tree) string {
	return func(c *client, t *tree) string {
		if answer := c.add(0, nil, t.growTo(size).note(size)); answer != "200" {
			return "before: " + answer
		}
		return ask(c, t)
	}
}

// race sends checkpoints of different sizes at once.
func race(c *client, t *tree) string {
	const clients = 8
	t.growTo(5 + clients)
	bodies := make([]func() string, clients)
	for i := range bodies {
		size := int64(6 + i)
		proof, checkpoint := t.proof(5, size), t.note(size)
		bodies[i] = func() string { return c.add(5, proof, checkpoint) }
	}
	answers := make([]string, clients)
	var all sync.WaitGroup
	for i, send := range bodies {
		all.Go(func() { answers[i] = send() })
	}
	all.Wait()
	winner := int64(0)
	for i, answer := range answers {
		switch {
		case answer == "200" && winner == 0:
			winner = int64(6 + i)
		case answer == "200":
			return "two 200"
		case !strings.HasPrefix(answer, "409 with "):
			return "a " + answer
		}
	}
	// The recorded size is no longer 5, whichever request has won.
	if answer := c.add(5, t.proof(5, 13), t.note(13)); answer != fmt.Sprintf("409 with %d", winner) {
		return fmt.Sprintf("%d won, and then %s", winner, answer)
	}
	return "one 200, the others 409, and the one is recorded"
}

// monitor reads the last checkpoint: it must carry the signatures of the log and of the witness.
func (c *client) monitor(t *tree) string {
	path := fmt.Sprintf("/%x/checkpoint", sha256.Sum256([]byte(t.origin)))
	answer, _ := c.send(http.MethodGet, path, "", func(text string) error {
		ofLog, err := note.NewVerifier(t.key(0).vkey)
		if err != nil {
			return err
		}
		for _, verifier := range append(c.verifiers, ofLog) {
			if _, err := note.Open([]byte(text), note.VerifierList(verifier)); err != nil {
				return err
			}
		}
		return nil
	})
	return answer
}
