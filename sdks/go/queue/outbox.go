package queue

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"svc.example/go"
	"svc.example/go/client"
)

const (
	// maxBatchBytes is well below the limit of the service: the answer is larger, and both are in memory.
	maxBatchBytes = 4 << 20
	// maxAhead is how many batches are sent ahead: the service has one to record and one to read while the receipts of a
	// third are checked here.
	maxAhead     = 2
	firstPause   = 250 * time.Millisecond
	longestPause = time.Minute
	// maxLies is after how many answers in a row whose receipts do not hold the queue stops: the service is at fault then.
	maxLies = 8
)

// An outbox is the sending side of a queue: batches in order. Each is kept in the spool under its key before it is
// sent, and sent again under the same key until an answer comes. Full next batches are sent ahead, and the service
// records each only behind the one before; its answer counts when its turn comes. A final refusal of the service stops
// the queue.
type outbox struct {
	*Queue
	stream *client.Stream

	// The rest belongs to the goroutine of run, which writes what others read under mu: done, batch, stop, lastError,
	// nextAttemptAt.
	done, doneSeqNo int64
	// kept are the batches behind done.
	kept []SpooledBatch
	// batch is the one whose turn it is, and early its answer if it was sent ahead.
	batch *batch
	early *ahead
	// ahead are the batches that are sent ahead, in order.
	ahead []*ahead
	// most is the most events in the next batch: fewer for a while after a batch was split.
	most          int
	attempts      int
	lies          int
	isDiscarding  bool
	lastError     *LastError
	nextAttemptAt time.Time
	stop          *Stop
}

// An ahead is a batch that was sent, perhaps before its turn.
type ahead struct {
	*batch
	answered chan struct{}
	sent     *client.SentBatch
	err      error
	isLost   atomic.Bool
}

func (o *outbox) run() {
	defer o.workers.Done()
	defer o.settleAhead()
	for {
		o.mu.Lock()
		for !o.isClosed && (o.done >= o.last || o.stop != nil) {
			changed := o.changed
			o.mu.Unlock()
			<-changed
			o.mu.Lock()
		}
		isClosed := o.isClosed
		o.mu.Unlock()
		if isClosed {
			return
		}
		if err := o.step(); err != nil && o.ctx.Err() == nil {
			o.afterError(err)
		}
	}
}

// settleAhead waits for the requests that are still under way.
func (o *outbox) settleAhead() {
	for _, one := range append(o.ahead, o.early) {
		if one != nil {
			<-one.answered
		}
	}
}

// step sends the batch whose turn it is, and takes its receipts.
func (o *outbox) step() error {
	if o.batch == nil {
		next, err := o.nextBatch()
		if err != nil {
			return err
		}
		o.mu.Lock()
		o.batch = next
		o.mu.Unlock()
	}
	return o.sendBatch(o.batch)
}

// nextBatch returns the batch whose turn it is.
func (o *outbox) nextBatch() (*batch, error) {
	first := o.done + 1
	if len(o.ahead) > 0 && o.ahead[0].First == first {
		one := o.ahead[0]
		o.ahead, o.early = o.ahead[1:], one
		return one.batch, nil
	}
	at := slices.IndexFunc(o.kept, func(one SpooledBatch) bool { return one.First == first })
	if at < 0 {
		return o.makeBatch(first)
	}
	kept := o.kept[at]
	events, err := o.spool.Read(first, ReadLimits{Events: int(kept.Last - first + 1)})
	if err != nil {
		return nil, err
	}
	return newBatch(kept, events, true), nil
}

// makeBatch makes a batch of the events from a position on, up to the next kept batch.
func (o *outbox) makeBatch(first int64) (*batch, error) {
	o.mu.Lock()
	next := o.last + 1
	o.mu.Unlock()
	for _, one := range o.kept {
		if one.First > first {
			next = min(next, one.First)
		}
	}
	events, err := o.spool.Read(first, ReadLimits{Events: int(min(int64(o.most), next-first)), Bytes: maxBatchBytes})
	if err != nil {
		return nil, err
	}
	made := SpooledBatch{Key: newKey(), First: first, Last: first + int64(len(events)) - 1, MadeAt: o.options.Now().UnixMilli()}
	o.spoolMu.Lock()
	err = o.spool.KeepBatch(made)
	o.spoolMu.Unlock()
	if err != nil {
		return nil, err
	}
	o.kept = batchesWith(o.kept, made)
	return newBatch(made, events, false), nil
}

// send sends a batch in a separate goroutine. after is the key of the batch behind which it must be recorded, or not
// at all; empty if that one is recorded already.
func (o *outbox) send(b *batch, after string) *ahead {
	one := &ahead{batch: b, answered: make(chan struct{})}
	options := []client.WriteOption{client.WithIdempotencyKey(b.Key)}
	if after != "" {
		options = append(options, client.WithAfterKey(after))
	}
	go func() {
		defer close(one.answered)
		if one.sent, one.err = o.stream.SendBatch(o.ctx, b.texts, options...); one.err != nil {
			one.isLost.Store(true)
		}
	}()
	return one
}

// sendAhead sends the next batches behind one, as far as they are full.
func (o *outbox) sendAhead(b *batch) {
	for len(o.ahead) < maxAhead && o.attempts == 0 && o.most == o.options.MaxBatchEvents && o.ctx.Err() == nil {
		before := b
		for _, one := range o.ahead {
			if before = one.batch; one.isLost.Load() {
				return
			}
		}
		o.mu.Lock()
		isFull := o.last-before.Last >= int64(o.options.MaxBatchEvents)
		o.mu.Unlock()
		if !isFull || slices.ContainsFunc(o.kept, func(one SpooledBatch) bool { return one.First > before.Last }) {
			return
		}
		next, err := o.makeBatch(before.Last + 1)
		if err != nil {
			// Its turn makes it again, and reports the failure.
			return
		}
		o.ahead = append(o.ahead, o.send(next, before.Key))
	}
}

func (o *outbox) sendBatch(b *batch) error {
	sent := o.early
	o.early = nil
	if sent != nil {
		o.sendAhead(b)
		if <-sent.answered; sent.err != nil {
			// Nothing is recorded behind a missing predecessor; but an earlier attempt may still be on its way.
			failure := refusalIn(sent.err)
			if failure == nil || failure.Code != client.CodePredecessorMissing || failure.Attempts != 1 {
				b.noteFailure(sent.err)
			}
			sent = nil
		}
	}
	if sent == nil {
		if err := b.requireKnownKey(o.options.Now(), o.options.KeyDays); err != nil {
			return err
		}
		b.isAnswered = false
		sent = o.send(b, "")
		o.sendAhead(b)
		if <-sent.answered; sent.err != nil {
			return sent.err
		}
	}
	b.isAnswered = true
	receipts, err := sent.sent.Receipts(o.ctx)
	if err == nil {
		err = b.requireOwn(receipts, o.stream.ID(), o.doneSeqNo)
	}
	if err != nil {
		return err
	}
	if o.options.OnReceipts != nil {
		// An error of the program is no answer to the batch.
		if err := o.options.OnReceipts(receipts); err != nil {
			return newError(CodeReceiptsNotTaken, err, "The program did not take the receipts: %v", err)
		}
	}
	return o.settle(b, receipts[len(receipts)-1].SeqNo, func(i int64) outcome { return outcome{receipt: copied(receipts[i])} })
}

// copied returns a copy, so that one receipt does not keep all of a batch.
func copied(receipt svc.ReceiptRecord) *svc.ReceiptRecord { return &receipt }

// settle takes a batch out of the queue, with the outcome of each of its events by index.
func (o *outbox) settle(b *batch, doneSeqNo int64, outcomeOf func(int64) outcome) error {
	o.spoolMu.Lock()
	err := o.spool.Settle(b.Last, doneSeqNo)
	o.spoolMu.Unlock()
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if doneSeqNo > o.doneSeqNo {
		o.most = min(o.most*2, o.options.MaxBatchEvents)
		o.attempts, o.lies, o.lastError = 0, 0, nil
	}
	o.done, o.doneSeqNo, o.kept, o.batch = b.Last, doneSeqNo, batchesBehind(o.kept, b.Last), nil
	o.bytes -= b.bytes
	o.due.settle(b.First, b.Last, func(position int64) outcome { return outcomeOf(position - b.First) })
	o.tell()
	return nil
}

// forgetBatch makes another batch of its events, under another key.
func (o *outbox) forgetBatch() {
	o.kept = slices.DeleteFunc(slices.Clone(o.kept), func(one SpooledBatch) bool { return one.First <= o.done+1 })
	o.batch = nil
}

func (o *outbox) afterError(err error) {
	code, message, _ := named(err)
	now := o.options.Now()
	isRefused := o.batch != nil && o.batch.noteFailure(err)
	if o.lies++; !isLie(err) {
		o.lies = 0
	}
	o.mu.Lock()
	o.lastError = &LastError{code, message, now}
	o.mu.Unlock()
	if isTransient(err) && o.lies < maxLies {
		o.attempts++
		o.pause(now)
		return
	}
	if isRefused {
		if most, ok := o.batch.narrowed(err); ok {
			o.mu.Lock()
			o.most = most
			o.forgetBatch()
			o.mu.Unlock()
			return
		}
	}
	o.stopAt(err)
}

// pause waits before the next attempt; closing the queue ends it.
func (o *outbox) pause(now time.Time) {
	full := longestPause
	if o.attempts < 16 {
		full = min(firstPause<<(o.attempts-1), longestPause)
	}
	length := time.Duration(float64(full) * (0.5 + mathrand.Float64()/2))
	o.mu.Lock()
	o.nextAttemptAt = now.Add(length)
	o.mu.Unlock()
	ctx, cancel := context.WithTimeout(o.ctx, length)
	<-ctx.Done()
	cancel()
	o.mu.Lock()
	o.nextAttemptAt = time.Time{}
	o.mu.Unlock()
}

func (o *outbox) stopAt(err error) {
	code, message, status := named(err)
	o.mu.Lock()
	stop := Stop{Code: code, Status: status, Message: message, First: o.done + 1, Last: o.last, Cause: err}
	// A batch that could not be read back comes from an earlier process.
	for _, one := range o.kept {
		if one.First == o.done+1 {
			stop.Last, stop.MaybeRecorded = one.Last, true
		}
	}
	if b := o.batch; b != nil {
		stop.First, stop.Last, stop.Events, stop.MaybeRecorded = b.First, b.Last, slices.Clone(b.texts), b.maybeRecorded
	}
	o.stop = &stop
	o.tell()
	o.mu.Unlock()
	if o.options.OnStopped != nil {
		go o.options.OnStopped(stop)
	}
}

// resume continues after a stop. Events that are being discarded must not be sent: the queue continues behind them by
// itself.
func (o *outbox) resume(anew bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stop == nil || o.isDiscarding {
		return
	}
	o.continues(anew)
}

// continues lets run go on. o.mu is held.
func (o *outbox) continues(anew bool) {
	if o.stop = nil; anew {
		o.forgetBatch()
	}
	o.attempts, o.lies = 0, 0
	o.tell()
}

var errNotStopped = errors.New("queue: only what the queue stopped at can be discarded, and once")

// discard removes the events at which it stopped from the queue. The goroutine of run waits meanwhile.
func (o *outbox) discard() ([]json.RawMessage, error) {
	o.mu.Lock()
	stop, b := o.stop, o.batch
	if stop == nil || b == nil || o.isDiscarding || o.isClosed {
		o.mu.Unlock()
		return nil, errNotStopped
	}
	o.isDiscarding = true
	o.mu.Unlock()
	reason := newError(CodeEventDiscarded, stop.Cause, "It was discarded after %s: %s", stop.Code, stop.Message)
	err := o.settle(b, o.doneSeqNo, func(int64) outcome { return outcome{err: reason} })
	o.mu.Lock()
	defer o.mu.Unlock()
	o.isDiscarding = false
	if err != nil {
		return nil, err
	}
	o.continues(false)
	return stop.Events, nil
}

// newKey returns a random UUID (RFC 9562, version 4).
func newKey() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	text := hex.EncodeToString(b[:])
	return fmt.Sprintf("%s-%s-%s-%s-%s", text[:8], text[8:12], text[12:16], text[16:20], text[20:])
}
