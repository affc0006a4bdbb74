package bundle

import (
	"sort"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/values"
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

// A Shelf is the payloads of a bundle, which stand apart from their records, in the order of their identifiers.
type Shelf struct {
	names  []jsonx.Value
	values []jsonx.Value
	isUsed []bool
	next   int
}

// NewShelf returns the shelf of the member payloads of a bundle.
func NewShelf(payloads jsonx.Value) *Shelf {
	s := &Shelf{}
	for name, value := range payloads.Members() {
		s.names, s.values = append(s.names, name), append(s.values, value)
	}
	s.isUsed = make([]bool, len(s.names))
	return s
}

// Find returns the payload of an event; most are asked for in order.
func (s *Shelf) Find(event jsonx.Value) (value jsonx.Value, ok bool) {
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

// examineRecords examines the records of a bundle, and the payloads that stand apart from them.
func examineRecords(e *examination.Exam, b *bundle) {
	list := b.Artifacts.Get("receipts.json")
	shelf := NewShelf(b.Value.Get("payloads"))
	records := &b.records
	count := list.Len()
	records.seqNos = make([]int64, 0, count)
	records.events = make([]merkle.Hash, 0, count)
	var first, before receipt.Record
	for i, one := range list.Elements() {
		r := receipt.Read(one)
		path := values.At(receiptsPath, i)
		receipt.Examine(e, &r, path)
		if entry, ok := shelf.Find(r.EventID); ok {
			receipt.HoldPayload(e, &r, entry.Get("payload"), entry.Get("payload_salt"), "/payloads/"+values.TextOf(r.EventID))
		} else {
			e.Redacted++
		}
		if i == 0 {
			first = r
			receipt.HoldOrder(e, nil, &r, b.Stream, path)
		} else {
			receipt.HoldOrder(e, &before, &r, b.Stream, path)
		}
		before = r
		records.seqNos = append(records.seqNos, r.SeqNo)
		records.events = append(records.events, values.ParseHash(values.TextOf(r.EventHash)))
	}
	e.NotePayloads()
	for i, isUsed := range shelf.isUsed {
		if !isUsed {
			e.Fault(report.CheckPayloadHash, report.CodeMalformed, "/payloads/"+values.TextOf(shelf.names[i]), "The payload is of no record here.")
		}
	}
	if count > 0 {
		receipt.Received(e, &first, &before)
	}
}
