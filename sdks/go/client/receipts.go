package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"svc.example/go"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

const (
	maxGapEvents = 1000
	maxPageItems = 500
	// maxEndorsements bounds those that a service shows: each costs a signature check with every receipt.
	maxEndorsements = 256
)

// A receipts checks every receipt that leaves the client: against itself, the pinned keys, the event that was sent, and
// everything that the client has seen of the stream. The protocol's own verifier judges each run of records; this type
// compares it with what was sent and seen.
type receipts struct {
	transport *transport
	trust     svc.TrustPolicy
	gaps      Gaps
	// mu guards what follows. It is held from reading what is known to storing it: another answer is known before this
	// one, or after it.
	mu      sync.Mutex
	streams streams
	// endorsements is J of those that a good receipt needed; nil without any.
	endorsements []byte
}

func (r *receipts) isTrusting() bool { return r.trust != svc.TrustPolicy{} }

// verdict is that of the receipts that are returned.
func (r *receipts) verdict() report.Verdict {
	if r.isTrusting() {
		return report.Verified
	}
	return report.Untrusted
}

// head returns the number of the newest event seen of a stream; isSeen is false if nothing is known.
func (r *receipts) head(streamID string) (seqNo int64, isSeen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.streams.peek(streamID)
	return k.head, k.isSeen
}

// A recording is events that are sent, and how to read the answer.
type recording struct {
	path string
	body []byte
	// streamID is the stream of the events; empty if the service chooses it. likely is where they will probably go.
	streamID, likely string
	// events and receipts return the events of the parsed body and the receipts of the parsed answer.
	events, receipts func(jsonx.Value) []jsonx.Value
}

// A place is an event's place in a stream.
type place struct {
	streamID string
	seqNo    int64
}

// An expectation is the facts with which a run of records must agree.
type expectation struct {
	// streamID is the stream of the run; any stream if it is empty.
	streamID string
	// after is the event behind which its events must be, if they are of that stream; nil if old ones are as good.
	after *place
	// sent holds the events that were sent, one for each record.
	sent []jsonx.Value
	// before is the record before the run, if that is known.
	before *record
	// goesOn says that the run continues the stream: gaps before it are closed, and it is remembered.
	goesOn bool
}

// send sends events. It returns when the answer has come, with a function that checks its receipts and returns them: so
// more can be sent meanwhile, and answers are checked in their order.
func (r *receipts) send(ctx context.Context, rec recording, w write) (func(context.Context) ([]svc.ReceiptRecord, error), error) {
	var after *place
	// Under a key of the caller's the service repeats its first answer, whatever has been recorded since.
	if w.key == "" && rec.likely != "" {
		if seqNo, isSeen := r.head(rec.likely); isSeen {
			after = &place{rec.likely, seqNo}
		}
	}
	if w.key == "" {
		w.key = newKey()
	}
	answer, err := r.transport.write(ctx, rec.path, rec.body, w.key, 0)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) ([]svc.ReceiptRecord, error) {
		records, err := r.read(ctx, rec, after, answer)
		var failure *Error
		if errors.As(err, &failure) {
			failure.IdempotencyKey = w.key
		}
		return records, err
	}, nil
}

// read checks the receipts of an answer.
func (r *receipts) read(ctx context.Context, rec recording, after *place, answer []byte) ([]svc.ReceiptRecord, error) {
	tree, err := parse(rec.path, answer)
	if err != nil {
		return nil, err
	}
	body, err := parse(rec.path, rec.body)
	if err != nil {
		return nil, err
	}
	sent, came := rec.events(body.Root()), rec.receipts(tree.Root())
	if came == nil {
		return nil, (&untruth{code: CodeUnexpectedAnswer, message: "The answer has no receipts in it."}).in(answer)
	}
	if len(came) != len(sent) {
		code := CodeUnexpectedAnswer
		if len(came) < len(sent) {
			code = CodeRangeIncomplete
		}
		message := fmt.Sprintf("%d events were sent, and %d receipts came.", len(sent), len(came))
		return nil, (&untruth{code: code, message: message}).in(answer)
	}
	expected := expectation{streamID: rec.streamID, after: after, sent: sent, goesOn: true}
	return r.check(ctx, recordsOf(came...), expected, answer)
}

// check returns consecutive records if they hold. answer is the answer that contains them. The error is a
// [*VerificationError] if they do not hold, or one of the transport if it has to ask for more.
func (r *receipts) check(ctx context.Context, run []record, expected expectation, answer []byte) ([]svc.ReceiptRecord, error) {
	streamID := expected.streamID
	if streamID == "" && len(run) > 0 {
		streamID = run[0].text("stream_id")
	}
	c := check{receipts: r, run: run, streamID: streamID, expected: expected}
	for {
		need, wrong, err := c.round(ctx)
		switch {
		case err != nil:
			return nil, err
		case wrong != nil:
			return nil, wrong.in(answer)
		case need == nil:
			records := make([]svc.ReceiptRecord, 0, len(run))
			for _, one := range run {
				records = append(records, one.receipt())
			}
			return records, nil
		}
		if err := need(ctx); err != nil {
			return nil, err
		}
	}
}

// A check is the examination of one run, and what had to be asked for meanwhile.
type check struct {
	*receipts
	run      []record
	streamID string
	expected expectation
	// shown holds the events of a gap that the service shows; isShown says that it was asked.
	shown   []record
	isShown bool
	// served are the endorsements that the service shows; isServed says that it was asked.
	served   []byte
	isServed bool
}

// round examines the run against what is known now. need is what has to be asked for before the next round; nil with
// the last one.
func (c *check) round(ctx context.Context) (need func(context.Context) error, wrong *untruth, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.streams.peek(c.streamID)
	first, last := record{}, record{}
	if len(c.run) > 0 {
		first, last = c.run[0], c.run[len(c.run)-1]
	}
	if c.expected.goesOn && !c.isShown && c.gaps != AcceptGaps {
		if from, to, ok := gapBefore(first, k); ok {
			return func(ctx context.Context) error { return c.ask(ctx, from, to) }, nil, nil
		}
	}
	all, leading := c.around(first, last, k)
	endorsements := c.endorsements
	if c.isServed {
		endorsements = c.served
	}
	r, err := examineRun(ctx, c.streamID, all, c.trust, endorsements)
	if err != nil {
		return nil, nil, err
	}
	for _, one := range c.run {
		other, ok := k.at(one.seqNo())
		if !ok || one.value.Get("event_hash").Equal(other.value.Get("event_hash")) {
			continue
		}
		// Somebody between could tell a second history; only the service's key makes it the service's.
		own, err := examineRun(ctx, c.streamID, c.run, c.trust, endorsements)
		if err != nil {
			return nil, nil, err
		}
		if own.Verdict == c.verdict() {
			return nil, c.fork(ctx, one, other, r), nil
		}
		break
	}
	if r.Verdict == report.Untrusted && c.isTrusting() && !c.isServed {
		return c.askForKeys, nil, nil
	}
	if wrong = refusal(r, c.isTrusting()); wrong == nil && c.isShown {
		wrong = late(all, k)
	}
	if wrong == nil {
		wrong = c.repeated(first)
	}
	for i, event := range c.expected.sent {
		if wrong == nil {
			wrong = mismatch(event, c.run[i])
		}
	}
	if wrong != nil {
		return nil, wrong, nil
	}
	c.endorsements = endorsements
	if c.expected.goesOn {
		c.streams.note(c.streamID, append(leading, c.run...))
	}
	return nil, nil, nil
}

// around returns the run with the records that are known before and behind it, and those before it alone.
func (c *check) around(first, last record, k *known) (all, leading []record) {
	previous := c.expected.before
	if c.isShown {
		leading = leadingTo(first, k, c.shown)
	} else if one, ok := k.at(first.seqNo() - 1); previous == nil && ok {
		previous = &one
	}
	if c.isShown {
		all = append(all, leading...)
	} else if previous != nil {
		all = append(all, *previous)
	}
	all = append(all, c.run...)
	if next, ok := k.at(last.seqNo() + 1); ok && last.seqNo() > 0 {
		all = append(all, next)
	}
	return all, leading
}

func (c *check) fork(ctx context.Context, one, other record, r *svc.Report) *untruth {
	var evidence json.RawMessage
	if c.isTrusting() {
		evidence = forkOf(ctx, one, other, c.trust)
	}
	message := fmt.Sprintf("The service has handed out two receipts of event %d of %s: it has two histories.", one.seqNo(), c.streamID)
	return &untruth{CodeForkDetected, message, r, evidence}
}

// repeated says that a new event was answered with an old receipt.
func (c *check) repeated(first record) *untruth {
	after := c.expected.after
	if after == nil || first.text("stream_id") != after.streamID || first.seqNo() > after.seqNo {
		return nil
	}
	message := fmt.Sprintf("A new event was answered with the receipt of event %d, and event %d was there before it was sent.", first.seqNo(), after.seqNo)
	return &untruth{code: CodeReceiptRepeated, message: message}
}

// ask reads the events of a gap, both ends included, as far as the service shows them: the verifier names the first
// missing one.
func (c *check) ask(ctx context.Context, from, to int64) error {
	c.isShown = true
	for next := from; next <= to; next = from + int64(len(c.shown)) {
		limit := min(to-next+1, maxPageItems)
		query := url.Values{"from_seq_no": {strconv.FormatInt(next, 10)}, "limit": {strconv.FormatInt(limit, 10)}}
		path := "/v2/streams/" + url.PathEscape(c.streamID) + "/events?" + query.Encode()
		text, err := c.transport.send(ctx, request{method: http.MethodGet, path: path})
		if err != nil {
			return err
		}
		tree, err := parse(path, text)
		if err != nil {
			return err
		}
		items := elementsOf(tree.Root().Get("items"))
		if len(items) == 0 {
			break
		}
		c.shown = append(c.shown, items[:min(int64(len(items)), limit)]...)
	}
	return nil
}

// askForKeys reads the endorsements that the service shows: they count because of the pinned key's signature.
func (c *check) askForKeys(ctx context.Context) error {
	c.isServed = true
	const path = "/v2/keys"
	text, err := c.transport.send(ctx, request{method: http.MethodGet, path: path})
	if err != nil {
		return err
	}
	tree, err := parse(path, text)
	if err != nil {
		return err
	}
	list := tree.Root().Get("endorsements")
	if list.Len() > maxEndorsements {
		return newError(CodeUnexpectedAnswer, fmt.Sprintf("%s was answered with %d endorsements.", path, list.Len()), 200)
	}
	c.served = nil
	if list.Kind() == jsonx.Array && list.Len() > 0 {
		c.served = list.Canonical()
	}
	return nil
}

// checkLifecycle checks a record of the tenant's lifecycle stream that came in an answer.
func (r *receipts) checkLifecycle(ctx context.Context, value jsonx.Value, eventType string, answer []byte) error {
	checked, err := r.check(ctx, recordsOf(value), expectation{}, answer)
	if err != nil || checked[0].EventType == eventType {
		return err
	}
	message := fmt.Sprintf("A record of %s was due, and one of %s came.", eventType, checked[0].EventType)
	return (&untruth{code: CodeReceiptMismatch, message: message}).in(answer)
}

// gapBefore returns the numbers to read before a record. ok is false if it follows what is known, if nothing is known,
// or if they are too many.
func gapBefore(first record, k *known) (from, to int64, ok bool) {
	seqNo := first.seqNo()
	if !k.isSeen || seqNo <= k.head+1 || seqNo > k.head+1+maxGapEvents {
		return 0, 0, false
	}
	return k.head + 1, seqNo - 1, true
}

// leadingTo returns the newest known record, and the shown records behind it, up to a record.
func leadingTo(first record, k *known, shown []record) []record {
	head := min(k.head, first.seqNo()-1)
	var leading []record
	if one, ok := k.at(head); ok {
		leading = append(leading, one)
	}
	for _, one := range shown {
		if seqNo := one.seqNo(); seqNo > head || seqNo == 0 {
			leading = append(leading, one)
		}
	}
	return leading
}

// refusal returns the verifier's objection to a run.
func refusal(r *svc.Report, isTrusting bool) *untruth {
	if r.OK || len(r.Problems) == 0 || (r.Verdict == report.Untrusted && !isTrusting) {
		return nil
	}
	return &untruth{code: Code(r.Problems[0].Code), message: r.Problems[0].Message, report: r}
}

// late says that a stream which was seen empty does not begin with event 1.
func late(all []record, k *known) *untruth {
	if len(all) == 0 || k.head != 0 || !k.isSeen || all[0].seqNo() == 1 {
		return nil
	}
	message := fmt.Sprintf("Events 1 to %d are missing: the stream was empty, and the service does not show them.", all[0].seqNo()-1)
	return &untruth{code: CodeRangeIncomplete, message: message}
}
