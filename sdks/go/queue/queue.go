package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"svc.example/go"
	"svc.example/go/client"
)

const (
	// defaultKeyDays is how many days a service keeps Idempotency-Keys, unless it says otherwise.
	defaultKeyDays = 30
	// maxBatchEvents is the most events in one request of the service.
	maxBatchEvents = 1000
	// maxGroupBytes are put into the spool together, so that one wait for the disk serves many events; always one event at
	// least.
	maxGroupBytes = 1 << 20
)

// Options are those of a queue.
type Options struct {
	// Spool is where events wait. A queue closes its spool.
	Spool Spool
	// OnReceipts gets the receipts of each batch, in order, also for events of earlier processes. The events leave the
	// spool when it has returned; a process that ends earlier gets the same receipts again in its next run. The queue
	// stops if it fails. It must not wait for [Queue.Flush] or [Queue.Close]: both wait for it.
	OnReceipts func(receipts []svc.ReceiptRecord) error
	// OnStopped is called when the queue stops, in a separate goroutine: the queue continues after Resume or Discard.
	OnStopped func(stop Stop)
	// KeyDays is how many days the service keeps Idempotency-Keys; 0 for 30.
	KeyDays float64
	// MaxBatchEvents is the most events in a batch, 1 to 1000; 0 for 1000.
	MaxBatchEvents int
	// Now is the clock; nil for the machine's.
	Now func() time.Time
}

// A Stop says why a queue stopped, and at which events.
type Stop struct {
	// Code is the service's, or that of an [*Error].
	Code string
	// Status is the HTTP status; 0 if the reason is no answer of the service.
	Status  int
	Message string
	// First and Last are positions of the events at which it stopped: one event, if the service refused its content.
	First, Last int64
	// Events are these as JSON.
	Events []json.RawMessage
	// MaybeRecorded says that an earlier attempt may have recorded them all the same.
	MaybeRecorded bool
	Cause         error
}

// A LastError says why the last attempt failed.
type LastError struct {
	Code, Message string
	At            time.Time
}

// Waiting is the state of a queue.
type Waiting struct {
	// Events in the spool, and their bytes as JSON.
	Events, Bytes int64
	// Appends that wait for room in the spool.
	Appends int
	// OldestAt is when the longest waiting event was put into the spool; the zero time if none waits, or that is not known
	// yet.
	OldestAt time.Time
	// Sending counts the events in the batch whose receipts come next; 0 if no batch has been sent.
	Sending int
	// LastError says why the last attempt failed; nil after a success.
	LastError *LastError
	// NextAttemptAt is when the batch is sent again; the zero time if no pause is running.
	NextAttemptAt time.Time
	// Stopped is set while the queue is stopped and the program has to decide.
	Stopped *Stop
	// CutBytes counts the bytes of an incomplete write that were cut off the spool when it was opened.
	CutBytes int64
}

// A Queue records events later, in order; [Open] opens one. It is safe for concurrent use.
type Queue struct {
	options  Options
	spool    Spool
	cutBytes int64
	// spoolMu makes one call to the spool after the other, but for reading.
	spoolMu sync.Mutex
	cancel  context.CancelFunc
	ctx     context.Context
	workers sync.WaitGroup
	ending  sync.Once
	endErr  error

	mu sync.Mutex
	// changed is closed, and replaced, whenever something changes that somebody may wait for.
	changed            chan struct{}
	incoming, entering []*incoming
	keys               *suppliedKeys
	due                receiptsDue
	last, bytes        int64
	oldestAt           int64
	isClosed           bool
	out                outbox
}

// An incoming is an append that waits for room in the spool.
type incoming struct {
	event SpooledEvent
	// done is closed when the event is in the spool, or err says why not.
	done   chan struct{}
	queued *Queued
	err    error
}

// Open opens the spool for a stream, and begins to send its events. The errors are those of [Spool], and one for
// options that could never be used. A stream has one queue at a time. Use the same system's key from one process to the
// next, also when the key is rotated: the service keeps Idempotency-Keys by system.
func Open(stream *client.Stream, options Options) (*Queue, error) {
	if options.MaxBatchEvents == 0 {
		options.MaxBatchEvents = maxBatchEvents
	}
	if options.MaxBatchEvents < 1 || options.MaxBatchEvents > maxBatchEvents {
		return nil, fmt.Errorf("queue: MaxBatchEvents is 1 to %d, not %d", maxBatchEvents, options.MaxBatchEvents)
	}
	if options.Spool == nil || stream == nil || stream.ID() == "" {
		return nil, errors.New("queue: Open needs a stream with an id, and a spool")
	}
	if options.KeyDays == 0 {
		options.KeyDays = defaultKeyDays
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	state, err := options.Spool.Open(stream.ID())
	if err != nil {
		return nil, err
	}
	q := &Queue{
		options: options, spool: options.Spool, cutBytes: state.CutBytes, changed: make(chan struct{}),
		keys: newGivenKeys(state.Keys), last: state.Last, bytes: state.Bytes,
	}
	q.ctx, q.cancel = context.WithCancel(context.Background())
	q.out = outbox{Queue: q, stream: stream, done: state.Done, doneSeqNo: state.DoneSeqNo, kept: state.Batches, most: options.MaxBatchEvents}
	q.workers.Add(2)
	go q.fill()
	go q.out.run()
	return q, nil
}

// An AppendOption changes one append.
type AppendOption func(*SpooledEvent)

// WithKey gives an event your program's name for it, 1 to 255 visible ASCII characters, such as the id of a reading: a
// second event with the same key is refused (key_taken), also by the next process. The spool remembers the newest
// [KeptKeys].
func WithKey(key string) AppendOption {
	return func(event *SpooledEvent) {
		if event.Key = key; key == "" {
			// No key at all is another thing than an empty one.
			event.Key = " "
		}
	}
}

// Append puts one event into the spool, and returns when it is there: as safe as the spool makes it. It waits while the
// spool is full; ctx ends that wait. The error is an [*Error], key_taken, spool_failed or queue_closed, or a
// [*client.Error], payload_not_json. Appends of several goroutines share one wait for the disk; so do those of
// [Queue.AppendBatch].
func (q *Queue) Append(ctx context.Context, event client.EventInput, options ...AppendOption) (*Queued, error) {
	one, err := q.incomingOf(event, options)
	if err != nil {
		return nil, err
	}
	if err := q.enter(ctx, one); err != nil {
		return nil, err
	}
	return q.await(ctx, one)
}

// AppendBatch puts events into the spool in order, as [Queue.Append] does, with few waits for the disk. With an error
// the handles of events that are in the spool all the same are in their places, and nil in those of the others.
func (q *Queue) AppendBatch(ctx context.Context, events []client.EventInput) ([]*Queued, error) {
	given := make([]*incoming, 0, len(events))
	for _, event := range events {
		one, err := q.incomingOf(event, nil)
		if err != nil {
			return nil, err
		}
		given = append(given, one)
	}
	if err := q.enter(ctx, given...); err != nil {
		return nil, err
	}
	handles := make([]*Queued, len(given))
	var failures error
	for i, one := range given {
		queued, err := q.await(ctx, one)
		handles[i] = queued
		if err != nil && failures == nil {
			failures = err
		}
	}
	return handles, failures
}

func (q *Queue) incomingOf(event client.EventInput, options []AppendOption) (*incoming, error) {
	text, err := client.EncodeEvent(event)
	if err != nil {
		return nil, err
	}
	one := &incoming{event: SpooledEvent{Text: text, At: q.options.Now().UnixMilli()}, done: make(chan struct{})}
	for _, option := range options {
		option(&one.event)
	}
	if one.event.Key != "" && !isKey(one.event.Key) {
		return nil, errBadKey
	}
	return one, nil
}

// await returns when an event is in the spool, or ctx ends its wait for room.
func (q *Queue) await(ctx context.Context, one *incoming) (*Queued, error) {
	select {
	case <-one.done:
	case <-ctx.Done():
		if q.withdraw(one) {
			return nil, context.Cause(ctx)
		}
		// It is on its way to the disk.
		<-one.done
	}
	return one.queued, one.err
}

// enter lets events wait for the spool. Events keep their order, except behind one of the same key that is being put
// into the spool and may fail.
func (q *Queue) enter(ctx context.Context, events ...*incoming) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.isClosed {
			return errClosed
		}
		var coming chan struct{}
		for _, one := range events {
			if coming = q.keys.coming[one.event.Key]; coming != nil {
				break
			}
		}
		if coming == nil {
			break
		}
		q.mu.Unlock()
		select {
		case <-coming:
		case <-ctx.Done():
		}
		q.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	for _, one := range events {
		if one.event.Key == "" {
			continue
		}
		if err := q.keys.take(one.event.Key); err != nil {
			return err
		}
	}
	q.incoming = append(q.incoming, events...)
	q.tell()
	return nil
}

// withdraw takes an append back that still waits for room.
func (q *Queue) withdraw(one *incoming) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.Index(q.incoming, one)
	if at < 0 {
		return false
	}
	q.incoming = slices.Delete(q.incoming, at, at+1)
	q.keys.end(one.event.Key)
	q.tell()
	return true
}

// tell wakes all that wait for a change. q.mu is held.
func (q *Queue) tell() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// fill puts events into the spool: those that came during one wait for the disk share the next.
func (q *Queue) fill() {
	defer q.workers.Done()
	for {
		q.mu.Lock()
		for q.roomFor() == 0 && !q.isClosed {
			changed := q.changed
			q.mu.Unlock()
			<-changed
			q.mu.Lock()
		}
		if q.isClosed {
			q.mu.Unlock()
			return
		}
		count := q.roomFor()
		group := slices.Clone(q.incoming[:count])
		q.incoming, q.entering = slices.Delete(q.incoming, 0, count), group
		q.mu.Unlock()
		events := make([]SpooledEvent, 0, len(group))
		for _, one := range group {
			events = append(events, one.event)
		}
		q.spoolMu.Lock()
		err := q.spool.Add(events)
		q.spoolMu.Unlock()
		q.entered(group, err)
	}
}

// entered tells the appends of a group that their events are in the spool, or why not.
func (q *Queue) entered(group []*incoming, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.entering = nil
	var handles []*Queued
	if err == nil {
		if q.last == q.out.done {
			q.oldestAt = group[0].event.At
		}
		handles = q.due.issue(q.last+1, q.last+int64(len(group)))
		q.last += int64(len(group))
	}
	for i, one := range group {
		if one.err = err; err == nil {
			one.queued = handles[i]
			q.bytes += int64(len(one.event.Text))
			if one.event.Key != "" {
				q.keys.note([]string{one.event.Key})
			}
		}
		q.keys.end(one.event.Key)
		close(one.done)
	}
	q.tell()
}

// roomFor returns how many of the waiting appends fit into the spool now. q.mu is held.
func (q *Queue) roomFor() int {
	var bytes int64
	most := q.spool.MaxBytes()
	for count, one := range q.incoming {
		bytes += int64(len(one.event.Text))
		// An event larger than the whole spool goes into an empty one.
		isOver := most > 0 && q.bytes+bytes > most && q.bytes+int64(count) > 0
		if isOver || (count > 0 && bytes > maxGroupBytes) {
			return count
		}
	}
	return len(q.incoming)
}

// Waiting returns how many events wait, how long, and why. It asks nobody.
func (q *Queue) Waiting() Waiting {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := &q.out
	w := Waiting{
		Events: q.last - o.done, Bytes: q.bytes, Appends: len(q.entering) + len(q.incoming),
		LastError: o.lastError, NextAttemptAt: o.nextAttemptAt, Stopped: o.stop, CutBytes: q.cutBytes,
	}
	oldest := q.oldestAt
	if o.batch != nil {
		oldest = o.batch.oldestAt
		if o.stop == nil {
			w.Sending = len(o.batch.texts)
		}
	}
	if w.Events > 0 && oldest > 0 {
		w.OldestAt = time.UnixMilli(oldest)
	}
	return w
}

// Flush returns when every event that was given before has left the queue. The error is an [*Error], queue_stopped if
// the queue stops first, queue_closed if it is closed first, or that of ctx.
func (q *Queue) Flush(ctx context.Context) error {
	q.mu.Lock()
	position := q.last
	newest := append(slices.Clone(q.entering), q.incoming...)
	q.mu.Unlock()
	if len(newest) > 0 {
		one := newest[len(newest)-1]
		select {
		case <-one.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if one.err != nil {
			return one.err
		}
		position = one.queued.Position
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch stop := q.out.stop; {
		case q.out.done >= position:
			return nil
		case stop != nil:
			return newError(CodeQueueStopped, stop.Cause, "The queue stopped: %s: %s", stop.Code, stop.Message)
		case q.isClosed:
			return errClosed
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		changed := q.changed
		q.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		q.mu.Lock()
	}
}

// Resume continues after a stop, with the same batch under its key. It does nothing if the queue has not stopped.
func (q *Queue) Resume() { q.out.resume(false) }

// ResumeAnew continues after a stop, with the same events under a new key: use it only if you know that they were not
// recorded, or the stream has them twice.
func (q *Queue) ResumeAnew() { q.out.resume(true) }

// Discard removes the events at which the queue stopped, returns them as JSON, and continues with the next ones. The
// error is one of the spool, or says that the queue has not stopped.
func (q *Queue) Discard() ([]json.RawMessage, error) { return q.out.discard() }

// Close takes no more events, ends requests, and closes the spool: its events wait for the next process. Call Flush
// first to send them.
func (q *Queue) Close() error {
	q.ending.Do(func() {
		q.mu.Lock()
		q.isClosed = true
		for _, one := range q.incoming {
			one.err = errClosed
			q.keys.end(one.event.Key)
			close(one.done)
		}
		q.incoming = nil
		q.cancel()
		q.tell()
		q.mu.Unlock()
		q.workers.Wait()
		q.mu.Lock()
		q.due.settle(0, q.last, func(int64) outcome { return outcome{err: errClosed} })
		q.tell()
		q.mu.Unlock()
		q.spoolMu.Lock()
		defer q.spoolMu.Unlock()
		q.endErr = q.spool.Close()
	})
	return q.endErr
}
