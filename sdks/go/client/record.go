package client

import (
	"encoding/json"
	"slices"

	"svc.example/go"
	"svc.example/go/internal/jsonx"
)

// A record is a receipt record of an answer as it is there. Its members have been checked only where the verifier
// has seen it.
type record struct {
	value jsonx.Value
	// bare is J of the record without payload and salt; made when it is needed.
	bare []byte
}

var withoutPayload = jsonx.NewEdit([]string{"payload", "payload_salt"}, nil)

// recordsOf returns values as records. A value that is no object is one too: the verifier says so.
func recordsOf(values ...jsonx.Value) []record {
	records := make([]record, 0, len(values))
	for _, one := range values {
		records = append(records, record{value: one})
	}
	return records
}

// elementsOf returns the elements of an array as records.
func elementsOf(list jsonx.Value) []record {
	records := make([]record, 0, list.Len())
	for _, one := range list.Elements() {
		records = append(records, record{value: one})
	}
	return records
}

// redacted returns J of the record without payload and salt.
func (r record) redacted() []byte {
	if r.bare == nil {
		r.bare = withoutPayload.Append(nil, r.value)
	}
	return r.bare
}

// canonical returns J of the record as it is kept.
func (r record) canonical() []byte {
	if r.bare != nil {
		return r.bare
	}
	return r.value.Canonical()
}

func (r record) text(name string) string {
	text, _ := r.value.Get(name).Text()
	return text
}

// seqNo returns the number; 0 without one.
func (r record) seqNo() int64 {
	number, _ := r.value.Get("seq_no").Int()
	return number
}

// receipt returns the record as a struct. The record has been verified.
func (r record) receipt() svc.ReceiptRecord {
	var out svc.ReceiptRecord
	for name, value := range r.value.Members() {
		key, _ := name.TextBytes()
		text, _ := value.Text()
		switch string(key) {
		case "stream_event_id":
			out.StreamEventID = text
		case "stream_id":
			out.StreamID = text
		case "seq_no":
			out.SeqNo, _ = value.Int()
		case "source_ref":
			out.SourceRef = text
		case "event_type":
			out.EventType = text
		case "occurred_at":
			out.OccurredAt = text
		case "received_at":
			out.ReceivedAt = text
		case "payload_hash":
			out.PayloadHash = text
		case "previous_event_hash":
			out.PreviousEventHash = text
		case "event_hash":
			out.EventHash = text
		case "stream_head_hash":
			out.StreamHeadHash = text
		case "receipt":
			out.Receipt = sealOf(value)
		case "payload":
			// A copy: a receipt must not keep the whole answer in memory.
			out.Payload = slices.Clone(json.RawMessage(value.Canonical()))
		case "payload_salt":
			out.PayloadSalt = &text
		}
	}
	return out
}

// withoutPayloadOf returns a receipt as a redacted record.
func withoutPayloadOf(r svc.ReceiptRecord) svc.RedactedRecord {
	return svc.RedactedRecord{
		StreamEventID: r.StreamEventID, StreamID: r.StreamID, SeqNo: r.SeqNo, SourceRef: r.SourceRef, EventType: r.EventType,
		OccurredAt: r.OccurredAt, ReceivedAt: r.ReceivedAt, PayloadHash: r.PayloadHash, PreviousEventHash: r.PreviousEventHash,
		EventHash: r.EventHash, StreamHeadHash: r.StreamHeadHash, Receipt: r.Receipt,
	}
}

func sealOf(value jsonx.Value) svc.Seal {
	text := func(name string) string {
		text, _ := value.Get(name).Text()
		return text
	}
	return svc.Seal{Protocol: text("protocol"), Alg: text("alg"), Kid: text("kid"), Signature: text("signature")}
}

// parsedRecord returns the record of canonical bytes that were made here.
func parsedRecord(canonical []byte) record {
	tree, err := jsonx.Parse(canonical, jsonx.Limits{})
	if err != nil {
		panic("client: a record that was made here cannot be read")
	}
	return record{tree.Root(), canonical}
}
