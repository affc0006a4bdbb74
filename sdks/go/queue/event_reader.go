package queue

import (
	"io"
	"math"
	"os"
	"slices"
)

const pieceBytes = 256 << 10

// An eventReader reads the events of a spool in order. It holds the lines of one record and a piece of one file, and
// starts again if an earlier event is asked for.
type eventReader struct {
	spool   *FileSpool
	segment segment
	file    *os.File
	// offset is that of the next record, and piece the bytes from there on that have been read.
	offset int64
	piece  []byte
	// events are those of the last record, from position first on.
	first  int64
	events []SpooledEvent
}

// from returns the events from a position on that are in one record; at least one. The position must have been added.
func (r *eventReader) from(position int64) ([]SpooledEvent, error) {
	if r.file == nil || position < r.first {
		segments, _ := r.snapshot()
		at := -1
		for i, one := range segments {
			if one.before < position {
				at = i
			}
		}
		if at < 0 {
			return nil, newError(CodeSpoolFailed, nil, "Event %d is no longer in the spool.", position)
		}
		if err := r.open(segments[at]); err != nil {
			return nil, err
		}
	}
	for position >= r.first+int64(len(r.events)) {
		if err := r.next(); err != nil {
			return nil, err
		}
	}
	if position < r.first {
		return nil, r.unreadable()
	}
	return r.events[position-r.first:], nil
}

// snapshot returns the segments, and how many bytes of the last one are complete: a write behind them may still fail,
// and its bytes would be cut off.
func (r *eventReader) snapshot() ([]segment, int64) {
	r.spool.mu.Lock()
	defer r.spool.mu.Unlock()
	return r.spool.segments, r.spool.size
}

func (r *eventReader) close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

func (r *eventReader) open(one segment) error {
	r.close()
	file, err := os.Open(one.path)
	if err != nil {
		return failed("a file could not be opened", err)
	}
	r.file, r.segment, r.offset, r.piece, r.first, r.events = file, one, 0, nil, one.before+1, nil
	return nil
}

func (r *eventReader) next() error {
	hasHeader, err := r.has(headerBytes)
	if err != nil {
		return err
	}
	if !hasHeader {
		segments, _ := r.snapshot()
		at := slices.IndexFunc(segments, func(one segment) bool { return one.number > r.segment.number })
		if at < 0 {
			return r.unreadable()
		}
		return r.open(segments[at])
	}
	length, ok := recordLength(r.piece)
	if ok {
		ok, err = r.has(length)
	}
	if err != nil {
		return err
	}
	if !ok {
		return r.unreadable()
	}
	record := readRecord(r.piece)
	if record == nil {
		return r.unreadable()
	}
	if record.head.Kind == "events" {
		r.first, r.events = value(record.head.First), nil
		for _, line := range record.lines {
			// A copy: an event that waits for its answer must not keep a whole piece.
			r.events = append(r.events, SpooledEvent{Text: slices.Clone(line), At: value(record.head.At)})
		}
	}
	r.piece = r.piece[length:]
	r.offset += int64(length)
	return nil
}

// has says whether so many bytes are there, and reads them into the piece.
func (r *eventReader) has(length int) (bool, error) {
	if len(r.piece) >= length {
		return true, nil
	}
	segments, size := r.snapshot()
	written := int64(math.MaxInt64)
	if last := segments[len(segments)-1]; last.number == r.segment.number {
		written = size
	}
	piece := make([]byte, min(int64(max(length, pieceBytes)), max(written-r.offset, 0)))
	n, err := r.file.ReadAt(piece, r.offset)
	if err != nil && err != io.EOF {
		return false, failed("a file could not be read", err)
	}
	r.piece = piece[:n]
	return n >= length, nil
}

func (r *eventReader) unreadable() *Error {
	return newError(CodeSpoolFailed, nil, "%s, byte %d: what was written there can no longer be read.", r.segment.path, r.offset)
}
