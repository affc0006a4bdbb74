package examine

import (
	"slices"
	"sort"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// A recordList holds of each record only what windows need: a bundle may have millions.
type recordList struct {
	seqNos []int64
	events []merkle.Hash
	heads  []merkle.Hash
	// order holds the places of the records by number, where they do not ascend; nil where they do.
	order []int
}

func (l *recordList) len() int { return len(l.seqNos) }

// within returns the places of the records with numbers of a range, by number and then by place.
func (l *recordList) within(from, to int64) []int {
	at := func(i int) int {
		if l.order != nil {
			return l.order[i]
		}
		return i
	}
	begin := sort.Search(len(l.seqNos), func(i int) bool { return l.seqNos[at(i)] >= from })
	end := sort.Search(len(l.seqNos), func(i int) bool { return l.seqNos[at(i)] > to })
	places := make([]int, 0, max(end-begin, 0))
	for i := begin; i < end; i++ {
		places = append(places, at(i))
	}
	return places
}

func (l *recordList) index() {
	if slices.IsSorted(l.seqNos) {
		return
	}
	l.order = make([]int, len(l.seqNos))
	for i := range l.order {
		l.order[i] = i
	}
	slices.SortStableFunc(l.order, func(a, b int) int {
		switch {
		case l.seqNos[a] < l.seqNos[b]:
			return -1
		case l.seqNos[a] > l.seqNos[b]:
			return 1
		default:
			return 0
		}
	})
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
	records.heads = make([]merkle.Hash, 0, count)
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
		records.heads = append(records.heads, hashText(textOf(r.head)))
	}
	records.index()
	for i, isUsed := range shelf.isUsed {
		if !isUsed {
			e.looked(report.CheckPayloadHash, 1)
			e.fault(report.CheckPayloadHash, report.CodeMalformed, "/payloads/"+textOf(shelf.names[i]), "The payload is of no record here.")
		}
	}
	if count > 0 {
		e.received(&first, &before)
	}
}
