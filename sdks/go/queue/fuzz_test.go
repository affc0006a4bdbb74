package queue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"reflect"
	"testing"
)

// FuzzRecover reads files with any records: bodies, each with the header that belongs to it, and anything behind them.
// A spool that was opened once opens again, with the same state and nothing left to cut.
func FuzzRecover(f *testing.F) {
	const between = "\xff"
	segment, _ := encodeRecord(segmentHead(stream, 0, 0, 0, nil, nil), nil)
	events, _ := encodeRecord(eventsHead(1, spooled(1, 2)), spooled(1, 2))
	batch, _ := encodeRecord(head{Kind: "batch", Batch: &SpooledBatch{"a", 1, 2, 5}}, nil)
	bodies := [][]byte{segment[headerBytes:], events[headerBytes:], batch[headerBytes:]}
	f.Add(bytes.Join(bodies, []byte(between)), []byte{})
	f.Add(bytes.Join(bodies, []byte(between)), segment[:20])
	f.Add(bytes.Join(bodies[:1], []byte(between)), events)
	f.Add([]byte(`{"kind":"segment","version":1,"stream_id":"`+stream+`","last":9007199254740993,"done":-1}`), []byte{0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, bodies, tail []byte) {
		folder := t.TempDir()
		var text []byte
		for body := range bytes.SplitSeq(bodies, []byte(between)) {
			var header [headerBytes]byte
			binary.LittleEndian.PutUint32(header[:], uint32(len(body)))
			binary.LittleEndian.PutUint32(header[4:], crc32.ChecksumIEEE(body))
			binary.LittleEndian.PutUint32(header[8:], crc32.ChecksumIEEE(header[:8]))
			text = append(append(text, header[:]...), body...)
		}
		if err := os.WriteFile(segmentPath(folder, 1), append(text, tail...), 0o600); err != nil {
			t.Fatal(err)
		}
		first, err := recoverSpool(folder, stream)
		var known *Error
		if err != nil && !errors.As(err, &known) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		second, err := recoverSpool(folder, stream)
		if err != nil || second.state.CutBytes != 0 {
			t.Fatalf("opened again: %+v, %v", second, err)
		}
		first.state.CutBytes = 0
		if !reflect.DeepEqual(first, second) {
			t.Fatalf("%+v, and then %+v", first, second)
		}
	})
}
