package queue_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc.example/go"
	"svc.example/go/client"
	"svc.example/go/queue"
	"svc.example/go/svctest"
)

func reading(number int) client.EventInput {
	return client.EventInput{
		SourceRef: fmt.Sprintf("reading-%d", number), EventType: "sensor.read", OccurredAt: "2026-03-01T09:30:00Z",
		Payload: map[string]int{"number": number},
	}
}

// refs returns the references of all events of a stream.
func refs(t *testing.T, stream *client.Stream) (all []string) {
	t.Helper()
	for event, err := range stream.Events(context.Background(), client.EventFilter{PageRequest: client.PageRequest{Limit: 500}}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, event.SourceRef)
	}
	return all
}

func inOrder(count int) (all []string) {
	for number := 1; number <= count; number++ {
		all = append(all, fmt.Sprintf("reading-%d", number))
	}
	return all
}

func fresh(t *testing.T, c *client.Client, service *svctest.Service) *client.Stream {
	t.Helper()
	made, err := c.CreateStream(t.Context(), client.StreamInput{SystemID: service.SystemID, UseCase: "sensors", PolicyID: "default"})
	if err != nil {
		t.Fatal(err)
	}
	return c.Stream(made.StreamID)
}

// until returns when something holds.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come true in time")
		}
	}
}

// A gate lets requests pass, or loses their answers.
type gate struct {
	mu   sync.Mutex
	lose func(call int, r *http.Request) (beforeIt, behindIt bool)
	call int
	keys []string
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	g.call++
	g.keys = append(g.keys, r.Header.Get("Idempotency-Key"))
	var before, behind bool
	if g.lose != nil {
		before, behind = g.lose(g.call, r)
	}
	g.mu.Unlock()
	if before {
		return nil, errors.New("refused")
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if behind && err == nil {
		answer.Body.Close()
		return nil, errors.New("the connection was cut")
	}
	return answer, err
}

func through(t *testing.T, service *svctest.Service, g *gate) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: service.URL, APIKey: service.APIKey, Trust: service.Trust, MaxAttempts: 1, Transport: g})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestQueue(t *testing.T) {
	service := svctest.Start(t)
	ctx := t.Context()
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	t.Run("many events in many batches, whose answers are lost now and then, are recorded once and in order", func(t *testing.T) {
		g := &gate{lose: func(call int, _ *http.Request) (bool, bool) { return call%7 == 3, call%5 == 2 }}
		stream := fresh(t, service.Client(), service)
		var told []string
		q, err := queue.Open(through(t, service, g).Stream(stream.ID()), queue.Options{
			Spool: queue.NewMemorySpool(0), MaxBatchEvents: 10,
			OnReceipts: func(receipts []svc.ReceiptRecord) error {
				for _, one := range receipts {
					told = append(told, one.SourceRef)
				}
				return nil
			},
		})
		must(t, err)
		var handles []*queue.Queued
		for number := 1; number <= 205; number++ {
			queued, err := q.Append(ctx, reading(number))
			must(t, err)
			handles = append(handles, queued)
		}
		must(t, q.Flush(ctx))
		receipt, err := handles[204].Receipt(ctx)
		must(t, err)
		if w := q.Waiting(); receipt.SeqNo != 205 || w.Events != 0 || w.Bytes != 0 || w.LastError != nil {
			t.Fatalf("%+v %+v", receipt, w)
		}
		must(t, q.Close())
		if got := refs(t, stream); !slices.Equal(got, inOrder(205)) || !slices.Equal(told, got) {
			t.Fatal(got, told)
		}
	})

	t.Run("what waits when a queue is closed is sent by the next one under the same key, and keys are taken once", func(t *testing.T) {
		g := &gate{lose: func(int, *http.Request) (bool, bool) { return false, true }}
		stream := fresh(t, service.Client(), service)
		folder := filepath.Join(t.TempDir(), "spool")
		q, err := queue.Open(through(t, service, g).Stream(stream.ID()), queue.Options{Spool: &queue.FileSpool{Folder: folder}})
		must(t, err)
		queued, err := q.Append(ctx, reading(1), queue.WithKey("S-1"))
		must(t, err)
		if _, err := q.Append(ctx, reading(1), queue.WithKey("S-1")); !errors.Is(err, &queue.Error{Code: queue.CodeKeyTaken}) {
			t.Fatal(err)
		}
		if _, err := q.Append(ctx, reading(1), queue.WithKey("no key")); err == nil {
			t.Fatal("a malformed key was taken")
		}
		until(t, func() bool { return q.Waiting().LastError != nil })
		must(t, q.Close())
		if _, err := queued.Receipt(ctx); !errors.Is(err, &queue.Error{Code: queue.CodeQueueClosed}) {
			t.Fatal(err)
		}
		if _, err := q.Append(ctx, reading(2)); !errors.Is(err, &queue.Error{Code: queue.CodeQueueClosed}) {
			t.Fatal(err)
		}
		lost := g.keys
		g.lose, g.keys = nil, nil
		q, err = queue.Open(through(t, service, g).Stream(stream.ID()), queue.Options{Spool: &queue.FileSpool{Folder: folder}})
		must(t, err)
		if _, err := q.Append(ctx, reading(1), queue.WithKey("S-1")); !errors.Is(err, &queue.Error{Code: queue.CodeKeyTaken}) {
			t.Fatal(err)
		}
		_, err = q.Append(ctx, reading(2))
		must(t, err)
		must(t, q.Flush(ctx))
		must(t, q.Close())
		if got := refs(t, stream); !slices.Equal(got, inOrder(2)) || g.keys[0] != lost[0] {
			t.Fatal(got, lost, g.keys)
		}
	})

	t.Run("a refused event stops the queue alone, and what is discarded leaves it", func(t *testing.T) {
		stream := fresh(t, service.Client(), service)
		stopped := make(chan queue.Stop, 1)
		q, err := queue.Open(stream, queue.Options{
			Spool: queue.NewMemorySpool(0), OnStopped: func(stop queue.Stop) { stopped <- stop },
		})
		must(t, err)
		var bad *queue.Queued
		for number := 1; number <= 9; number++ {
			event := reading(number)
			if number == 6 {
				event.OccurredAt = "yesterday"
			}
			queued, err := q.Append(ctx, event)
			must(t, err)
			if number == 6 {
				bad = queued
			}
		}
		if err := q.Flush(ctx); !errors.Is(err, &queue.Error{Code: queue.CodeQueueStopped}) {
			t.Fatal(err)
		}
		stop := <-stopped
		if stop.Code != "invalid_request" || stop.Status != 422 || stop.First != 6 || stop.Last != 6 || stop.MaybeRecorded || !strings.Contains(string(stop.Events[0]), "yesterday") {
			t.Fatalf("%+v", stop)
		}
		q.Resume()
		if stop := <-stopped; stop.First != 6 {
			t.Fatalf("%+v", stop)
		}
		events, err := q.Discard()
		must(t, err)
		if len(events) != 1 {
			t.Fatalf("%s", events)
		}
		if _, err := bad.Receipt(ctx); !errors.Is(err, &queue.Error{Code: queue.CodeEventDiscarded}) {
			t.Fatal(err)
		}
		must(t, q.Flush(ctx))
		if _, err := q.Discard(); err == nil {
			t.Fatal("a queue that goes on has discarded something")
		}
		must(t, q.Close())
		if got := refs(t, stream); len(got) != 8 || slices.Contains(got, "reading-6") {
			t.Fatal(got)
		}
	})

	t.Run("an append waits for room, and its context ends that", func(t *testing.T) {
		g := &gate{lose: func(int, *http.Request) (bool, bool) { return true, false }}
		stream := fresh(t, service.Client(), service)
		q, err := queue.Open(through(t, service, g).Stream(stream.ID()), queue.Options{Spool: queue.NewMemorySpool(200)})
		must(t, err)
		_, err = q.Append(ctx, reading(1))
		must(t, err)
		short, cancel := context.WithCancel(ctx)
		ended := make(chan error)
		go func() {
			_, err := q.Append(short, reading(2))
			ended <- err
		}()
		until(t, func() bool { return q.Waiting().Appends > 0 })
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) || q.Waiting().Appends != 0 {
			t.Fatal(err)
		}
		if err := q.Flush(short); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		must(t, q.Close())
		must(t, q.Close())
	})

	t.Run("a batch that may have been recorded and is too old is not sent", func(t *testing.T) {
		stream := fresh(t, service.Client(), service)
		folder := filepath.Join(t.TempDir(), "spool")
		g := &gate{lose: func(int, *http.Request) (bool, bool) { return true, false }}
		q, err := queue.Open(through(t, service, g).Stream(stream.ID()), queue.Options{Spool: &queue.FileSpool{Folder: folder}})
		must(t, err)
		_, err = q.Append(ctx, reading(1))
		must(t, err)
		until(t, func() bool { return q.Waiting().LastError != nil })
		must(t, q.Close())
		stopped := make(chan queue.Stop, 1)
		q, err = queue.Open(stream, queue.Options{
			Spool: &queue.FileSpool{Folder: folder}, KeyDays: 1e-9, OnStopped: func(stop queue.Stop) { stopped <- stop },
		})
		must(t, err)
		if stop := <-stopped; stop.Code != string(queue.CodeBatchTooOld) || !stop.MaybeRecorded || stop.First != 1 {
			t.Fatalf("%+v", stop)
		}
		q.ResumeAnew()
		must(t, q.Flush(ctx))
		must(t, q.Close())
		if got := refs(t, stream); !slices.Equal(got, inOrder(1)) {
			t.Fatal(got)
		}
	})
}
