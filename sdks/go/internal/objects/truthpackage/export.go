package truthpackage

import (
	"bytes"
	"cmp"
	"sort"
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/bundle"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// askedRanges are the ranges of a package by stream. Those of one stream ascend and do not overlap.
type askedRanges map[string][]eventRange

// has says whether a range names an event.
func (a askedRanges) has(stream string, seqNo int64) bool {
	ranges := a[stream]
	i := sort.Search(len(ranges), func(i int) bool { return ranges[i].to >= seqNo })
	return i < len(ranges) && ranges[i].from <= seqNo
}

// holdExport holds bundles and table of a package against its ranges (check export). The last one of several bundles of
// one stream is the stream's.
func holdExport(e *examination.Exam, bundles []*shownBundle, ranges []eventRange, table []byte) {
	const check = report.CheckExport
	asked, byStream := askedRanges{}, map[string]*shownBundle{}
	var streams []string
	for _, one := range ranges {
		if asked[one.stream] == nil {
			streams = append(streams, one.stream)
		}
		asked[one.stream] = append(asked[one.stream], one)
	}
	for _, b := range bundles {
		byStream[b.stream] = b
	}
	for i, one := range ranges {
		manifest := jsonx.Value{}
		if b := byStream[one.stream]; b != nil {
			manifest = b.value.Get("manifest")
		}
		isCovered := manifest.Exists() && values.Number(manifest, "from_seq_no") <= one.from && one.to <= values.Number(manifest, "to_seq_no")
		e.Expect(check, isCovered, report.CodeRangeIncomplete, values.At(manifestPath+"/ranges", i), "No bundle covers the range.")
	}
	for _, b := range bundles {
		e.Expect(check, asked[b.stream] != nil, report.CodeExportMismatch, b.path, "The bundle is of a stream without a range.")
		first, last := eventsAsked(e, b, asked)
		if len(ranges) == 1 {
			e.Subject.FromReceivedAt, e.Subject.ToReceivedAt = first, last
		}
	}
	if table == nil {
		return
	}
	rest, isSame := bytes.CutPrefix(table, []byte(csvHeader))
	for _, stream := range streams {
		if b := byStream[stream]; b != nil && isSame {
			rest, isSame = withoutLines(rest, b, asked)
		}
	}
	e.Expect(check, isSame && len(rest) == 0, report.CodeExportMismatch, "/"+eventsEntry, "The table is not what the bundles give.")
}

// eventsAsked counts the events of a bundle that a range names, and returns when the first and the last of them were
// received. Payloads and contents of others must not be here.
func eventsAsked(e *examination.Exam, b *shownBundle, asked askedRanges) (first, last string) {
	const check = report.CheckExport
	shelf, contents := bundle.NewShelf(b.value.Get("payloads")), b.value.Get("contents")
	for _, record := range b.value.At("artifacts", "receipts.json").Elements() {
		event, seqNo := record.Get("stream_event_id"), values.Number(record, "seq_no")
		if asked.has(b.stream, seqNo) {
			e.Looked(check, 1)
			last = values.TextOf(record.Get("received_at"))
			first = cmp.Or(first, last)
			continue
		}
		outside := func(list, message string) {
			e.Reject(check, finding.Finding{
				Code: report.CodeExportMismatch, Path: b.path + list + values.TextOf(event), SeqNo: seqNo, Message: message,
			})
		}
		if contents.Get(values.TextOf(event)).Exists() {
			outside("/contents/", "The content is of an event outside of the ranges.")
		}
		if _, isShown := shelf.Find(event); isShown {
			outside("/payloads/", "The payload is of an event outside of the ranges.")
		}
	}
	return first, last
}

// withoutLines returns a table without the lines of a bundle with which it begins; isSame is false where it begins with
// others.
func withoutLines(table []byte, b *shownBundle, asked askedRanges) (rest []byte, isSame bool) {
	shelf := bundle.NewShelf(b.value.Get("payloads"))
	var line []byte
	rest, isSame = table, true
	for _, value := range b.value.At("artifacts", "receipts.json").Elements() {
		r := receipt.Read(value)
		if !isSame || !asked.has(b.stream, r.SeqNo) {
			continue
		}
		entry, _ := shelf.Find(r.EventID)
		line = appendCSV(line[:0], &r, entry.Get("payload"))
		rest, isSame = bytes.CutPrefix(rest, line)
	}
	return rest, isSame
}

const csvHeader = `"stream_id","seq_no","stream_event_id","event_type","source_ref","occurred_at","received_at",` +
	`"payload_hash","event_hash","payload"` + "\r\n"

// appendCSV appends the line of one event (RFC 4180, every field quoted).
func appendCSV(line []byte, r *receipt.Record, payload jsonx.Value) []byte {
	for i, field := range []string{
		values.TextOf(r.Stream), values.Itoa(r.SeqNo), values.TextOf(r.EventID), values.TextOf(r.EventType),
		values.TextOf(r.SourceRef), values.TextOf(r.OccurredAt),
		values.TextOf(r.ReceivedAt), values.TextOf(r.PayloadHash), values.TextOf(r.EventHash), string(payload.Canonical()),
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
