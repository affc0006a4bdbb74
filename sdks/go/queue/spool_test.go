package queue

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const stream = "str_01k3zjv5c7m5n0rhd0sxkqgx2t"

func spooled(numbers ...int) (events []SpooledEvent) {
	for _, number := range numbers {
		events = append(events, SpooledEvent{Text: fmt.Appendf(nil, `{"n":%d,"é":"<&>"}`, number), At: int64(1000 + number), Key: fmt.Sprint("S-", number)})
	}
	return events
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func isCode(err error, code Code) bool { return errors.Is(err, &Error{Code: code}) }

// TestSpools holds every spool to the contract.
func TestSpools(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "spool")
	memory := NewMemorySpool(0)
	for name, make := range map[string]func() Spool{
		"memory": func() Spool { return memory },
		"file":   func() Spool { return &FileSpool{Folder: folder, SegmentBytes: 300} },
	} {
		t.Run(name, func(t *testing.T) {
			s := make()
			state := must(s.Open(stream))(t)
			if state.Last != 0 || len(state.Keys) != 0 {
				t.Fatalf("%+v", state)
			}
			if _, err := make().Open(stream); !isCode(err, CodeSpoolInUse) {
				t.Fatalf("opened twice: %v", err)
			}
			for i := 1; i < 40; i += 3 {
				ok(t, s.Add(spooled(i, i+1, i+2)))
			}
			ok(t, s.KeepBatch(SpooledBatch{"a", 1, 10, 5}))
			ok(t, s.KeepBatch(SpooledBatch{"b", 11, 20, 6}))
			ok(t, s.KeepBatch(SpooledBatch{"c", 6, 12, 7}))
			events := must(s.Read(2, ReadLimits{Events: 6, Bytes: 1 << 20}))(t)
			if len(events) != 6 || !bytes.Equal(events[0].Text, spooled(2)[0].Text) || !bytes.Equal(events[5].Text, spooled(7)[0].Text) {
				t.Fatalf("%v", events)
			}
			if few := must(s.Read(39, ReadLimits{Events: 6, Bytes: 1}))(t); len(few) != 1 {
				t.Fatalf("%v", few)
			}
			if early := must(s.Read(1, ReadLimits{Events: 1, Bytes: 1}))(t); !bytes.Equal(early[0].Text, spooled(1)[0].Text) {
				t.Fatalf("%v", early)
			}
			ok(t, s.Settle(12, 99))
			ok(t, s.Close())
			if _, err := make().Open("str_other"); !isCode(err, CodeSpoolForeign) {
				t.Fatalf("another stream: %v", err)
			}
			s = make()
			state = must(s.Open(stream))(t)
			if state.Last != 39 || state.Done != 12 || state.DoneSeqNo != 99 || len(state.Batches) != 0 || len(state.Keys) != 39 || state.Keys[38] != "S-39" {
				t.Fatalf("%+v", state)
			}
			var size int64
			for i := 13; i <= 39; i++ {
				size += int64(len(spooled(i)[0].Text))
			}
			if state.Bytes != size {
				t.Fatalf("%d bytes wait, and %d are said", size, state.Bytes)
			}
			ok(t, s.Close())
		})
	}
}

// filled returns a folder with a spool of several files, and the bytes of its last one.
func filled(t *testing.T) (folder, last string, text []byte) {
	t.Helper()
	folder = t.TempDir()
	s := &FileSpool{Folder: folder, SegmentBytes: 200}
	must(s.Open(stream))(t)
	for i := 1; i < 8; i++ {
		ok(t, s.Add(spooled(i)))
	}
	ok(t, s.Close())
	names := must(filepath.Glob(filepath.Join(folder, "*.spool")))(t)
	if len(names) < 3 {
		t.Fatalf("%q", names)
	}
	last = names[len(names)-1]
	return folder, last, must(os.ReadFile(last))(t)
}

func TestInterruptedWritesAreCutOff(t *testing.T) {
	folder, last, text := filled(t)
	whole := readRecord(text).length
	for size := 0; size < len(text); size += 7 {
		ok(t, os.WriteFile(last, text[:size], 0o600))
		s := &FileSpool{Folder: folder, SegmentBytes: 200}
		state, err := s.Open(stream)
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", size, len(text), err)
		}
		if size < whole && state.CutBytes != int64(size) {
			t.Fatalf("cut at %d: %+v", size, state)
		}
		ok(t, s.Add(spooled(100)))
		ok(t, s.Close())
		s = &FileSpool{Folder: folder}
		if again := must(s.Open(stream))(t); again.Last != state.Last+1 || again.CutBytes != 0 {
			t.Fatalf("cut at %d, then %+v", size, again)
		}
		ok(t, s.Close())
	}
}

func TestDamageIsRefused(t *testing.T) {
	folder, last, text := filled(t)
	first := filepath.Join(folder, "0000000001.spool")
	old := must(os.ReadFile(first))(t)
	for at := range old {
		changed := bytes.Clone(old)
		changed[at] ^= 0x20
		ok(t, os.WriteFile(first, changed, 0o600))
		if _, err := (&FileSpool{Folder: folder}).Open(stream); !isCode(err, CodeSpoolCorrupt) && !isCode(err, CodeSpoolForeign) {
			t.Fatalf("byte %d of the first file: %v", at, err)
		}
	}
	ok(t, os.WriteFile(first, old, 0o600))
	// In the middle of the last file something was on the disk, as a later record says.
	record := readRecord(text)
	changed := bytes.Clone(text)
	changed[record.length-1] ^= 0x20
	ok(t, os.WriteFile(last, changed, 0o600))
	if _, err := (&FileSpool{Folder: folder}).Open(stream); !isCode(err, CodeSpoolCorrupt) {
		t.Fatal(err)
	}
	ok(t, os.WriteFile(last, text, 0o600))
	ok(t, os.Remove(filepath.Join(folder, "0000000002.spool")))
	if _, err := (&FileSpool{Folder: folder}).Open(stream); !isCode(err, CodeSpoolCorrupt) {
		t.Fatal(err)
	}
}

// TestRecordBytes has records of the form of docs/append-queue.md, byte for byte.
func TestRecordBytes(t *testing.T) {
	events := []SpooledEvent{{Text: []byte(`{"n":1}`), At: 1772357400000, Key: "S-1"}, {Text: []byte(`{"n":2}`)}}
	h := eventsHead(1, events)
	h.Synced = 187
	got := must(encodeRecord(h, events))(t)
	want := "\x69\x00\x00\x00\xb1\x5c\x84\x40\x0d\x86\xdd\x43" +
		`{"kind":"events","first":1,"count":2,"at":1772357400000,"keys":["S-1",null],"synced":187}` + "\n" + `{"n":1}` + "\n" + `{"n":2}`
	if string(got) != want {
		t.Fatalf("%q", got)
	}
	var names string
	for _, h := range []head{
		segmentHead(stream, 5, 3, 99, []SpooledBatch{{"k", 4, 5, 7}}, []string{"S-1"}), segmentHead(stream, 0, 0, 0, nil, nil),
		{Kind: "batch", Batch: &SpooledBatch{"k", 4, 5, 7}, Synced: 9},
	} {
		names += string(must(encodeRecord(h, nil))(t)[headerBytes:]) + "\n"
	}
	if want := `{"kind":"segment","version":1,"stream_id":"` + stream + `","last":5,"done":3,"done_seq_no":99,"batches":[{"key":"k","first":4,"last":5,"madeAt":7}],"keys":["S-1"],"synced":0}
{"kind":"segment","version":1,"stream_id":"` + stream + `","last":0,"done":0,"done_seq_no":0,"batches":[],"synced":0}
{"kind":"batch","batch":{"key":"k","first":4,"last":5,"madeAt":7},"synced":9}
`; names != want {
		t.Fatal(names)
	}
}
