package examine

import (
	"bytes"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// export holds bundles and table of a package against its ranges (check export).
func (e *exam) export(bundles []*packageBundle, ranges []*packageRange, table []byte) {
	const check = report.CheckExport
	for _, b := range bundles {
		hasRange := false
		for _, one := range ranges {
			if one.stream == b.stream {
				one.bundle, hasRange = b, true
			}
		}
		e.expect(check, hasRange, report.CodeExportMismatch, b.path, "The bundle is of a stream without a range.")
	}
	for i, one := range ranges {
		manifest := jsonx.Value{}
		if one.bundle != nil {
			manifest = one.bundle.value.Get("manifest")
		}
		isCovered := manifest.Exists() && number(manifest, "from_seq_no") <= one.from && one.to <= number(manifest, "to_seq_no")
		e.expect(check, isCovered, report.CodeRangeIncomplete, at(manifestPath+"/ranges", i), "No bundle covers the range.")
	}
	for _, b := range bundles {
		e.payloadsOutside(b, ranges)
	}
	e.events(ranges, table)
}

// payloadsOutside looks for payloads of events outside of the ranges.
func (e *exam) payloadsOutside(b *packageBundle, ranges []*packageRange) {
	shelf := newPayloadShelf(b.value.Get("payloads"))
	for _, record := range b.value.At("artifacts", "receipts.json").Elements() {
		event := record.Get("stream_event_id")
		if _, ok := shelf.find(event); !ok {
			continue
		}
		seq := number(record, "seq_no")
		isAsked := false
		for _, one := range ranges {
			isAsked = isAsked || (one.stream == b.stream && one.from <= seq && seq <= one.to)
		}
		if !isAsked {
			e.reject(report.CheckExport, finding{
				code: report.CodeExportMismatch, path: b.path + "/payloads/" + textOf(event), seqNo: seq,
				message: "The payload is of an event outside of the ranges.",
			})
		}
	}
}

// events holds the table against what the bundles give, and states when the range was received.
func (e *exam) events(ranges []*packageRange, table []byte) {
	const check = report.CheckExport
	rest, isSame := bytes.CutPrefix(table, []byte(csvHeader))
	var line []byte
	var first, last string
	for _, one := range ranges {
		if one.bundle == nil {
			continue
		}
		shelf := newPayloadShelf(one.bundle.value.Get("payloads"))
		for _, value := range one.bundle.value.At("artifacts", "receipts.json").Elements() {
			r := readRecord(value)
			if r.seqNo < one.from || r.seqNo > one.to {
				continue
			}
			e.looked(check, 1)
			if first == "" {
				first = textOf(r.receivedAt)
			}
			last = textOf(r.receivedAt)
			entry, _ := shelf.find(r.eventID)
			line = appendCSV(line[:0], &r, entry.Get("payload"))
			var ok bool
			rest, ok = bytes.CutPrefix(rest, line)
			isSame = isSame && ok
		}
	}
	if table != nil {
		e.expect(check, isSame && len(rest) == 0, report.CodeExportMismatch, "/"+eventsEntry, "The table is not what the bundles give.")
	}
	if len(ranges) == 1 {
		e.subject.FromReceivedAt, e.subject.ToReceivedAt = first, last
	}
}

const csvHeader = `"stream_id","seq_no","stream_event_id","event_type","source_ref","occurred_at","received_at",` +
	`"payload_hash","event_hash","payload"` + "\r\n"

// appendCSV appends the line of one event (RFC 4180, every field quoted).
func appendCSV(line []byte, r *record, payload jsonx.Value) []byte {
	for i, field := range []string{
		textOf(r.stream), itoa(r.seqNo), textOf(r.eventID), textOf(r.eventType), textOf(r.sourceRef), textOf(r.occurredAt),
		textOf(r.receivedAt), textOf(r.payloadHash), textOf(r.eventHash), string(payload.Canonical()),
	} {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, '"')
		if field != "" && strings.ContainsRune("=+-@\t\r", rune(field[0])) {
			line = append(line, '\'')
		}
		line = append(line, strings.ReplaceAll(field, `"`, `""`)...)
		line = append(line, '"')
	}
	return append(line, "\r\n"...)
}
