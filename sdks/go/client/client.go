package client

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"

	"svc.example/go"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A Client is a client of one service. Keep a system key in trusted processes: everybody who reads it can record in
// your name. Printing a client never shows it.
type Client struct {
	transport *transport
	receipts  *receipts
	log       *EventLog
	exports   *Exports
}

// New returns a client. It asks the service nothing yet. The error is one of options that could never be used.
func New(options Options) (*Client, error) {
	checked, err := options.checked()
	if err != nil {
		return nil, err
	}
	t := newTransport(checked)
	r := &receipts{transport: t, trust: options.Trust.ForReceipts(), gaps: options.Gaps}
	return &Client{t, r, &EventLog{transport: t, receipts: r}, &Exports{t, r}}, nil
}

// ReceiptVerdict is the verdict of the receipts that this client returns: verified under its trust policy, untrusted
// without one. An untrusted receipt says what was sent, and agrees with itself and with everything that the client saw;
// its signer is unknown.
func (c *Client) ReceiptVerdict() report.Verdict { return c.receipts.verdict() }

// Log is the event log of the key's system.
func (c *Client) Log() *EventLog { return c.log }

// Exports has the truth packages of the key's system.
func (c *Client) Exports() *Exports { return c.exports }

// Stream returns one stream by its stream_id, and asks the service nothing yet. Every Stream of a client shares what
// it learns of the stream.
func (c *Client) Stream(streamID string) *Stream {
	return &Stream{c.transport, c.receipts, streamID}
}

// CreateStream makes a stream, and only one if the request is repeated under its key.
func (c *Client) CreateStream(ctx context.Context, input StreamInput, options ...WriteOption) (*StreamInfo, error) {
	w, err := writeOf(options)
	if err != nil {
		return nil, err
	}
	if input.Metadata == nil {
		input.Metadata = map[string]string{}
	}
	made := new(StreamInfo)
	if err := c.transport.writeObject(ctx, "/v2/streams", input, w.key, made); err != nil {
		return nil, err
	}
	// Under a key of the caller's the stream may be old, and have events.
	if made.Created && w.key == "" {
		c.receipts.mu.Lock()
		defer c.receipts.mu.Unlock()
		c.receipts.streams.of(made.StreamID).isNew()
	}
	return made, nil
}

// writeObject sends a value and reads the answer into a struct.
func (t *transport) writeObject(ctx context.Context, path string, input any, key string, into any) error {
	body, err := textOf(input)
	if err != nil {
		return err
	}
	text, err := t.write(ctx, path, body, key, 0)
	if err != nil {
		return err
	}
	tree, err := parse(path, text)
	if err != nil {
		return err
	}
	return decode(path, tree.Root(), into)
}

// A StreamFilter narrows a list of streams.
type StreamFilter struct {
	PageRequest
	UseCase string
	// Class is legacy, provenance or lifecycle.
	Class string
}

func (c *Client) listStreams(f StreamFilter) lister[ListedStream] {
	query := f.query()
	setText(query, "use_case", f.UseCase)
	setText(query, "class", f.Class)
	return listOf[ListedStream](c.transport, "/v2/streams", query)
}

// Streams lists the streams that the key may see, in the order in which they were made.
func (c *Client) Streams(ctx context.Context, filter StreamFilter) iter.Seq2[ListedStream, error] {
	return c.listStreams(filter).all(ctx, filter.Cursor)
}

// StreamsPage returns one page of [Client.Streams].
func (c *Client) StreamsPage(ctx context.Context, filter StreamFilter) (*Page[ListedStream], error) {
	return c.listStreams(filter).page(ctx, filter.Cursor)
}

// Receipt returns a stored receipt record by its stream_event_id, with payload and salt; without both if they have been
// erased. The error is a [*VerificationError] for a record that does not hold, or is of another event.
func (c *Client) Receipt(ctx context.Context, eventID string) (*svc.ReceiptRecord, error) {
	path := pathOf("/v2/receipts/%s", eventID)
	text, err := c.transport.send(ctx, request{method: http.MethodGet, path: path})
	if err != nil {
		return nil, err
	}
	tree, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	records, err := c.receipts.check(ctx, recordsOf(tree.Root()), expectation{}, text)
	if err != nil {
		return nil, err
	}
	if records[0].StreamEventID != eventID {
		message := eventID + " was asked for, and the receipt of " + records[0].StreamEventID + " came."
		return nil, (&untruth{code: CodeReceiptMismatch, message: message}).in(text)
	}
	return &records[0], nil
}

// get reads an object that has no key, unchecked.
func get[T any](ctx context.Context, t *transport, path string) (*T, error) {
	value := new(T)
	return orNil(value, t.object(ctx, request{method: http.MethodGet, path: path}, value))
}

// orNil returns a value, or nil beside an error.
func orNil[T any](value *T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return value, nil
}

// Window returns a window (protocol section 8) by its window_id, unchecked. It needs no key.
func (c *Client) Window(ctx context.Context, windowID string) (*svc.Window, error) {
	return get[svc.Window](ctx, c.transport, pathOf("/v2/windows/%s", windowID))
}

// Checkpoint returns a checkpoint (protocol section 9) by its checkpoint_id, unchecked. It needs no key.
func (c *Client) Checkpoint(ctx context.Context, checkpointID string) (*svc.Checkpoint, error) {
	return get[svc.Checkpoint](ctx, c.transport, pathOf("/v2/checkpoints/%s", checkpointID))
}

// Consistency returns proof that a checkpoint extends an earlier one (protocol section 12), unchecked. It needs no key.
func (c *Client) Consistency(ctx context.Context, checkpointID, fromCheckpointID string) (*svc.Consistency, error) {
	path := pathOf("/v2/checkpoints/%s/consistency", checkpointID) + "?" + url.Values{"from": {fromCheckpointID}}.Encode()
	return get[svc.Consistency](ctx, c.transport, path)
}

// WitnessPolicy returns a witness policy (protocol section 6), unchecked. digest is the witness_policy_digest of a
// window or checkpoint: it finds a declared policy; a built-in one needs none, so it may be empty. It needs no key.
func (c *Client) WitnessPolicy(ctx context.Context, policyID, digest string) (*svc.WitnessPolicy, error) {
	path := pathOf("/v2/witness/policies/%s", policyID)
	if digest != "" {
		path += "?" + url.Values{"digest": {digest}}.Encode()
	}
	return get[svc.WitnessPolicy](ctx, c.transport, path)
}

// AuditPackBytes returns the bundle over a range, as the exact bytes that the service sent: save these. The service
// seals the events that are not sealed yet.
func (c *Client) AuditPackBytes(ctx context.Context, input AuditPackInput, options ...WriteOption) ([]byte, error) {
	w, err := writeOf(options)
	if err != nil {
		return nil, err
	}
	body, err := textOf(input)
	if err != nil {
		return nil, err
	}
	return c.transport.write(ctx, "/v2/audit/packs", body, w.key, tables.ClientMaxPackBytes)
}

// AuditPack returns the bundle over a range, as a struct. Save the bytes of [Client.AuditPackBytes], not this.
func (c *Client) AuditPack(ctx context.Context, input AuditPackInput, options ...WriteOption) (*svc.Bundle, error) {
	text, err := c.AuditPackBytes(ctx, input, options...)
	if err != nil {
		return nil, err
	}
	return parsed[svc.Bundle]("/v2/audit/packs", text)
}

// parsed reads an answer, an object, as a struct.
func parsed[T any](path string, text []byte) (*T, error) {
	tree, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	value := new(T)
	return orNil(value, decode(path, tree.Root(), value))
}

// VerifyOnline returns the service's own verdict on an object of any kind, under its own keys; [svc.Verify] gives
// yours. object is one JSON text. It needs no key.
func (c *Client) VerifyOnline(ctx context.Context, object []byte) (*svc.Report, error) {
	return verifyOnline(ctx, c.transport, "/v2/verify", object)
}

func verifyOnline(ctx context.Context, t *transport, path string, object []byte) (*svc.Report, error) {
	if _, err := jsonx.Parse(object, jsonx.Limits{}); err != nil {
		return nil, new(walk).refusal("is no JSON that can be sent: %v", err)
	}
	r := new(svc.Report)
	return orNil(r, t.object(ctx, request{method: http.MethodPost, path: path, body: object}, r))
}

// Keys returns the service's keys and endorsements, as it states them, unchecked: compare a fingerprint before you pin
// one. It needs no key.
func (c *Client) Keys(ctx context.Context) (*ServiceKeys, error) {
	return get[ServiceKeys](ctx, c.transport, "/v2/keys")
}

// Health returns the service's status and version, if it answers. It needs no key.
func (c *Client) Health(ctx context.Context) (*Health, error) {
	return get[Health](ctx, c.transport, "/health")
}

var errNoStream = errors.New("client: the stream has no name: give its stream_id, as CreateStream or svc-server init told it")
