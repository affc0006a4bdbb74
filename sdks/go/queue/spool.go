package queue

import "slices"

// KeptKeys is how many keys a spool remembers, whether or not their events have left.
const KeptKeys = 10_000

// A SpooledEvent is an event that waits.
type SpooledEvent struct {
	// Text is the event as JSON, without a line end in it.
	Text []byte
	// At is when it was put into the spool, in Unix milliseconds of this machine.
	At int64
	// Key is the program's key for the event, or empty; Read need not return it.
	Key string
}

// A SpooledBatch is events that are sent together: the same events under the same key, until their outcome is known.
type SpooledBatch struct {
	// Key is the Idempotency-Key.
	Key string `json:"key"`
	// First and Last are the positions of the first and the last event.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
	// MadeAt is when the batch was made, in Unix milliseconds of this machine.
	MadeAt int64 `json:"madeAt"`
}

// A State is the contents of a spool when it is opened.
type State struct {
	// Last is the position of the newest event; positions count from 1, and 0 means none.
	Last int64
	// Done is the position up to which events have left the queue: with a receipt, or discarded.
	Done int64
	// DoneSeqNo is the seq_no of the last receipt; 0 before the first one.
	DoneSeqNo int64
	// Batches are the batches behind Done, in order.
	Batches []SpooledBatch
	// Bytes counts those of the waiting events.
	Bytes int64
	// Keys are the newest [KeptKeys] keys of events, oldest first.
	Keys []string
	// CutBytes counts the bytes of an incomplete write, which have been cut off: nothing in them was acknowledged.
	CutBytes int64
}

// ReadLimits are the most to read at once; one event is read whatever its size.
type ReadLimits struct {
	Events int
	Bytes  int64
}

// A Spool is where a queue keeps its events: those of one stream in order, by position, and the batches made of the
// first of them. It sends nothing and decides nothing. The queue makes one call at a time; only Read runs beside other
// calls, but never beside another Read. Every call returns an [*Error], spool_failed, if the medium fails.
type Spool interface {
	// MaxBytes is the most bytes of waiting events: above it an append waits. 0 is no limit.
	MaxBytes() int64
	// Open opens it for a stream, and keeps others out until it is closed. The error is spool_in_use, spool_foreign, or
	// spool_corrupt with the place.
	Open(streamID string) (*State, error)
	// Add puts events behind the last one and keeps their keys; all of them or none. They are as safe as the spool makes
	// them when it returns.
	Add(events []SpooledEvent) error
	// Read returns the events from a position on, in order. The position is behind all settled events.
	Read(first int64, limits ReadLimits) ([]SpooledEvent, error)
	// KeepBatch keeps a batch, in place of batches with which it shares events, as safely as events.
	KeepBatch(batch SpooledBatch) error
	// Settle drops the events up to a position, which is the last of a batch, and their batches. The spool may forget
	// this call when the machine stops: the batch is then sent again, under its key.
	Settle(done, doneSeqNo int64) error
	// Close lets others in. Waiting events stay, as far as the medium keeps them.
	Close() error
}

// keysWith returns the keys to keep when events are added.
func keysWith(keys []string, events []SpooledEvent) []string {
	for _, one := range events {
		if one.Key != "" {
			keys = append(keys, one.Key)
		}
	}
	return newestKeys(keys)
}

func newestKeys(keys []string) []string {
	// Copied only now and then: a spool without end must not copy all keys with each group.
	if len(keys) > 2*KeptKeys {
		return slices.Clone(keys[len(keys)-KeptKeys:])
	}
	return keys
}

// keptOf returns the newest keys.
func keptOf(keys []string) []string { return keys[max(0, len(keys)-KeptKeys):] }

// batchesWith returns the batches to keep when one is added, in order: without those that share events with it.
func batchesWith(batches []SpooledBatch, batch SpooledBatch) []SpooledBatch {
	kept := make([]SpooledBatch, 0, len(batches)+1)
	for _, one := range batches {
		if one.Last < batch.First || one.First > batch.Last {
			kept = append(kept, one)
		}
	}
	kept = append(kept, batch)
	slices.SortFunc(kept, func(a, b SpooledBatch) int { return int(a.First - b.First) })
	return kept
}

// batchesBehind returns the batches to keep when the events up to a position have left.
func batchesBehind(batches []SpooledBatch, done int64) []SpooledBatch {
	kept := make([]SpooledBatch, 0, len(batches))
	for _, one := range batches {
		if one.Last > done {
			kept = append(kept, one)
		}
	}
	return kept
}

// within returns the events, from the first on, that are within the limits together; at least one.
func within(events []SpooledEvent, limits ReadLimits) []SpooledEvent {
	var bytes int64
	for count, one := range events {
		bytes += int64(len(one.Text))
		if count == limits.Events || (count > 0 && bytes > limits.Bytes) {
			return events[:count]
		}
	}
	return events
}
