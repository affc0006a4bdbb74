// Command queueing gives numbered events to a queue on a file spool, and prints at once which are in the spool and
// which receipts it got, until it is killed, or all have receipts (tools/chaos/queue/queueing.ts is the same in
// TypeScript). It is for tests alone.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"svc.example/go"
	"svc.example/go/client"
	"svc.example/go/queue"
)

// A task is what the program is asked to do, as JSON in its argument.
type task struct {
	URL      string `json:"url"`
	APIKey   string `json:"apiKey"`
	StreamID string `json:"streamId"`
	Folder   string `json:"folder"`
	// From and To are numbers of the events, both ends included.
	From int `json:"from"`
	To   int `json:"to"`
}

const (
	// Small, so that a round has many files and batches, two of them under way at a time; a chunk shares a wait for the
	// disk.
	segmentBytes = 4096
	batchEvents  = 4
	chunk        = 5
	chunkPause   = 8 * time.Millisecond
	// Short, so that delayed requests are sent again meanwhile.
	timeout = 150 * time.Millisecond
)

func main() {
	var t task
	must(json.Unmarshal([]byte(os.Args[1]), &t))
	ctx := context.Background()
	c, err := client.New(client.Options{BaseURL: t.URL, APIKey: t.APIKey, Timeout: timeout, MaxAttempts: 2})
	must(err)
	q, err := queue.Open(c.Stream(t.StreamID), queue.Options{
		Spool: &queue.FileSpool{Folder: t.Folder, SegmentBytes: segmentBytes}, MaxBatchEvents: batchEvents,
		OnReceipts: func(receipts []svc.ReceiptRecord) error {
			for _, one := range receipts {
				sayReceipt(one, "batch")
			}
			return nil
		},
		OnStopped: func(stop queue.Stop) { must(fmt.Errorf("the queue stopped: %s: %s", stop.Code, stop.Message)) },
	})
	must(err)
	for first := t.From; first <= t.To; first += chunk {
		var events []client.EventInput
		for number := first; number <= min(first+chunk-1, t.To); number++ {
			events = append(events, client.EventInput{
				SourceRef: fmt.Sprintf("reading-%d", number), EventType: "sensor.read", OccurredAt: "2026-03-01T10:15:30.5+01:00",
				Payload: map[string]any{"sensor": "S-17", "number": number},
			})
		}
		handles, err := q.AppendBatch(ctx, events)
		must(err)
		for i, queued := range handles {
			say(map[string]any{"spooled": first + i})
			go func() {
				if receipt, err := queued.Receipt(ctx); err == nil {
					sayReceipt(*receipt, "event")
				}
			}()
		}
		time.Sleep(chunkPause)
	}
	must(q.Flush(ctx))
	must(q.Close())
	say(map[string]any{"flushed": true})
}

var out sync.Mutex

func sayReceipt(r svc.ReceiptRecord, by string) {
	told := map[string]any{"source_ref": r.SourceRef, "seq_no": r.SeqNo, "event_hash": r.EventHash}
	say(map[string]any{"receipt": told, "by": by})
}

// say writes a line before the next step, so that a kill takes nothing back.
func say(what any) {
	text, err := json.Marshal(what)
	must(err)
	out.Lock()
	defer out.Unlock()
	os.Stdout.Write(append(text, '\n'))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
