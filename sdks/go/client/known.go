package client

import "slices"

const (
	// maxRecent is the number of records kept of a stream: so many parallel appends can come back in any order, and are
	// still compared with each other.
	maxRecent = 64
	// maxRecentStreams is the number of streams of which more than the newest record is kept.
	maxRecentStreams = 256
)

// A known is a client's knowledge of one stream: its head and the newest records, with which new answers are compared.
type known struct {
	// head is the number of the newest event that was seen: 0 for a stream that is known to be empty.
	head int64
	// isSeen is false where nothing is known.
	isSeen bool
	recent map[int64]record
	// order holds the numbers in recent, the oldest first.
	order []int64
}

// at returns the record of a number, if it is among the newest.
func (k *known) at(seqNo int64) (record, bool) {
	one, ok := k.recent[seqNo]
	return one, ok
}

// isNew notes that the stream has just been made.
func (k *known) isNew() { k.isSeen = true }

// shrink forgets all records but the newest.
func (k *known) shrink() {
	k.order = slices.DeleteFunc(k.order, func(seqNo int64) bool {
		if seqNo == k.head {
			return false
		}
		delete(k.recent, seqNo)
		return true
	})
}

// note keeps records that hold, in order, without their payloads.
func (k *known) note(records []record) {
	if k.recent == nil {
		k.recent = map[int64]record{}
	}
	for _, one := range records[max(0, len(records)-maxRecent):] {
		seqNo := one.seqNo()
		if _, ok := k.recent[seqNo]; !ok {
			k.order = append(k.order, seqNo)
		}
		// The kept bytes are a separate copy: a record must not keep the whole answer in memory.
		k.recent[seqNo] = parsedRecord(slices.Clone(one.redacted()))
		k.head, k.isSeen = max(k.head, seqNo), true
		if len(k.order) > maxRecent {
			delete(k.recent, k.order[0])
			k.order = k.order[1:]
		}
	}
}

// A streams is a client's knowledge of its streams: the newest record of each, and more of the latest ones.
type streams struct {
	all map[string]*known
	// recent holds the latest streams, the latest one at the end.
	recent []string
}

// of returns what has been seen of a stream, and remembers the stream.
func (s *streams) of(streamID string) *known {
	k := s.peek(streamID)
	if s.all == nil {
		s.all = map[string]*known{}
	}
	s.all[streamID] = k
	return k
}

// peek returns what has been seen of a stream; nothing for one that is not remembered.
func (s *streams) peek(streamID string) *known {
	if k, ok := s.all[streamID]; ok {
		return k
	}
	return &known{}
}

// note keeps records of a stream that hold, in order.
func (s *streams) note(streamID string, records []record) {
	s.of(streamID).note(records)
	if last := len(s.recent) - 1; last >= 0 && s.recent[last] == streamID {
		return
	}
	s.recent = append(slices.DeleteFunc(s.recent, func(one string) bool { return one == streamID }), streamID)
	if len(s.recent) <= maxRecentStreams {
		return
	}
	s.all[s.recent[0]].shrink()
	s.recent = s.recent[1:]
}
