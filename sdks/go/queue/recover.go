package queue

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// A segment is a file of a spool.
type segment struct {
	path string
	// number counts from 1, without a gap.
	number int64
	// before is the position before its first event.
	before int64
}

// A recovered is the contents of a folder.
type recovered struct {
	state    State
	segments []segment
	// size counts the bytes of the last segment.
	size int64
}

var segmentName = regexp.MustCompile(`^([0-9]{10})\.spool$`)

func segmentPath(folder string, number int64) string {
	return filepath.Join(folder, fmt.Sprintf("%010d.spool", number))
}

// recoverSpool reads a spool back, and checks every record of every segment. An interrupted write is at the end of the
// last segment, and is cut off there; any other damage is refused.
func recoverSpool(folder, streamID string) (*recovered, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	for _, entry := range entries {
		if match := segmentName.FindStringSubmatch(entry.Name()); match != nil {
			number, _ := strconv.ParseInt(match[1], 10, 64)
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	f := found{streamID: streamID, from: 1}
	r := &recovered{}
	for i, number := range numbers {
		if err := r.take(&f, folder, number, i == len(numbers)-1); err != nil {
			return nil, err
		}
	}
	for i, one := range r.segments {
		if one.number != r.segments[0].number+int64(i) {
			return nil, newError(CodeSpoolCorrupt, nil, "A file of the spool %s is missing: they are numbered without a gap.", folder)
		}
	}
	cut := r.state.CutBytes
	r.state = f.state()
	r.state.CutBytes = cut
	return r, nil
}

// take reads one file.
func (r *recovered) take(f *found, folder string, number int64, isLast bool) error {
	path := segmentPath(folder, number)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	offset := 0
	for one := readRecord(text); one != nil; one = readRecord(text[offset:]) {
		fault, err := f.take(one, offset == 0, len(r.segments) == 0)
		if err != nil {
			return err
		}
		if fault != "" {
			return corrupt(path, offset, fault)
		}
		if offset == 0 {
			r.segments = append(r.segments, segment{path, number, f.last()})
		}
		offset += one.length
	}
	before := r.size
	r.size = int64(offset)
	if offset == len(text) && offset > 0 {
		return nil
	}
	if !isLast || !isTorn(text, offset) {
		return corrupt(path, offset, "a record is damaged")
	}
	r.state.CutBytes = int64(len(text) - offset)
	if offset == 0 {
		// The file before is the last one then.
		r.size = before
	}
	return cut(path, int64(offset))
}

// A found is the state that the records have built up so far.
type found struct {
	streamID string
	// lengths holds the length in bytes of each event from position from on.
	lengths         []int32
	from            int64
	done, doneSeqNo int64
	batches         []SpooledBatch
	keys            []string
}

func (f *found) last() int64 { return f.from - 1 + int64(len(f.lengths)) }

// take applies a record, and returns its fault; empty for none.
func (f *found) take(r *spoolRecord, isFirstOfSegment, isFirstOfAll bool) (fault string, err error) {
	h := &r.head
	if (h.Kind == "segment") != isFirstOfSegment {
		return "a segment does not begin with its own record", nil
	}
	switch {
	case h.Kind == "segment":
		return f.begin(h, isFirstOfAll)
	case h.Kind == "batch" && h.Batch != nil:
		f.batches = batchesWith(f.batches, *h.Batch)
	case h.Kind == "done":
		f.done, f.doneSeqNo = value(h.Done), value(h.DoneSeqNo)
		f.batches = batchesBehind(f.batches, f.done)
	default:
		if value(h.First) != f.last()+1 || value(h.Count) != int64(len(r.lines)) {
			return "events are missing", nil
		}
		for _, line := range r.lines {
			f.lengths = append(f.lengths, int32(len(line)))
		}
		f.noteKeys(h.Keys)
	}
	return "", nil
}

func (f *found) noteKeys(keys []*string) {
	for _, key := range keys {
		if key != nil {
			f.keys = append(f.keys, *key)
		}
	}
	f.keys = newestKeys(f.keys)
}

func (f *found) begin(h *head, isFirstOfAll bool) (fault string, err error) {
	if value(h.Version) != 1 {
		return "it is of a newer version of this program", nil
	}
	if h.StreamID == nil || *h.StreamID != f.streamID {
		other := ""
		if h.StreamID != nil {
			other = *h.StreamID
		}
		return "", newError(CodeSpoolForeign, nil, "The spool holds events of %s, not of %s.", other, f.streamID)
	}
	if !isFirstOfAll {
		if value(h.Last) != f.last() {
			return "events are missing before it", nil
		}
		return "", nil
	}
	f.from, f.done, f.doneSeqNo = value(h.Last)+1, value(h.Done), value(h.DoneSeqNo)
	if h.Batches != nil {
		f.batches = *h.Batches
	}
	f.keys = nil
	f.noteKeys(h.Keys)
	return "", nil
}

func (f *found) state() State {
	s := State{Last: f.last(), Done: f.done, DoneSeqNo: f.doneSeqNo, Batches: f.batches, Keys: keptOf(f.keys)}
	for _, length := range f.lengths[min(int64(len(f.lengths)), max(f.done+1-f.from, 0)):] {
		s.Bytes += int64(length)
	}
	return s
}

// cut truncates a file, durably; it deletes it if nothing is left.
func cut(path string, size int64) error {
	if size == 0 {
		return os.Remove(path)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(size); err != nil {
		return err
	}
	return file.Sync()
}

func corrupt(path string, offset int, what string) *Error {
	return newError(CodeSpoolCorrupt, nil, "%s, byte %d: %s. What was written there can no longer be read. Put the folder back from a copy, or take it away to begin an empty spool: what waited in it is lost then.", path, offset, what)
}
