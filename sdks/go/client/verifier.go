package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"svc.example/go"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// examineRun returns the verifier's report on consecutive records of a stream (protocol section 7). endorsements is
// J of an array, or nil. The error is that of ctx, or an internal one.
func examineRun(ctx context.Context, streamID string, records []record, trust svc.TrustPolicy, endorsements []byte) (*svc.Report, error) {
	size := len(endorsements) + 128
	for _, one := range records {
		size += len(one.canonical()) + 1
	}
	run := make([]byte, 0, size)
	run = append(run, '{')
	if endorsements != nil {
		run = append(run, `"key_endorsements":`...)
		run = append(append(run, endorsements...), ',')
	}
	run = append(run, `"records":[`...)
	for i, one := range records {
		if i > 0 {
			run = append(run, ',')
		}
		run = append(run, one.canonical()...)
	}
	id, err := jsonx.Encode(streamID)
	if err != nil {
		return nil, err
	}
	run = append(append(run, `],"stream_id":`...), id...)
	return verdict(svc.VerifyBytes(ctx, append(run, '}'), svc.Options{Trust: trust, Kind: report.KindStream}))
}

// verdict returns the report of a verification, whatever it says; a verdict is never an error.
func verdict(r *svc.Report, err error) (*svc.Report, error) {
	var other *svc.VerdictError
	if errors.As(err, &other) {
		return r, nil
	}
	return r, err
}

// mismatch returns how a record differs from the event that was sent; nil if it does not.
func mismatch(event jsonx.Value, one record) *untruth {
	for _, name := range []string{"source_ref", "event_type", "occurred_at"} {
		if one.value.Get(name).Equal(event.Get(name)) {
			continue
		}
		return &untruth{code: CodeReceiptMismatch, message: fmt.Sprintf("The receipt of event %d says %s %s, and %s was sent.",
			one.seqNo(), name, shortened(one.value.Get(name)), shortened(event.Get(name)))}
	}
	payload := one.value.Get("payload")
	if !payload.Exists() {
		return &untruth{code: CodeReceiptRedacted, message: fmt.Sprintf("The receipt of event %d came without its payload, and cannot be held against what was sent.", one.seqNo())}
	}
	if !payload.Equal(event.Get("payload")) {
		return &untruth{code: CodeReceiptMismatch, message: fmt.Sprintf("The receipt of event %d has another payload than was sent.", one.seqNo())}
	}
	return nil
}

func shortened(value jsonx.Value) string {
	text := []rune(string(value.Canonical()))
	if len(text) > 60 {
		return string(text[:60]) + "…"
	}
	return string(text)
}

// forkOf returns evidence that two records contradict each other (protocol section 11); nil without evidence
// that holds.
func forkOf(ctx context.Context, left, right record, trust svc.TrustPolicy) json.RawMessage {
	var random [25]byte
	rand.Read(random[:])
	ulid := []byte{'0'}
	for _, b := range random {
		ulid = append(ulid, crockford[b%32])
	}
	evidence, err := jsonx.Encode(jsonx.Members{
		{Name: "fork_id", Value: "frk_" + string(ulid)},
		{Name: "stream_id", Value: left.text("stream_id")},
		{Name: "kind", Value: "head"},
		{Name: "left", Value: jsonx.Raw(left.canonical())},
		{Name: "right", Value: jsonx.Raw(right.canonical())},
		{Name: "divergence", Value: nil},
		{Name: "detected_at", Value: time.Now().UTC().Format("2006-01-02T15:04:05.000Z")},
	})
	if err != nil || bytes.Equal(left.value.Get("stream_head_hash").Canonical(), right.value.Get("stream_head_hash").Canonical()) {
		return nil
	}
	r, err := verdict(svc.VerifyBytes(ctx, evidence, svc.Options{Trust: trust, Kind: report.KindFork}))
	if err != nil || r.Verdict == report.Rejected {
		return nil
	}
	return evidence
}
