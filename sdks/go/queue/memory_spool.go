package queue

import (
	"slices"
	"sync"
)

const defaultMemoryBytes = 64 << 20

// A MemorySpool is a spool in memory: its events end with the process.
type MemorySpool struct {
	maxBytes int64
	mu       sync.Mutex
	streamID string
	isOpen   bool
	// events are those behind done.
	events          []SpooledEvent
	done, doneSeqNo int64
	batches         []SpooledBatch
	keys            []string
}

// NewMemorySpool returns a spool of at most so many bytes of waiting events; 0 for 64 MiB.
func NewMemorySpool(maxBytes int64) *MemorySpool {
	if maxBytes == 0 {
		maxBytes = defaultMemoryBytes
	}
	return &MemorySpool{maxBytes: maxBytes}
}

// MaxBytes is the most bytes of waiting events.
func (s *MemorySpool) MaxBytes() int64 { return s.maxBytes }

// Open opens the spool for a stream.
func (s *MemorySpool) Open(streamID string) (*State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOpen {
		return nil, newError(CodeSpoolInUse, nil, "This spool has a queue already. Give each queue its own.")
	}
	if s.streamID != "" && s.streamID != streamID {
		return nil, newError(CodeSpoolForeign, nil, "The spool holds events of %s, not of %s.", s.streamID, streamID)
	}
	s.streamID, s.isOpen = streamID, true
	state := &State{Last: s.done + int64(len(s.events)), Done: s.done, DoneSeqNo: s.doneSeqNo, Batches: s.batches, Keys: keptOf(s.keys)}
	for _, one := range s.events {
		state.Bytes += int64(len(one.Text))
	}
	return state, nil
}

// Add puts events behind the last one.
func (s *MemorySpool) Add(events []SpooledEvent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, events...)
	s.keys = keysWith(s.keys, events)
	return nil
}

// Read returns the events from a position on.
func (s *MemorySpool) Read(first int64, limits ReadLimits) ([]SpooledEvent, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(within(s.events[first-s.done-1:], limits)), nil
}

// KeepBatch keeps a batch.
func (s *MemorySpool) KeepBatch(batch SpooledBatch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches = batchesWith(s.batches, batch)
	return nil
}

// Settle drops the events up to a position.
func (s *MemorySpool) Settle(done, doneSeqNo int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = s.events[done-s.done:]
	s.done, s.doneSeqNo, s.batches = done, doneSeqNo, batchesBehind(s.batches, done)
	return nil
}

// Close lets another queue use the spool.
func (s *MemorySpool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isOpen = false
	return nil
}
