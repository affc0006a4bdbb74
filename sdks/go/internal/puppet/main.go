// Command puppet does with a client what a test in another language says: a request a line on standard input, an answer
// a line on standard output, in any order. It is for tests alone.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"sync"
	"time"

	"svc.example/go"
	"svc.example/go/client"
)

// A request names an operation and its arguments; those that it does not take are missing.
type request struct {
	ID        int                 `json:"id"`
	Op        string              `json:"op"`
	Client    int                 `json:"client"`
	BaseURL   string              `json:"baseUrl"`
	APIKey    string              `json:"apiKey"`
	PublicKey string              `json:"publicKeyHex"`
	Gaps      string              `json:"gaps"`
	TimeoutMS int                 `json:"timeoutMs"`
	Stream    client.StreamInput  `json:"input"`
	StreamID  string              `json:"streamId"`
	EventID   string              `json:"eventId"`
	Key       string              `json:"key"`
	Events    []client.EventInput `json:"events"`
	Logged    []client.LogInput   `json:"logged"`
	Head      *svc.ReceiptRecord  `json:"head"`
	Filter    filter              `json:"filter"`
}

type filter struct {
	Limit     int    `json:"limit"`
	Cursor    string `json:"cursor"`
	EventType string `json:"event_type"`
	SourceRef string `json:"source_ref"`
	FromSeqNo int64  `json:"from_seq_no"`
	// One asks for one page alone.
	One bool `json:"one"`
}

// A failure is an error, as the test looks at it.
type failure struct {
	Code      string          `json:"code"`
	Message   string          `json:"message"`
	Retryable bool            `json:"retryable"`
	IsLie     bool            `json:"isLie"`
	Key       string          `json:"key"`
	HasAnswer bool            `json:"hasAnswer"`
	Fork      json.RawMessage `json:"fork,omitempty"`
}

type puppet struct {
	mu      sync.Mutex
	clients []*client.Client
}

func main() {
	p := &puppet{}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	var out sync.Mutex
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		// Opening is answered before the next line is read.
		answer := func() {
			value, err := p.do(r)
			text, _ := json.Marshal(map[string]any{"id": r.ID, "value": value, "error": failureOf(err)})
			out.Lock()
			defer out.Unlock()
			os.Stdout.Write(append(text, '\n'))
		}
		if r.Op == "open" {
			answer()
		} else {
			go answer()
		}
	}
}

func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	var base *client.Error
	if !errors.As(err, &base) {
		return &failure{Code: "", Message: err.Error()}
	}
	f := &failure{Code: string(base.Code), Message: err.Error(), Retryable: base.Retryable, Key: base.IdempotencyKey}
	var lie *client.VerificationError
	if errors.As(err, &lie) {
		f.IsLie, f.HasAnswer, f.Fork = true, len(lie.Answer) > 0, lie.Fork
	}
	return f
}

func (p *puppet) do(r request) (any, error) {
	ctx := context.Background()
	if r.Op == "open" {
		return p.open(r)
	}
	p.mu.Lock()
	c := p.clients[r.Client]
	p.mu.Unlock()
	s := c.Stream(r.StreamID)
	var options []client.WriteOption
	if r.Key != "" {
		options = append(options, client.WithIdempotencyKey(r.Key))
	}
	switch r.Op {
	case "createStream":
		return c.CreateStream(ctx, r.Stream, options...)
	case "append":
		return s.Append(ctx, r.Events[0], options...)
	case "appendBatch":
		return s.AppendBatch(ctx, r.Events, options...)
	case "continueFrom":
		return nil, s.ContinueFrom(*r.Head)
	case "head":
		return s.Head(ctx)
	case "receipt":
		return c.Receipt(ctx, r.EventID)
	case "logAppend":
		return c.Log().Append(ctx, r.Logged[0], options...)
	case "logAppendBatch":
		return c.Log().AppendBatch(ctx, r.Logged, options...)
	case "events":
		chosen := client.EventFilter{
			PageRequest: client.PageRequest{Limit: r.Filter.Limit, Cursor: r.Filter.Cursor},
			EventType:   r.Filter.EventType, SourceRef: r.Filter.SourceRef, FromSeqNo: r.Filter.FromSeqNo,
		}
		if r.Filter.One {
			return s.EventsPage(ctx, chosen)
		}
		return collect(s.Events(ctx, chosen))
	}
	return nil, fmt.Errorf("no operation %q", r.Op)
}

func (p *puppet) open(r request) (any, error) {
	options := client.Options{BaseURL: r.BaseURL, APIKey: r.APIKey, Timeout: time.Duration(r.TimeoutMS) * time.Millisecond}
	if r.Gaps == "accept" {
		options.Gaps = client.AcceptGaps
	}
	if r.PublicKey != "" {
		trust, err := svc.PinKeys(r.PublicKey)
		if err != nil {
			return nil, err
		}
		options.Trust = trust
	}
	c, err := client.New(options)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clients = append(p.clients, c)
	return map[string]any{"client": len(p.clients) - 1, "verdict": c.ReceiptVerdict()}, nil
}

func collect[T any](items iter.Seq2[T, error]) ([]T, error) {
	list := []T{}
	for one, err := range items {
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}
