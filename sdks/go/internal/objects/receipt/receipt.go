// Package receipt examines receipt records and runs of them (protocol section 7).
package receipt

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Form returns how a lone receipt record is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "receipt-record", Examine: examine}
}

// StreamForm returns how a run of records is examined.
func StreamForm() *examination.Form {
	return &examination.Form{Schema: "stream", Examine: examineStream}
}

// A Record is a receipt record, read once (protocol section 7).
type Record struct {
	Value                                            jsonx.Value
	EventID, Stream, SourceRef, EventType            jsonx.Value
	OccurredAt, ReceivedAt, PayloadHash, Previous    jsonx.Value
	EventHash, Head, Seq, seal, Payload, PayloadSalt jsonx.Value
	SeqNo                                            int64
}

// Read reads a receipt record.
func Read(value jsonx.Value) (r Record) {
	r.Value = value
	for name, member := range value.Members() {
		label, _ := name.TextBytes()
		switch string(label) {
		case "stream_event_id":
			r.EventID = member
		case "stream_id":
			r.Stream = member
		case "seq_no":
			r.Seq = member
			r.SeqNo, _ = member.Int()
		case "source_ref":
			r.SourceRef = member
		case "event_type":
			r.EventType = member
		case "occurred_at":
			r.OccurredAt = member
		case "received_at":
			r.ReceivedAt = member
		case "payload_hash":
			r.PayloadHash = member
		case "payload_salt":
			r.PayloadSalt = member
		case "payload":
			r.Payload = member
		case "previous_event_hash":
			r.Previous = member
		case "event_hash":
			r.EventHash = member
		case "stream_head_hash":
			r.Head = member
		case "receipt":
			r.seal = member
		}
	}
	return r
}

var (
	payloadLine = digest.Line("payload")
	eventLine   = digest.Line("event")
	headLine    = digest.Line("head")
	receiptLine = digest.Line("receipt")
)

// PayloadHash returns D("payload", {payload, salt}) of J of a payload.
func PayloadHash(k kernel.Kernel, payload []byte, salt jsonx.Value) digest.Hash {
	return k.Digest(payloadLine, []byte(`{"payload":`), payload, []byte(`,"salt":`), salt.Canonical(), []byte(`}`))
}

// appendEvent appends J of the members that give the event hash.
func (r *Record) appendEvent(dst []byte) []byte {
	dst = values.AppendMember(dst, `{"event_type":`, r.EventType)
	dst = values.AppendMember(dst, `,"occurred_at":`, r.OccurredAt)
	dst = values.AppendMember(dst, `,"payload_hash":`, r.PayloadHash)
	dst = values.AppendMember(dst, `,"previous_event_hash":`, r.Previous)
	dst = values.AppendMember(dst, `,"received_at":`, r.ReceivedAt)
	dst = values.AppendMember(dst, `,"seq_no":`, r.Seq)
	dst = values.AppendMember(dst, `,"source_ref":`, r.SourceRef)
	dst = values.AppendMember(dst, `,"stream_event_id":`, r.EventID)
	dst = values.AppendMember(dst, `,"stream_id":`, r.Stream)
	return append(dst, '}')
}

// HeadHash returns D("head", {stream_id, seq_no, event_hash}).
func HeadHash(k kernel.Kernel, eventHash, seq, stream []byte) digest.Hash {
	return k.Digest(headLine, []byte(`{"event_hash":`), eventHash, []byte(`,"seq_no":`), seq, []byte(`,"stream_id":`), stream, []byte(`}`))
}

// appendReceipt appends what the receipt's signature is over.
func (r *Record) appendReceipt(dst []byte, kid jsonx.Value) []byte {
	dst = append(dst, receiptLine...)
	dst = values.AppendMember(append(dst, `{"alg":"Ed25519"`...), `,"event_hash":`, r.EventHash)
	dst = values.AppendMember(dst, `,"kid":`, kid)
	dst = values.AppendMember(dst, `,"previous_event_hash":`, r.Previous)
	dst = values.AppendMember(append(dst, `,"protocol":"`+examination.ProtocolWord+`"`...), `,"seq_no":`, r.Seq)
	dst = values.AppendMember(dst, `,"stream_event_id":`, r.EventID)
	dst = values.AppendMember(dst, `,"stream_head_hash":`, r.Head)
	dst = values.AppendMember(dst, `,"stream_id":`, r.Stream)
	return append(dst, '}')
}

// Examine examines a receipt record that is at a path, with its payload where it has one.
func Examine(e *examination.Exam, r *Record, path string) {
	if r.Payload.Exists() {
		HoldPayload(e, r, r.Payload, r.PayloadSalt, path+"/payload")
	}
	words := "event " + values.Itoa(r.SeqNo)
	e.Scratch = r.appendEvent(e.Scratch[:0])
	eventHash := e.Kernel.Digest(eventLine, e.Scratch)
	e.Looked(report.CheckEventHash, 1)
	if want := values.TextOf(r.EventHash); values.ParseHash(want) != eventHash {
		e.Reject(report.CheckEventHash, finding.Finding{
			Code: report.CodeEventHashMismatch, Path: path + "/event_hash",
			Message: "The members of " + words + " do not hash to its event hash.", Expected: values.Hex(eventHash), Actual: want,
		})
	}
	head := HeadHash(e.Kernel, r.EventHash.Canonical(), r.Seq.Canonical(), r.Stream.Canonical())
	if want := values.TextOf(r.Head); values.ParseHash(want) != head {
		e.Reject(report.CheckEventHash, finding.Finding{
			Code: report.CodeHeadHashMismatch, Path: path + "/stream_head_hash",
			Message: "The head after " + words + " is another one.", Expected: values.Hex(head), Actual: want,
		})
	}
	if isFirst, isZero := r.SeqNo == 1, r.Previous.IsText(values.Zeros); isFirst != isZero {
		e.Fault(report.CheckEventHash, report.CodePreviousHashMismatch, path+"/previous_event_hash",
			"Event 1 and no other follows 64 zeros.")
	}
	kid := r.seal.Get("kid")
	e.Statement(report.CheckReceiptSignature, values.TextOf(kid), func() []byte {
		return r.appendReceipt(make([]byte, 0, 640), kid)
	}, values.Unhex(values.Text(r.seal, "signature")), examination.SealUse{
		Path: path + "/receipt", Role: report.RoleReceipt, Name: "the receipt of event", No: r.SeqNo,
		Stream: values.TextOf(r.Stream), OwnTime: values.TextOf(r.ReceivedAt), EventNo: r.SeqNo,
	}, nil)
}

// HoldPayload holds a payload and its salt against the record's hash.
func HoldPayload(e *examination.Exam, r *Record, payload, salt jsonx.Value, path string) {
	e.Looked(report.CheckPayloadHash, 1)
	actual := PayloadHash(e.Kernel, payload.Canonical(), salt)
	if want := values.TextOf(r.PayloadHash); values.ParseHash(want) != actual {
		e.Reject(report.CheckPayloadHash, finding.Finding{
			Code: report.CodePayloadHashMismatch, Path: path, Expected: want, Actual: values.Hex(actual),
			Message: "The payload of event " + values.Itoa(r.SeqNo) + " is not the one that was recorded.",
		})
	}
}

// examine examines a lone receipt record.
func examine(e *examination.Exam, object jsonx.Value) {
	r := Read(object)
	e.About(values.TextOf(r.EventID), values.TextOf(r.Stream), r.SeqNo, r.SeqNo)
	Received(e, &r, &r)
	if !r.Payload.Exists() {
		e.Redacted = 1
		e.NotChecked(report.CheckPayloadHash, "the payload is left out")
	}
	Examine(e, &r, "")
	Show(e, values.TextOf(r.Stream), &r)
}

// Received states when the first and the last record were received.
func Received(e *examination.Exam, first, last *Record) {
	e.Subject.FromReceivedAt, e.Subject.ToReceivedAt = values.TextOf(first.ReceivedAt), values.TextOf(last.ReceivedAt)
}

// examineStream examines a run of records.
func examineStream(e *examination.Exam, object jsonx.Value) {
	stream := values.Text(object, "stream_id")
	list := values.Items(object.Get("records"))
	records := make([]Record, len(list))
	for i, one := range list {
		records[i] = Read(one)
		r := &records[i]
		path := values.At("/records", i)
		if !r.Payload.Exists() {
			e.Redacted++
		}
		Examine(e, r, path)
		var before *Record
		if i > 0 {
			before = &records[i-1]
		}
		HoldOrder(e, before, r, stream, path)
	}
	first, last := &records[0], &records[len(records)-1]
	e.Subject.StreamID, e.Subject.FromSeqNo, e.Subject.ToSeqNo = stream, first.SeqNo, last.SeqNo
	for i := range records {
		Show(e, stream, &records[i])
	}
	Received(e, first, last)
	e.NotePayloads()
}

// HoldOrder holds a record against the one before it, which is nil for the first (check sequence).
func HoldOrder(e *examination.Exam, before, r *Record, stream, path string) {
	const check = report.CheckSequence
	e.Looked(check, 1)
	if !r.Stream.IsText(stream) {
		e.Fault(check, report.CodeStreamMismatch, path+"/stream_id", "The record is of another stream.")
	}
	if before == nil {
		return
	}
	switch due := before.SeqNo + 1; {
	case r.SeqNo > due:
		e.Reject(check, finding.Finding{
			Code: report.CodeRangeIncomplete, Path: path + "/seq_no", Message: "Events are missing.",
			Expected: values.Itoa(due), Actual: values.Itoa(r.SeqNo),
		})
	case r.SeqNo < due:
		e.Reject(check, finding.Finding{
			Code: report.CodeSequenceBroken, Path: path + "/seq_no", Message: "An event is repeated, inserted or out of order.",
			Expected: values.Itoa(due), Actual: values.Itoa(r.SeqNo),
		})
	}
	if !r.Previous.Equal(before.EventHash) {
		e.Reject(check, finding.Finding{
			Code: report.CodePreviousHashMismatch, Path: path + "/previous_event_hash",
			Message:  "The record does not name the event hash of the one before it.",
			Expected: values.TextOf(before.EventHash), Actual: values.TextOf(r.Previous),
		})
	}
	if values.TextOf(r.ReceivedAt) < values.TextOf(before.ReceivedAt) {
		e.Fault(check, report.CodeSequenceBroken, path+"/received_at", "The service's clock went back.")
	}
}

// Show notes a record that the object shows; the records of a stream follow each other.
func Show(e *examination.Exam, stream string, r *Record) {
	h := e.Shows(stream)
	if h.Events == nil {
		h.From = r.SeqNo
	}
	h.Events = append(h.Events, values.ParseHash(values.TextOf(r.EventHash)))
}
