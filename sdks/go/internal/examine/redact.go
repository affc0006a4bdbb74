package examine

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/objects/bundle"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Redact leaves out payload and salt of events, by their numbers (protocol sections 7 and 14), and returns the report
// of the result, under no trust, beside it. The error is a [*Refusal].
func Redact(k kernel.Kernel, wire []byte, seqNos []int64) ([]byte, *report.Report, error) {
	object, kind, err := source(k, wire, report.KindBundle, report.KindPortableReceipt, report.KindStream, report.KindReceipt)
	if err != nil {
		return nil, nil, err
	}
	if kind == report.KindBundle && bundle.IsOfEnvelopes(object) {
		return nil, nil, examination.Refuse("unsupported_object")
	}
	there := map[int64]jsonx.Value{}
	note := func(record jsonx.Value) { there[values.Number(record, "seq_no")] = record }
	switch kind {
	case report.KindReceipt:
		note(object)
	case report.KindPortableReceipt:
		note(object.Get("receipt"))
	case report.KindStream:
		for _, one := range object.Get("records").Elements() {
			note(one)
		}
	default:
		for _, one := range object.At("artifacts", "receipts.json").Elements() {
			note(one)
		}
	}
	chosen := make(map[int64]bool, len(seqNos))
	for _, seq := range seqNos {
		chosen[seq] = true
		if _, ok := there[seq]; !ok {
			return nil, nil, examination.Missing("event_missing", "Event %d is not in the object.", seq)
		}
	}
	payload := []string{"payload", "payload_salt"}
	bare := func(record jsonx.Value) any {
		if !chosen[values.Number(record, "seq_no")] {
			return record
		}
		return values.Without(record, payload, nil)
	}
	switch kind {
	case report.KindReceipt:
		return hold(k, bare(object), kind)
	case report.KindPortableReceipt:
		return hold(k, values.Without(object, nil, jsonx.Members{{Name: "receipt", Value: bare(object.Get("receipt"))}}), kind)
	case report.KindStream:
		records := []any{}
		for _, one := range object.Get("records").Elements() {
			records = append(records, bare(one))
		}
		return hold(k, values.Without(object, nil, jsonx.Members{{Name: "records", Value: records}}), kind)
	}
	payloads := object.Get("payloads")
	if !payloads.Exists() {
		return hold(k, object, kind)
	}
	var drop []string
	for _, seq := range seqNos {
		drop = append(drop, values.Text(there[seq], "stream_event_id"))
	}
	return hold(k, values.Without(object, nil, jsonx.Members{{Name: "payloads", Value: values.Without(payloads, drop, nil)}}), kind)
}

// Cut cuts the portable receipt of one event out of a bundle (protocol section 13), up to a checkpoint by its number,
// or up to the bundle's last one for 0. The error is a [*Refusal].
func Cut(k kernel.Kernel, wire []byte, seqNo, checkpointNo int64) ([]byte, error) {
	object, _, err := source(k, wire, report.KindBundle)
	if err != nil {
		return nil, err
	}
	members, err := bundle.Cut(k, object, seqNo, checkpointNo)
	if err != nil {
		return nil, err
	}
	text, _, err := hold(k, members, report.KindPortableReceipt)
	return text, err
}
