package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"svc.example/go"
	"svc.example/go/client"
	"svc.example/go/queue"
)

// A task is what bench/sdk/queue-program.ts is asked for.
type task struct {
	URL          string  `json:"url"`
	APIKey       string  `json:"apiKey"`
	PublicKeyHex string  `json:"publicKeyHex"`
	StreamID     string  `json:"streamId"`
	Folder       string  `json:"folder"`
	Together     int     `json:"together"`
	Seconds      float64 `json:"seconds"`
	MaxBytes     int64   `json:"maxBytes"`
}

// queueing gives events to a queue for so many seconds, and waits until all have receipts.
func queueing(text string) error {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return err
	}
	trust, err := svc.PinKeys(t.PublicKeyHex)
	if err != nil {
		return err
	}
	c, err := client.New(client.Options{BaseURL: t.URL, APIKey: t.APIKey, Trust: trust})
	if err != nil {
		return err
	}
	receipts := 0
	q, err := queue.Open(c.Stream(t.StreamID), queue.Options{
		Spool:      &queue.FileSpool{Folder: t.Folder, Limit: t.MaxBytes},
		OnReceipts: func(batch []svc.ReceiptRecord) error { receipts += len(batch); return nil },
	})
	if err != nil {
		return err
	}
	ctx, start, events := context.Background(), time.Now(), 0
	for time.Since(start).Seconds() < t.Seconds {
		together := make([]client.EventInput, t.Together)
		for i := range together {
			events++
			together[i] = eventOf(events)
		}
		if _, err := q.AppendBatch(ctx, together); err != nil {
			return err
		}
	}
	if err := q.Flush(ctx); err != nil {
		return err
	}
	took := time.Since(start)
	if err := q.Close(); err != nil {
		return err
	}
	return say(map[string]any{
		"events": events, "receipts": receipts, "seconds": took.Seconds(), "processorSeconds": processorTime().Seconds(),
	})
}

// eventOf returns the event of bench/server/event.ts: its payload has 450 bytes.
func eventOf(number int) client.EventInput {
	payload := map[string]any{"applicant": fmt.Sprintf("A-%d", number), "amount": 1000.25 + float64(number), "note": ""}
	text, _ := json.Marshal(payload)
	payload["note"] = strings.Repeat("x", 450-len(text))
	return client.EventInput{
		SourceRef: fmt.Sprintf("loan-%d", number), EventType: "loan.decided", OccurredAt: "2026-03-01T10:15:30.5+01:00", Payload: payload,
	}
}
