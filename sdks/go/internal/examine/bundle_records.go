package examine

import (
	"sort"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// A recordList holds of each record only what windows need: a bundle may have millions.
type recordList struct {
	seqNos []int64
	events []merkle.Hash
	// next is the first record that no window has taken.
	next int
}

func (l *recordList) len() int { return len(l.seqNos) }

// take returns the event hashes of the next records, up to a number, in the order in which they stand.
func (l *recordList) take(to int64) []merkle.Hash {
	begin := l.next
	for l.next < len(l.seqNos) && l.seqNos[l.next] <= to {
		l.next++
	}
	return l.events[begin:l.next]
}

// A payloadShelf is the payloads of a bundle, which stand apart from their records, in the order of their identifiers.
type payloadShelf struct {
	names  []jsonx.Value
	values []jsonx.Value
	isUsed []bool
	next   int
}

func newPayloadShelf(payloads jsonx.Value) *payloadShelf {
	s := &payloadShelf{}
	for name, value := range payloads.Members() {
		s.names, s.values = append(s.names, name), append(s.values, value)
	}
	s.isUsed = make([]bool, len(s.names))
	return s
}

// find returns the payload of an event; most are asked for in order.
func (s *payloadShelf) find(event jsonx.Value) (value jsonx.Value, ok bool) {
	i := s.next
	if i >= len(s.names) || !s.names[i].Equal(event) {
		i = sort.Search(len(s.names), func(i int) bool { return s.names[i].Compare(event) >= 0 })
		if i >= len(s.names) || !s.names[i].Equal(event) {
			return value, false
		}
	}
	s.isUsed[i] = true
	s.next = i + 1
	return s.values[i], true
}

// records examines the records of a bundle, and the payloads that stand apart from them.
func (e *exam) records(b *bundle) {
	list := b.artifacts.Get("receipts.json")
	shelf := newPayloadShelf(b.value.Get("payloads"))
	records := &b.records
	count := list.Len()
	records.seqNos = make([]int64, 0, count)
	records.events = make([]merkle.Hash, 0, count)
	var first, before record
	for i, one := range list.Elements() {
		r := readRecord(one)
		path := at(receiptsPath, i)
		e.record(&r, path)
		if entry, ok := shelf.find(r.eventID); ok {
			e.payload(&r, entry.Get("payload"), entry.Get("payload_salt"), "/payloads/"+textOf(r.eventID))
		} else {
			e.redacted++
		}
		if i == 0 {
			first = r
			e.follows(nil, &r, b.stream, path)
		} else {
			e.follows(&before, &r, b.stream, path)
		}
		before = r
		records.seqNos = append(records.seqNos, r.seqNo)
		records.events = append(records.events, hashText(textOf(r.eventHash)))
	}
	e.notePayloads()
	for i, isUsed := range shelf.isUsed {
		if !isUsed {
			e.fault(report.CheckPayloadHash, report.CodeMalformed, "/payloads/"+textOf(shelf.names[i]), "The payload is of no record here.")
		}
	}
	if count > 0 {
		e.received(&first, &before)
	}
}
