package queue

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math"
)

// A record of a spool file is 12 bytes, little-endian (length of the body, CRC-32 of the body, CRC-32 of these 8
// bytes), and a body: a line of JSON that says what it is, and one line for each event. One write is one record, and a
// record counts only if it is whole.

const headerBytes = 12

// A head is the first line of a record. Pointers stand for members that only some kinds have.
type head struct {
	Kind string `json:"kind"`
	// A segment has the version of the format, the stream, the position before its first event, and the rest of the state
	// at that time.
	Version   *int64          `json:"version,omitempty"`
	StreamID  *string         `json:"stream_id,omitempty"`
	Last      *int64          `json:"last,omitempty"`
	Done      *int64          `json:"done,omitempty"`
	DoneSeqNo *int64          `json:"done_seq_no,omitempty"`
	Batches   *[]SpooledBatch `json:"batches,omitempty"`
	// Events have the position of the first one, their number, and when the first one came.
	First *int64 `json:"first,omitempty"`
	Count *int64 `json:"count,omitempty"`
	At    *int64 `json:"at,omitempty"`
	// A batch has itself.
	Batch *SpooledBatch `json:"batch,omitempty"`
	// A segment has all keys at that time, and events one for each, null without one; missing without any.
	Keys []*string `json:"keys,omitempty"`
	// Synced is how many bytes of the file were known to be on the disk when the record was written.
	Synced int64 `json:"synced"`
}

func segmentHead(streamID string, last, done, doneSeqNo int64, batches []SpooledBatch, keys []string) head {
	version, all := int64(1), append([]SpooledBatch{}, batches...)
	h := head{Kind: "segment", Version: &version, StreamID: &streamID, Last: &last, Done: &done, DoneSeqNo: &doneSeqNo, Batches: &all}
	for _, key := range keys {
		h.Keys = append(h.Keys, &key)
	}
	return h
}

func eventsHead(first int64, events []SpooledEvent) head {
	count, at := int64(len(events)), events[0].At
	h := head{Kind: "events", First: &first, Count: &count, At: &at}
	hasKeys := false
	keys := make([]*string, len(events))
	for i := range events {
		if events[i].Key != "" {
			keys[i], hasKeys = &events[i].Key, true
		}
	}
	if hasKeys {
		h.Keys = keys
	}
	return h
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func encodeRecord(h head, events []SpooledEvent) ([]byte, error) {
	var out bytes.Buffer
	out.Write(make([]byte, headerBytes))
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(h); err != nil {
		return nil, err
	}
	for _, one := range events {
		out.Write(one.Text)
		out.WriteByte('\n')
	}
	// Line ends are between lines, and none behind the last one.
	record := out.Bytes()[:out.Len()-1]
	body := record[headerBytes:]
	binary.LittleEndian.PutUint32(record, uint32(len(body)))
	binary.LittleEndian.PutUint32(record[4:], crc32.ChecksumIEEE(body))
	binary.LittleEndian.PutUint32(record[8:], crc32.ChecksumIEEE(record[:8]))
	return record, nil
}

// recordLength returns the length of a record in bytes, by its header, which text holds whole; ok is false if the
// header is damaged.
func recordLength(text []byte) (length int, ok bool) {
	if crc32.ChecksumIEEE(text[:8]) != binary.LittleEndian.Uint32(text[8:]) {
		return 0, false
	}
	// No file is so long; and beyond it the sum has no room where an int has 32 bits.
	body := min(binary.LittleEndian.Uint32(text), math.MaxInt32-headerBytes)
	return headerBytes + int(body), true
}

// A spoolRecord is a record as it was read.
type spoolRecord struct {
	head head
	// lines are the texts of the events.
	lines [][]byte
	// length is that of the record in bytes.
	length int
}

// readRecord returns the record at the beginning of bytes; nil if none is whole there.
func readRecord(text []byte) *spoolRecord {
	if len(text) < headerBytes {
		return nil
	}
	length, ok := recordLength(text)
	if !ok || length < headerBytes || len(text) < length {
		return nil
	}
	body := text[headerBytes:length]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(text[4:]) {
		return nil
	}
	lines := bytes.Split(body, []byte{'\n'})
	r := &spoolRecord{lines: lines[1:], length: length}
	if json.Unmarshal(lines[0], &r.head) != nil {
		return nil
	}
	return r
}

// isTorn says whether the bytes from offset on, which begin with no whole record, are left from an interrupted write;
// if not, the disk has lost something that was on it. An interrupted write lacks its end, or pages that never reached
// the disk and read as zeros: its header then begins or ends with a zero, or its body contains one, which no whole body
// does. And no later record says that this one was on the disk.
func isTorn(text []byte, offset int) bool {
	rest := text[offset:]
	if len(rest) >= headerBytes {
		length, ok := recordLength(rest)
		if !ok && rest[0] != 0 && rest[headerBytes-1] != 0 {
			return false
		}
		if ok && len(rest) >= length && bytes.IndexByte(rest[headerBytes:length], 0) < 0 {
			return false
		}
	}
	for at := offset + 1; at+headerBytes <= len(text); at++ {
		if _, ok := recordLength(text[at:]); !ok {
			continue
		}
		if later := readRecord(text[at:]); later != nil && later.head.Synced > int64(offset) {
			return false
		}
	}
	return true
}
