package queue

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"sync"
)

const (
	defaultSegmentBytes = 8 << 20
	// reserveBytes is room for some hundred batches.
	reserveBytes = 256 << 10
)

// A FileSpool is a spool in a folder of append-only files. A file is deleted when all its events have left the queue.
// An event that was added is on the disk, synchronised; the record that events left the queue does not wait for the
// disk, because the same batch would be sent again under its key. Set its fields before it is used. Open fails on js,
// wasip1 and plan9, which have no lock for a folder: use a [MemorySpool] there.
type FileSpool struct {
	// Folder is the folder of the spool, which holds nothing else. It is made if it is missing, closed to other users. Use
	// a local disk, not a network share.
	Folder string
	// Limit is the most bytes of waiting events; 0 for no limit.
	Limit int64
	// SegmentBytes is the size at which the next file is begun; 0 for 8 MiB.
	SegmentBytes int64

	streamID string
	unlock   func() error
	tail     *os.File
	synced   int64
	done     int64
	// doneSeqNo, batches and keys are the rest of the state.
	doneSeqNo  int64
	batches    []SpooledBatch
	keys       []string
	hasReserve bool
	// broken says why nothing can be written any more.
	broken *Error
	reader eventReader

	// mu guards what Read looks at beside other calls.
	mu       sync.Mutex
	segments []segment
	// size counts the bytes of whole records in the last segment, and last is the position of the newest event.
	size, last int64
}

// MaxBytes is the most bytes of waiting events.
func (s *FileSpool) MaxBytes() int64 { return s.Limit }

// Open takes the lock of the folder, and reads the spool back.
func (s *FileSpool) Open(streamID string) (*State, error) {
	state, err := s.open(streamID)
	var own *Error
	if err != nil && !errors.As(err, &own) {
		return nil, failed(s.Folder+" cannot be used", err)
	}
	return state, err
}

func (s *FileSpool) open(streamID string) (*State, error) {
	if s.unlock != nil {
		return nil, newError(CodeSpoolInUse, nil, "Another queue has the spool %s. Close it first, or use another folder.", s.Folder)
	}
	if s.SegmentBytes == 0 {
		s.SegmentBytes = defaultSegmentBytes
	}
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(s.Folder, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lockSpool(s.Folder)
	if err != nil {
		return nil, err
	}
	state, err := s.read(streamID)
	if err != nil {
		if s.tail != nil {
			s.tail.Close()
			s.tail = nil
		}
		return nil, errors.Join(err, unlock())
	}
	s.unlock = unlock
	return state, nil
}

// read reads the spool back under its lock.
func (s *FileSpool) read(streamID string) (*State, error) {
	found, err := recoverSpool(s.Folder, streamID)
	if err != nil {
		return nil, err
	}
	s.broken, s.streamID, s.hasReserve = nil, streamID, false
	s.segments, s.last, s.size = found.segments, found.state.Last, found.size
	s.done, s.doneSeqNo, s.batches, s.keys = found.state.Done, found.state.DoneSeqNo, found.state.Batches, found.state.Keys
	s.reader = eventReader{spool: s}
	if len(s.segments) == 0 {
		err = s.begin(1)
	} else {
		s.tail, err = os.OpenFile(s.segments[len(s.segments)-1].path, os.O_RDWR, 0)
		if err == nil {
			// A killed process may have written bytes without waiting for the disk.
			err = s.tail.Sync()
		}
		s.synced = found.size
	}
	if err != nil {
		return nil, err
	}
	return &found.state, syncFolder(s.Folder)
}

// Add puts events behind the last one.
func (s *FileSpool) Add(events []SpooledEvent) error {
	// The room for records of leaving events comes before more events.
	if err := s.takeReserve(); err != nil {
		return failed("there is no room left at "+s.Folder, err)
	}
	newest := s.segments[len(s.segments)-1]
	if s.size >= s.SegmentBytes && newest.before < s.last {
		if err := s.begin(newest.number + 1); err != nil {
			return err
		}
	}
	if err := s.write(eventsHead(s.last+1, events), events, true); err != nil {
		return err
	}
	s.mu.Lock()
	s.last += int64(len(events))
	s.mu.Unlock()
	s.keys = keysWith(s.keys, events)
	return nil
}

// Read returns the events from a position on.
func (s *FileSpool) Read(first int64, limits ReadLimits) ([]SpooledEvent, error) {
	var found []SpooledEvent
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	if limits.Bytes == 0 {
		limits.Bytes = math.MaxInt64
	}
	for bytes := int64(0); len(found) < limits.Events && first+int64(len(found)) <= last && bytes <= limits.Bytes; {
		more, err := s.reader.from(first + int64(len(found)))
		if err != nil {
			return nil, err
		}
		for _, one := range more {
			bytes += int64(len(one.Text))
		}
		found = append(found, more...)
	}
	return within(found, limits), nil
}

// KeepBatch keeps a batch.
func (s *FileSpool) KeepBatch(batch SpooledBatch) error {
	if err := s.write(head{Kind: "batch", Batch: &batch}, nil, true); err != nil {
		return err
	}
	s.batches = batchesWith(s.batches, batch)
	return nil
}

// Settle drops the events up to a position, and deletes the files of which nothing waits any more.
func (s *FileSpool) Settle(done, doneSeqNo int64) error {
	if err := s.write(head{Kind: "done", Done: &done, DoneSeqNo: &doneSeqNo}, nil, false); err != nil {
		return err
	}
	s.done, s.doneSeqNo, s.batches = done, doneSeqNo, batchesBehind(s.batches, done)
	for len(s.segments) > 1 && s.segments[1].before <= done {
		// The next file must record that these events have left before the file with these events is deleted; and files go
		// in order.
		if err := s.wait(); err != nil {
			return err
		}
		err := os.Remove(s.segments[0].path)
		if err == nil {
			err = syncFolder(s.Folder)
		}
		if err != nil {
			return failed("a file could not be deleted", err)
		}
		s.mu.Lock()
		s.segments = s.segments[1:]
		s.mu.Unlock()
	}
	return nil
}

// Close lets others in.
func (s *FileSpool) Close() error {
	err := s.reader.close()
	if s.tail != nil {
		err = errors.Join(err, s.tail.Close())
		s.tail = nil
	}
	if s.unlock != nil {
		err = errors.Join(err, s.unlock())
		s.unlock = nil
	}
	return err
}

// begin begins a file, after all of the file before it is on the disk.
func (s *FileSpool) begin(number int64) error {
	if s.tail != nil {
		if err := s.wait(); err != nil {
			return err
		}
	}
	path := segmentPath(s.Folder, number)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return failed(path+" could not be made", err)
	}
	if s.tail != nil {
		s.tail.Close()
	}
	// The segments and the size change together: Read looks at both.
	s.tail, s.synced = file, 0
	s.mu.Lock()
	s.segments = append(s.segments, segment{path, number, s.last})
	s.size = 0
	s.mu.Unlock()
	h := segmentHead(s.streamID, s.last, s.done, s.doneSeqNo, s.batches, keptOf(s.keys))
	err = s.write(h, nil, true)
	if err == nil {
		err = syncFolder(s.Folder)
	}
	if err != nil && s.broken == nil {
		// A file without its first record is deleted when the spool is opened again.
		s.broken = failed(path+" could not be begun", err)
	}
	if err != nil {
		return s.broken
	}
	return nil
}

// write appends one record, and waits for the disk if it must.
func (s *FileSpool) write(h head, events []SpooledEvent, isSynced bool) error {
	if s.broken != nil {
		return s.broken
	}
	if s.tail == nil {
		return failed("the spool "+s.Folder+" is not open", nil)
	}
	h.Synced = s.synced
	record, err := encodeRecord(h, events)
	if err != nil {
		return failed("a record could not be made", err)
	}
	if _, err := s.tail.WriteAt(record, s.size); err != nil {
		// A part of a failed write would be in the middle of later records.
		if cause := s.tail.Truncate(s.size); cause != nil {
			s.broken = failed("a write failed, and what it left could not be cut off", cause)
		}
		if h.Kind != "events" && s.broken == nil && isFull(err) && s.releaseReserve() {
			return s.write(h, events, isSynced)
		}
		return failed("nothing more could be written to "+s.Folder, err)
	}
	s.mu.Lock()
	s.size += int64(len(record))
	s.mu.Unlock()
	if isSynced {
		return s.wait()
	}
	return nil
}

// wait waits for the disk. After a failure nobody knows what is on it: only opening the spool again tells.
func (s *FileSpool) wait() error {
	if s.broken != nil {
		return s.broken
	}
	if err := s.tail.Sync(); err != nil {
		s.broken = failed("the disk failed below "+s.Folder+"; close the queue and open it again", err)
		return s.broken
	}
	s.synced = s.size
	return nil
}

// The reserve is room on the disk that a spool keeps for itself: leaving events are recorded by writing too, and a disk
// full of waiting events would otherwise keep them for ever.
func (s *FileSpool) reservePath() string { return filepath.Join(s.Folder, "spool.reserve") }

func (s *FileSpool) takeReserve() error {
	if s.hasReserve {
		return nil
	}
	if info, err := os.Stat(s.reservePath()); err == nil && info.Size() == reserveBytes {
		s.hasReserve = true
		return nil
	}
	file, err := os.OpenFile(s.reservePath(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		_, err = file.Write(make([]byte, reserveBytes))
		if err == nil {
			err = file.Sync()
		}
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		s.releaseReserve()
		return err
	}
	s.hasReserve = true
	return nil
}

// releaseReserve releases the room, and says whether there was any.
func (s *FileSpool) releaseReserve() bool {
	s.hasReserve = false
	return os.Remove(s.reservePath()) == nil
}
