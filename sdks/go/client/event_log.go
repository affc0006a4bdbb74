package client

import (
	"context"
	"iter"
	"net/http"
	"sync"

	"svc.example/go"
	"svc.example/go/internal/jsonx"
)

const logEvents = "/v1/sdk/events"

// An EventLog records events of the key's system without making or naming a stream, finds them again, and gets the
// proof of each. Receipts hold; proofs are unchecked.
type EventLog struct {
	transport *transport
	receipts  *receipts
	mu        sync.Mutex
	// streamID is the stream of the newest event that this client recorded.
	streamID string
}

// Append records one event, and returns its receipt after the event is on the service's disk, if the receipt holds; its
// payload is {status, payload}.
func (l *EventLog) Append(ctx context.Context, event LogInput, options ...WriteOption) (*svc.ReceiptRecord, error) {
	whole := func(value jsonx.Value) []jsonx.Value { return []jsonx.Value{value} }
	records, err := l.record(ctx, logEvents, event, options, whole, whole)
	if err != nil {
		return nil, err
	}
	return &records[0], nil
}

// AppendBatch records 1 to 1000 events, all or none, and returns their receipts in order, if all of them hold.
func (l *EventLog) AppendBatch(ctx context.Context, events []LogInput, options ...WriteOption) ([]svc.ReceiptRecord, error) {
	body := struct {
		Events []LogInput `json:"events"`
	}{events}
	return l.record(ctx, logEvents+"/batch", body, options,
		func(sent jsonx.Value) []jsonx.Value { return valuesOf(sent.Get("events")) },
		func(answer jsonx.Value) []jsonx.Value { return valuesOf(answer.Get("receipts")) })
}

func (l *EventLog) record(ctx context.Context, path string, input any, options []WriteOption, sent, came func(jsonx.Value) []jsonx.Value) ([]svc.ReceiptRecord, error) {
	body, err := textOf(input)
	if err != nil {
		return nil, err
	}
	w, err := writeOf(options)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	likely := l.streamID
	l.mu.Unlock()
	events := func(body jsonx.Value) []jsonx.Value {
		var list []jsonx.Value
		for _, one := range sent(body) {
			list = append(list, asRecorded(one))
		}
		return list
	}
	check, err := l.receipts.send(ctx, recording{path: path, body: body, likely: likely, events: events, receipts: came}, w)
	if err != nil {
		return nil, err
	}
	records, err := check(ctx)
	if err != nil {
		return nil, err
	}
	if len(records) > 0 {
		l.mu.Lock()
		l.streamID = records[0].StreamID
		l.mu.Unlock()
	}
	return records, nil
}

// asRecorded returns the stream's event that records an event of the log.
func asRecorded(event jsonx.Value) jsonx.Value {
	text, err := jsonx.Encode(jsonx.Members{
		{Name: "event_type", Value: event.Get("type")}, {Name: "occurred_at", Value: event.Get("occurred_at")},
		{Name: "source_ref", Value: event.Get("source_ref")},
		{Name: "payload", Value: jsonx.Members{
			{Name: "status", Value: event.Get("status")}, {Name: "payload", Value: event.Get("payload")},
		}},
	})
	if err != nil {
		panic("client: an event that was sent has no members: " + err.Error())
	}
	return parsedRecord(text).value
}

// A LogFilter narrows a list of events.
type LogFilter struct {
	PageRequest
	Type, Status, SourceRef string
	// SystemID is the key's own system.
	SystemID string
	// OccurredFrom and OccurredBefore are RFC 3339 with Z or an offset: events that occurred at the first time or later,
	// and earlier than the second.
	OccurredFrom, OccurredBefore string
}

func (l *EventLog) list(f LogFilter) lister[LoggedEvent] {
	query := f.query()
	for name, value := range map[string]string{
		"type": f.Type, "status": f.Status, "source_ref": f.SourceRef, "system_id": f.SystemID,
		"occurred_from": f.OccurredFrom, "occurred_before": f.OccurredBefore,
	} {
		setText(query, name, value)
	}
	return listOf[LoggedEvent](l.transport, "/v1/events", query)
}

// Events lists the events, in the order in which they were recorded, without payloads.
func (l *EventLog) Events(ctx context.Context, filter LogFilter) iter.Seq2[LoggedEvent, error] {
	return l.list(filter).all(ctx, filter.Cursor)
}

// EventsPage returns one page of [EventLog.Events].
func (l *EventLog) EventsPage(ctx context.Context, filter LogFilter) (*Page[LoggedEvent], error) {
	return l.list(filter).page(ctx, filter.Cursor)
}

// Event returns one event by its stream_event_id with its payload, unchecked: [EventLog.ProofBytes] proves it.
func (l *EventLog) Event(ctx context.Context, eventID string) (*WholeLoggedEvent, error) {
	return get[WholeLoggedEvent](ctx, l.transport, pathOf("/v1/events/%s", eventID))
}

// ProofBytes returns the proof of an event, as the exact bytes that the service sent: save these. The proof verifies at
// once, and grows as evidence comes.
func (l *EventLog) ProofBytes(ctx context.Context, eventID string) ([]byte, error) {
	return l.transport.send(ctx, request{method: http.MethodGet, path: pathOf("/v1/events/%s/proof", eventID)})
}

// Proof returns the proof of an event, as a struct. Save the bytes of [EventLog.ProofBytes], not this.
func (l *EventLog) Proof(ctx context.Context, eventID string) (*svc.PortableReceipt, error) {
	text, err := l.ProofBytes(ctx, eventID)
	if err != nil {
		return nil, err
	}
	return parsed[svc.PortableReceipt](pathOf("/v1/events/%s/proof", eventID), text)
}

// VerifyOnline returns the service's own verdict on a proof, under its own keys; [svc.Verify] gives yours. proof is one
// JSON text. It needs no key.
func (l *EventLog) VerifyOnline(ctx context.Context, proof []byte) (*svc.Report, error) {
	return verifyOnline(ctx, l.transport, "/v1/public/verify", proof)
}
