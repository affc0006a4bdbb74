package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"svc.example/go"
	"svc.example/go/internal/jsonx"
)

// A Stream appends events to one stream, reads them again, and says how far their evidence has come. Receipts, records
// and heads hold; windows, checkpoints and forks are unchecked.
type Stream struct {
	transport *transport
	receipts  *receipts
	id        string
}

// ID returns the stream_id.
func (s *Stream) ID() string { return s.id }

func (s *Stream) path(rest string) string { return pathOf("/v2/streams/%s", s.id) + rest }

// ContinueFrom tells the client the newest receipt that you kept: the stream must continue behind it. It returns an
// error for the receipt of another stream.
func (s *Stream) ContinueFrom(head svc.ReceiptRecord) error {
	if head.StreamID != s.id {
		return fmt.Errorf("client: the head is of %s", head.StreamID)
	}
	text, err := json.Marshal(withoutPayloadOf(head))
	if err != nil {
		return err
	}
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil {
		return err
	}
	s.receipts.mu.Lock()
	defer s.receipts.mu.Unlock()
	s.receipts.streams.of(s.id).note(recordsOf(tree.Root()))
	return nil
}

// Append records one event, and returns its receipt after the event is on the service's disk, if the receipt holds. The
// error is a [*VerificationError] for a receipt that does not hold; the event may be recorded then.
func (s *Stream) Append(ctx context.Context, event EventInput, options ...WriteOption) (*svc.ReceiptRecord, error) {
	body, err := textOf(event)
	if err != nil {
		return nil, err
	}
	w, err := writeOf(options)
	if err != nil {
		return nil, err
	}
	whole := func(value jsonx.Value) []jsonx.Value { return []jsonx.Value{value} }
	rec := recording{path: s.path("/events"), body: body, streamID: s.id, likely: s.id, events: whole, receipts: whole}
	records, err := s.record(ctx, rec, w)
	if err != nil {
		return nil, err
	}
	return &records[0], nil
}

func (s *Stream) record(ctx context.Context, rec recording, w write) ([]svc.ReceiptRecord, error) {
	if s.id == "" {
		return nil, errNoStream
	}
	check, err := s.receipts.send(ctx, rec, w)
	if err != nil {
		return nil, err
	}
	return check(ctx)
}

// AppendBatch records 1 to 1000 events, all or none, and returns their receipts in order, if all of them hold. The
// detail of a refusal has the index of the event.
func (s *Stream) AppendBatch(ctx context.Context, events []EventInput, options ...WriteOption) ([]svc.ReceiptRecord, error) {
	texts, err := eventTexts(events)
	if err != nil {
		return nil, err
	}
	sent, err := s.SendBatch(ctx, texts, options...)
	if err != nil {
		return nil, err
	}
	return sent.Receipts(ctx)
}

// A SentBatch is a batch that was answered, and whose receipts have not been checked yet.
type SentBatch struct {
	check func(context.Context) ([]svc.ReceiptRecord, error)
}

// Receipts checks the receipts and returns them, as [Stream.AppendBatch] does.
func (b *SentBatch) Receipts(ctx context.Context) ([]svc.ReceiptRecord, error) { return b.check(ctx) }

// SendBatch sends a batch of events, each as JSON text, and returns when the answer has come: so more can be sent
// before the receipts are checked. Check the answers in the order of the batches.
func (s *Stream) SendBatch(ctx context.Context, events []json.RawMessage, options ...WriteOption) (*SentBatch, error) {
	if s.id == "" {
		return nil, errNoStream
	}
	w, err := writeOf(options)
	if err != nil {
		return nil, err
	}
	path := s.path("/events/batch")
	if w.afterKey != "" {
		path += "?" + url.Values{"after_key": {w.afterKey}}.Encode()
	}
	check, err := s.receipts.send(ctx, recording{
		path: path, body: listText("events", events), streamID: s.id, likely: s.id,
		events:   func(body jsonx.Value) []jsonx.Value { return valuesOf(body.Get("events")) },
		receipts: func(answer jsonx.Value) []jsonx.Value { return valuesOf(answer.Get("receipts")) },
	}, w)
	if err != nil {
		return nil, err
	}
	return &SentBatch{check}, nil
}

// valuesOf returns the elements of an array; nil for any other value.
func valuesOf(list jsonx.Value) []jsonx.Value {
	if list.Kind() != jsonx.Array {
		return nil
	}
	values := make([]jsonx.Value, 0, list.Len())
	for _, one := range list.Elements() {
		values = append(values, one)
	}
	return values
}

// Erase erases the payload of an event for good; its hashes stay, and every proof stays valid. It needs a key that is
// allowed to erase. reason is recorded for good, so it must name no person. The lifecycle event of the erasure has been
// checked.
func (s *Stream) Erase(ctx context.Context, eventID, reason string, options ...WriteOption) (*Erasure, error) {
	w, err := writeOf(options)
	if err != nil {
		return nil, err
	}
	body, err := textOf(map[string]string{"reason": reason})
	if err != nil {
		return nil, err
	}
	path := s.path(pathOf("/events/%s/erase", eventID))
	text, err := s.transport.write(ctx, path, body, w.key, 0)
	if err != nil {
		return nil, err
	}
	return lifecycle[Erasure](ctx, s.receipts, path, text, "event.erased")
}

// lifecycle reads an answer whose lifecycle_record has to hold.
func lifecycle[T any](ctx context.Context, r *receipts, path string, text []byte, eventType string) (*T, error) {
	tree, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	if err := r.checkLifecycle(ctx, tree.Root().Get("lifecycle_record"), eventType, text); err != nil {
		return nil, err
	}
	value := new(T)
	return orNil(value, decode(path, tree.Root(), value))
}

// Head returns the newest event and its receipt, without the payload. The client also reads the events between it and
// the newest event that it knows; they must chain.
func (s *Stream) Head(ctx context.Context) (*StreamHead, error) {
	seen, _ := s.receipts.head(s.id)
	stale := func(head string, answer []byte) error {
		message := fmt.Sprintf("The head of %s is %s, and event %d was handed out before.", s.id, head, seen)
		return (&untruth{code: CodeHeadStale, message: message}).in(answer)
	}
	path := s.path("/head")
	text, err := s.transport.send(ctx, request{method: http.MethodGet, path: path})
	var failure *Error
	if errors.As(err, &failure) && failure.Code == CodeStreamEmpty && seen > 0 {
		return nil, stale("empty", failure.Detail)
	}
	if err != nil {
		return nil, err
	}
	tree, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	shown := record{value: tree.Root()}
	if seqNo := shown.seqNo(); seqNo < seen {
		return nil, stale(fmt.Sprintf("event %d", seqNo), text)
	}
	// A head shows less than its event hash covers; the record shows all of it.
	receiptPath := pathOf("/v2/receipts/%s", shown.text("stream_event_id"))
	answer, err := s.transport.send(ctx, request{method: http.MethodGet, path: receiptPath})
	if err != nil {
		return nil, err
	}
	whole, err := parse(receiptPath, answer)
	if err != nil {
		return nil, err
	}
	own := record{value: whole.Root()}
	if _, err := s.receipts.check(ctx, []record{own}, expectation{streamID: s.id, goesOn: true}, answer); err != nil {
		return nil, err
	}
	for _, name := range []string{"stream_id", "stream_event_id", "event_hash", "previous_event_hash", "stream_head_hash", "seq_no", "receipt"} {
		if isSameMember(own.value, shown.value, name) {
			continue
		}
		message := fmt.Sprintf("The head's %s is not that of its event.", name)
		return nil, (&untruth{code: CodeReceiptMismatch, message: message}).in(text)
	}
	head := new(StreamHead)
	return orNil(head, decode(path, tree.Root(), head))
}

func isSameMember(own, shown jsonx.Value, name string) bool {
	own, shown = own.Get(name), shown.Get(name)
	if name != "receipt" {
		return own.Equal(shown)
	}
	return own.Get("kid").Equal(shown.Get("kid")) && own.Get("signature").Equal(shown.Get("signature"))
}

// ProofState returns how far the stream's evidence has come, as the service states it, unchecked: a pack proves it.
func (s *Stream) ProofState(ctx context.Context) (*ProofState, error) {
	return get[ProofState](ctx, s.transport, s.path("/proof-state"))
}

// An EventFilter narrows a list of events.
type EventFilter struct {
	PageRequest
	EventType, SourceRef string
	// FromSeqNo is the number of the first event; 0 for the first one of the stream, or where Cursor leads.
	FromSeqNo int64
}

// Events lists the events as receipt records, without payloads and salts, in order. Each record holds by itself.
// Without a type or reference the records also follow each other without a gap, up to the newest event that this client
// knows.
func (s *Stream) Events(ctx context.Context, filter EventFilter) iter.Seq2[svc.RedactedRecord, error] {
	return s.list(filter).all(ctx, filter.Cursor)
}

// EventsPage returns one page of [Stream.Events].
func (s *Stream) EventsPage(ctx context.Context, filter EventFilter) (*Page[svc.RedactedRecord], error) {
	return s.list(filter).page(ctx, filter.Cursor)
}

// list returns the pages of events. It remembers the last record of a page, before which the next one must begin.
func (s *Stream) list(filter EventFilter) lister[svc.RedactedRecord] {
	var last *record
	return func(ctx context.Context, cursor string, before *svc.RedactedRecord) (*Page[svc.RedactedRecord], bool, error) {
		if before == nil {
			last = nil
		}
		query := PageRequest{filter.Limit, cursor}.query()
		setText(query, "event_type", filter.EventType)
		setText(query, "source_ref", filter.SourceRef)
		if filter.FromSeqNo != 0 {
			query.Set("from_seq_no", strconv.FormatInt(filter.FromSeqNo, 10))
		}
		seen, _ := s.receipts.head(s.id)
		raw, err := s.transport.pageOf(ctx, s.path("/events"), query)
		if err != nil {
			return nil, false, err
		}
		check := s.checkRun
		if filter.EventType != "" || filter.SourceRef != "" {
			check = s.checkChosen
		}
		records, err := check(ctx, filter, raw, last, seen)
		if err != nil {
			return nil, false, err
		}
		if len(raw.items) > 0 {
			last = &record{value: raw.items[len(raw.items)-1]}
		}
		page := &Page[svc.RedactedRecord]{NextCursor: raw.nextCursor}
		for _, one := range records {
			page.Items = append(page.Items, withoutPayloadOf(one))
		}
		return page, raw.isLast, nil
	}
}

// checkChosen checks a page of events of a type or with a reference.
func (s *Stream) checkChosen(ctx context.Context, filter EventFilter, raw *rawPage, last *record, _ int64) ([]svc.ReceiptRecord, error) {
	least := max(filter.FromSeqNo, 1)
	if last != nil {
		least = last.seqNo() + 1
	}
	var all []svc.ReceiptRecord
	for _, item := range raw.items {
		records, err := s.receipts.check(ctx, recordsOf(item), expectation{streamID: s.id}, raw.answer)
		if err != nil {
			return nil, err
		}
		one := records[0]
		isChosen := (filter.EventType == "" || one.EventType == filter.EventType) && (filter.SourceRef == "" || one.SourceRef == filter.SourceRef)
		if !isChosen || one.SeqNo < least {
			message := fmt.Sprintf("Event %d of %s is in a list that was asked for others, or for others first.", one.SeqNo, s.id)
			return nil, (&untruth{code: CodeReceiptMismatch, message: message}).in(raw.answer)
		}
		least = one.SeqNo + 1
		all = append(all, one)
	}
	return all, nil
}

// checkRun checks a page of all events: they follow each other and the page before.
func (s *Stream) checkRun(ctx context.Context, filter EventFilter, raw *rawPage, last *record, seen int64) (all []svc.ReceiptRecord, err error) {
	from := filter.FromSeqNo
	if from == 0 && filter.Cursor == "" {
		from = 1
	}
	if len(raw.items) > 0 {
		expected := expectation{streamID: s.id, before: last}
		if all, err = s.receipts.check(ctx, recordsOf(raw.items...), expected, raw.answer); err != nil {
			return nil, err
		}
		if last == nil && from != 0 && all[0].SeqNo != from {
			message := fmt.Sprintf("The list begins with event %d, and event %d was asked for.", all[0].SeqNo, from)
			return nil, (&untruth{code: CodeRangeIncomplete, message: message}).in(raw.answer)
		}
	}
	newest := seen
	switch {
	case len(all) > 0:
		newest = all[len(all)-1].SeqNo
	case last != nil:
		newest = last.seqNo()
	case from != 0:
		newest = from - 1
	}
	if raw.isLast && newest < seen {
		message := fmt.Sprintf("The list ends with event %d, and event %d was handed out before.", newest, seen)
		return nil, (&untruth{code: CodeHeadStale, message: message}).in(raw.answer)
	}
	return all, nil
}

// Windows lists the windows (protocol section 8), in order, unchecked.
func (s *Stream) Windows(ctx context.Context, page PageRequest) iter.Seq2[svc.Window, error] {
	return listOf[svc.Window](s.transport, s.path("/windows"), page.query()).all(ctx, page.Cursor)
}

// WindowsPage returns one page of [Stream.Windows].
func (s *Stream) WindowsPage(ctx context.Context, page PageRequest) (*Page[svc.Window], error) {
	return listOf[svc.Window](s.transport, s.path("/windows"), page.query()).page(ctx, page.Cursor)
}

// Checkpoints lists the checkpoints (protocol section 9), in order, unchecked.
func (s *Stream) Checkpoints(ctx context.Context, page PageRequest) iter.Seq2[svc.Checkpoint, error] {
	return listOf[svc.Checkpoint](s.transport, s.path("/checkpoints"), page.query()).all(ctx, page.Cursor)
}

// CheckpointsPage returns one page of [Stream.Checkpoints].
func (s *Stream) CheckpointsPage(ctx context.Context, page PageRequest) (*Page[svc.Checkpoint], error) {
	return listOf[svc.Checkpoint](s.transport, s.path("/checkpoints"), page.query()).page(ctx, page.Cursor)
}

// Forks lists the evidence that the service has signed two histories of the stream, unchecked; empty if all is well.
func (s *Stream) Forks(ctx context.Context, page PageRequest) iter.Seq2[svc.Fork, error] {
	return listOf[svc.Fork](s.transport, s.path("/forks"), page.query()).all(ctx, page.Cursor)
}

// ForksPage returns one page of [Stream.Forks].
func (s *Stream) ForksPage(ctx context.Context, page PageRequest) (*Page[svc.Fork], error) {
	return listOf[svc.Fork](s.transport, s.path("/forks"), page.query()).page(ctx, page.Cursor)
}
