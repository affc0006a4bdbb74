package examine

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// A record is a receipt record, read once (protocol section 7).
type record struct {
	value                                            jsonx.Value
	eventID, stream, sourceRef, eventType            jsonx.Value
	occurredAt, receivedAt, payloadHash, previous    jsonx.Value
	eventHash, head, seq, seal, payload, payloadSalt jsonx.Value
	seqNo                                            int64
}

func readRecord(value jsonx.Value) (r record) {
	r.value = value
	for name, member := range value.Members() {
		label, _ := name.TextBytes()
		switch string(label) {
		case "stream_event_id":
			r.eventID = member
		case "stream_id":
			r.stream = member
		case "seq_no":
			r.seq = member
			r.seqNo, _ = member.Int()
		case "source_ref":
			r.sourceRef = member
		case "event_type":
			r.eventType = member
		case "occurred_at":
			r.occurredAt = member
		case "received_at":
			r.receivedAt = member
		case "payload_hash":
			r.payloadHash = member
		case "payload_salt":
			r.payloadSalt = member
		case "payload":
			r.payload = member
		case "previous_event_hash":
			r.previous = member
		case "event_hash":
			r.eventHash = member
		case "stream_head_hash":
			r.head = member
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

// payloadHashOf returns D("payload", {payload, salt}).
func payloadHashOf(k digester, payload, salt jsonx.Value) digest.Hash {
	return k.Digest(payloadLine, []byte(`{"payload":`), payload.Canonical(), []byte(`,"salt":`), salt.Canonical(), []byte(`}`))
}

// A digester is the part of a kernel that hashes.
type digester interface {
	Digest(line []byte, parts ...[]byte) digest.Hash
}

// appendMember appends a name, which stands with its comma or bracket and its colon, and a value.
func appendMember(dst []byte, name string, value jsonx.Value) []byte {
	return append(append(dst, name...), value.Canonical()...)
}

// appendEvent appends J of the members that give the event hash.
func (r *record) appendEvent(dst []byte) []byte {
	dst = appendMember(dst, `{"event_type":`, r.eventType)
	dst = appendMember(dst, `,"occurred_at":`, r.occurredAt)
	dst = appendMember(dst, `,"payload_hash":`, r.payloadHash)
	dst = appendMember(dst, `,"previous_event_hash":`, r.previous)
	dst = appendMember(dst, `,"received_at":`, r.receivedAt)
	dst = appendMember(dst, `,"seq_no":`, r.seq)
	dst = appendMember(dst, `,"source_ref":`, r.sourceRef)
	dst = appendMember(dst, `,"stream_event_id":`, r.eventID)
	dst = appendMember(dst, `,"stream_id":`, r.stream)
	return append(dst, '}')
}

// headHashOf returns D("head", {stream_id, seq_no, event_hash}).
func headHashOf(k digester, eventHash, seq, stream []byte) digest.Hash {
	return k.Digest(headLine, []byte(`{"event_hash":`), eventHash, []byte(`,"seq_no":`), seq, []byte(`,"stream_id":`), stream, []byte(`}`))
}

// appendReceipt appends what the receipt's signature is over.
func (r *record) appendReceipt(dst []byte, kid jsonx.Value) []byte {
	dst = append(dst, receiptLine...)
	dst = appendMember(append(dst, `{"alg":"Ed25519"`...), `,"event_hash":`, r.eventHash)
	dst = appendMember(dst, `,"kid":`, kid)
	dst = appendMember(dst, `,"previous_event_hash":`, r.previous)
	dst = appendMember(append(dst, `,"protocol":"`+protocolWord+`"`...), `,"seq_no":`, r.seq)
	dst = appendMember(dst, `,"stream_event_id":`, r.eventID)
	dst = appendMember(dst, `,"stream_head_hash":`, r.head)
	dst = appendMember(dst, `,"stream_id":`, r.stream)
	return append(dst, '}')
}

// record examines a receipt record by itself; `payload` and `salt` are where its payload stands, or missing.
func (e *exam) record(r *record, path string) {
	if r.payload.Exists() {
		e.payload(r, r.payload, r.payloadSalt, path+"/payload")
	}
	words := "event " + itoa(r.seqNo)
	e.scratch = r.appendEvent(e.scratch[:0])
	eventHash := e.k.Digest(eventLine, e.scratch)
	e.looked(report.CheckEventHash, 1)
	if want := textOf(r.eventHash); hashText(want) != eventHash {
		e.reject(report.CheckEventHash, finding{
			code: report.CodeEventHashMismatch, path: path + "/event_hash",
			message: "The members of " + words + " do not hash to its event hash.", expected: hexOf(eventHash), actual: want,
		})
	}
	head := headHashOf(e.k, r.eventHash.Canonical(), r.seq.Canonical(), r.stream.Canonical())
	if want := textOf(r.head); hashText(want) != head {
		e.reject(report.CheckEventHash, finding{
			code: report.CodeHeadHashMismatch, path: path + "/stream_head_hash",
			message: "The head after " + words + " is another one.", expected: hexOf(head), actual: want,
		})
	}
	if isFirst, isZero := r.seqNo == 1, r.previous.IsText(zeros); isFirst != isZero {
		e.fault(report.CheckEventHash, report.CodePreviousHashMismatch, path+"/previous_event_hash",
			"Event 1 and no other follows 64 zeros.")
	}
	kid := r.seal.Get("kid")
	e.statement(report.CheckReceiptSignature, textOf(kid), func() []byte {
		return r.appendReceipt(make([]byte, 0, 640), kid)
	}, unhex(text(r.seal, "signature")), sealUse{
		path: path + "/receipt", role: report.RoleReceipt, what: "the receipt of event", no: r.seqNo,
		stream: textOf(r.stream), ownTime: textOf(r.receivedAt), eventNo: r.seqNo,
	}, nil)
}

// payload holds a payload and its salt against the record's hash.
func (e *exam) payload(r *record, payload, salt jsonx.Value, path string) {
	e.looked(report.CheckPayloadHash, 1)
	actual := payloadHashOf(e.k, payload, salt)
	if want := textOf(r.payloadHash); hashText(want) != actual {
		e.reject(report.CheckPayloadHash, finding{
			code: report.CodePayloadHashMismatch, path: path, expected: want, actual: hexOf(actual),
			message: "The payload of event " + itoa(r.seqNo) + " is not the one that was recorded.",
		})
	}
}

func textOf(value jsonx.Value) string {
	text, _ := value.Text()
	return text
}

// receipt examines a lone receipt record.
func (e *exam) receipt(object jsonx.Value) {
	r := readRecord(object)
	e.about(textOf(r.eventID), textOf(r.stream), r.seqNo, r.seqNo)
	e.received(&r, &r)
	if !r.payload.Exists() {
		e.redacted = 1
		e.notChecked(report.CheckPayloadHash, "the payload is left out")
	}
	e.record(&r, "")
	e.showRecord(textOf(r.stream), &r)
}

// notePayloads notes how many payloads are left out, and so not checked.
func (e *exam) notePayloads() {
	if e.redacted > 0 {
		e.notChecked(report.CheckPayloadHash, "payloads that are left out: "+itoa(e.redacted))
	}
}

// about states the subject; a number of 0 is not stated.
func (e *exam) about(id, stream string, from, to int64) {
	e.subject.ID, e.subject.StreamID, e.subject.FromSeqNo, e.subject.ToSeqNo = &id, stream, from, to
}

// received states when the first and the last record were received.
func (e *exam) received(first, last *record) {
	e.subject.FromReceivedAt, e.subject.ToReceivedAt = textOf(first.receivedAt), textOf(last.receivedAt)
}

// stream examines a run of records.
func (e *exam) stream(object jsonx.Value) {
	stream := text(object, "stream_id")
	list := items(object.Get("records"))
	records := make([]record, len(list))
	for i, one := range list {
		records[i] = readRecord(one)
		r := &records[i]
		path := at("/records", i)
		if !r.payload.Exists() {
			e.redacted++
		}
		e.record(r, path)
		var before *record
		if i > 0 {
			before = &records[i-1]
		}
		e.follows(before, r, stream, path)
	}
	first, last := &records[0], &records[len(records)-1]
	e.subject.StreamID, e.subject.FromSeqNo, e.subject.ToSeqNo = stream, first.seqNo, last.seqNo
	for i := range records {
		e.showRecord(stream, &records[i])
	}
	e.received(first, last)
	e.notePayloads()
}

// follows holds a record against the one before it, which is nil for the first (check sequence).
func (e *exam) follows(before, r *record, stream, path string) {
	const check = report.CheckSequence
	e.looked(check, 1)
	if !r.stream.IsText(stream) {
		e.fault(check, report.CodeStreamMismatch, path+"/stream_id", "The record is of another stream.")
	}
	if before == nil {
		return
	}
	switch due := before.seqNo + 1; {
	case r.seqNo > due:
		e.reject(check, finding{
			code: report.CodeRangeIncomplete, path: path + "/seq_no", message: "Events are missing.",
			expected: itoa(due), actual: itoa(r.seqNo),
		})
	case r.seqNo < due:
		e.reject(check, finding{
			code: report.CodeSequenceBroken, path: path + "/seq_no", message: "An event is repeated, inserted or out of order.",
			expected: itoa(due), actual: itoa(r.seqNo),
		})
	}
	if !r.previous.Equal(before.eventHash) {
		e.reject(check, finding{
			code: report.CodePreviousHashMismatch, path: path + "/previous_event_hash",
			message:  "The record does not name the event hash of the one before it.",
			expected: textOf(before.eventHash), actual: textOf(r.previous),
		})
	}
	if textOf(r.receivedAt) < textOf(before.receivedAt) {
		e.fault(check, report.CodeSequenceBroken, path+"/received_at", "The service's clock went back.")
	}
}
