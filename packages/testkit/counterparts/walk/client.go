package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"filippo.io/torchwood"
	cosignatures "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
)

const (
	timeout      = 10 * time.Second
	maxAnswer    = 1 << 16
	sizeType     = "text/x.tlog.size"
	clocksDiffer = time.Minute
)

// client asks one witness.
type client struct {
	url       string
	verifiers []note.Verifier
	http      *http.Client
}

func newClient(url, vkey string) (*client, error) {
	ofFormats, err := cosignatures.NewVerifierForCosignatureV1(vkey)
	if err != nil {
		return nil, err
	}
	ofTorchwood, err := torchwood.NewCosignatureVerifier(vkey)
	if err != nil {
		return nil, err
	}
	return &client{url, []note.Verifier{ofFormats, ofTorchwood}, &http.Client{Timeout: timeout}}, nil
}

// body returns the body of a request.
func body(old any, proof []string, checkpoint string) string {
	lines := append([]string{fmt.Sprintf("old %v", old)}, proof...)
	return strings.Join(lines, "\n") + "\n\n" + checkpoint
}

// add sends a checkpoint, and returns the answer in a few words.
func (c *client) add(old any, proof []string, checkpoint string) string {
	answer, _ := c.addOn(old, proof, checkpoint)
	return answer
}

// addOn also returns whether a connection was used again.
func (c *client) addOn(old any, proof []string, checkpoint string) (string, bool) {
	return c.send(http.MethodPost, "/add-checkpoint", body(old, proof, checkpoint), func(text string) error {
		return c.verify(checkpoint, text)
	})
}

// raw sends any body to add-checkpoint.
func (c *client) raw(text string) string {
	answer, _ := c.send(http.MethodPost, "/add-checkpoint", text, func(string) error {
		return errors.New("to no checkpoint")
	})
	return answer
}

func (c *client) send(method, path, text string, verify func(string) error) (string, bool) {
	request, err := http.NewRequest(method, c.url+path, strings.NewReader(text))
	if err != nil {
		return err.Error(), false
	}
	isReused := false
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { isReused = info.Reused }}
	response, err := c.http.Do(request.WithContext(httptrace.WithClientTrace(request.Context(), trace)))
	if err != nil {
		return "no answer", isReused
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "half an answer", isReused
	}
	switch response.StatusCode {
	case http.StatusOK:
		if err := verify(string(read)); err != nil {
			return fmt.Sprintf("200: %v", err), isReused
		}
		return "200", isReused
	case http.StatusConflict:
		if mediaType := response.Header.Get("Content-Type"); mediaType != sizeType {
			return "409 as " + mediaType, isReused
		}
		return "409 with " + strings.ReplaceAll(string(read), "\n", ""), isReused
	default:
		return fmt.Sprint(response.StatusCode), isReused
	}
}

// verify checks that an answer is cosignature lines of the witness on the checkpoint, each with its time.
func (c *client) verify(checkpoint, answer string) error {
	if !strings.HasPrefix(answer, "— ") || !strings.HasSuffix(answer, "\n") {
		return errors.New("no signature lines")
	}
	for _, verifier := range c.verifiers {
		opened, err := note.Open([]byte(checkpoint+answer), note.VerifierList(verifier))
		if err != nil {
			return err
		}
		at, err := cosignatures.CoSigV1Timestamp(opened.Sigs[0])
		if err != nil {
			return err
		}
		if away := time.Since(at).Abs(); away > clocksDiffer {
			return fmt.Errorf("a time %v away", away)
		}
	}
	return nil
}
