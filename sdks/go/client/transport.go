package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
)

// A transport makes one exchange with the service, repeated if repeating is safe: same body, same idempotency key,
// growing pauses with jitter, and at least as long as the service asks for.
type transport struct {
	base        string
	timeout     time.Duration
	maxAttempts int
	// maxBytes is 0 unless the program says otherwise.
	maxBytes int64
	http     *http.Client
	// authorize sets the key in a header. It is a function, so that nothing prints the key.
	authorize func(http.Header)
}

// A request is one of the client's. A body is JSON text.
type request struct {
	method, path string
	body         []byte
	key          string
	// maxBytes is the most bytes of the answer, if it can be larger than others.
	maxBytes int64
}

func newTransport(o Options) *transport {
	round := o.Transport
	if round == nil {
		round = &http.Transport{
			MaxIdleConnsPerHost: 16, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2: true, DisableCompression: true,
		}
	}
	key := o.APIKey
	return &transport{
		base: o.BaseURL, timeout: o.Timeout, maxAttempts: o.MaxAttempts, maxBytes: o.MaxAnswerBytes,
		http: &http.Client{
			Transport: round,
			// A service never redirects: a redirect comes from something else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		authorize: func(header http.Header) {
			if key != "" {
				header.Set("Authorization", "Bearer "+key)
			}
		},
	}
}

// send sends a request and returns the body. The error is an [*Error], or that of ctx.
func (t *transport) send(ctx context.Context, r request) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		body, err := t.attempt(ctx, r)
		if err == nil {
			return body, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var failure *Error
		if !errors.As(err, &failure) {
			return nil, err
		}
		failure.IdempotencyKey, failure.Attempts = r.key, attempt
		if !failure.Retryable || attempt >= t.maxAttempts || failure.RetryAfter > maxRetryAfter {
			return nil, failure
		}
		if err := pause(ctx, pauseAfter(attempt, failure.RetryAfter, jitter())); err != nil {
			return nil, err
		}
	}
}

func (t *transport) attempt(ctx context.Context, r request) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	// A body that cannot be read again keeps net/http from repeating a request by itself, which nobody would count.
	var body io.Reader
	if r.body != nil {
		body = io.NopCloser(bytes.NewReader(r.body))
	}
	out, err := http.NewRequestWithContext(limited, r.method, t.base+r.path, body)
	if err != nil {
		return nil, err
	}
	out.Header.Set("Accept", "application/json")
	out.Header.Set("Accept-Encoding", noCoding)
	if r.body != nil {
		out.ContentLength = int64(len(r.body))
		out.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		out.Header.Set("Idempotency-Key", r.key)
	}
	t.authorize(out.Header)
	answer, err := t.http.Do(out)
	if err != nil {
		return nil, t.noAnswer(r.path, err)
	}
	defer answer.Body.Close()
	if named := answer.Header.Get("Idempotency-Key"); named != "" && r.key != "" && named != r.key {
		return nil, newError(CodeUnexpectedAnswer, "The answer is one to another request: it names its key.", 0)
	}
	text, err := t.read(answer, r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return nil, refusalOf(answer, text)
	}
	return text, nil
}

func (t *transport) noAnswer(path string, err error) *Error {
	// The text of a *url.Error repeats method and address.
	var wrapped *url.Error
	reason := err
	if errors.As(err, &wrapped) {
		reason = wrapped.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		reason = fmt.Errorf("no answer within %v", t.timeout)
	}
	failure := newError(CodeNoAnswer, fmt.Sprintf("No answer from %s%s: %v", t.base, path, reason), 0)
	failure.cause = reason
	return failure
}

// read reads the body; a body without an end must not fill the memory.
func (t *transport) read(answer *http.Response, r request) ([]byte, error) {
	if err := requireUncoded(answer); err != nil {
		return nil, err
	}
	most := t.maxBytes
	if most == 0 {
		most = max(tables.ClientDefaultMaxAnswerBytes, r.maxBytes)
	}
	var text bytes.Buffer
	if answer.ContentLength > 0 && answer.ContentLength <= min(most, 1<<20) {
		text.Grow(int(answer.ContentLength) + bytes.MinRead)
	}
	if _, err := text.ReadFrom(io.LimitReader(answer.Body, most+1)); err != nil {
		return nil, t.noAnswer(r.path, err)
	}
	if int64(text.Len()) > most {
		message := fmt.Sprintf("The answer has more than %d bytes, and was not read further. Set MaxAnswerBytes where it may.", most)
		failure := newError(CodeAnswerTooLarge, message, answer.StatusCode)
		return nil, failure
	}
	return text.Bytes(), nil
}

// noCoding is an Accept-Encoding: a transport that finds one adds no coding to it, and decodes none.
const noCoding = "identity"

// requireUncoded refuses an answer in a content coding: none was asked for, and a few bytes can become gigabytes.
func requireUncoded(answer *http.Response) error {
	coding := strings.TrimSpace(strings.Join(answer.Header.Values("Content-Encoding"), ", "))
	if coding == "" || strings.EqualFold(coding, noCoding) {
		return nil
	}
	message := fmt.Sprintf("The answer is in the content coding %.40q, which was not asked for, and was not read.", coding)
	return newError(CodeUnexpectedAnswer, message, answer.StatusCode)
}

// refusalOf returns the error of an answer that is no success.
func refusalOf(answer *http.Response, text []byte) *Error {
	status := answer.StatusCode
	if status >= 300 && status < 400 {
		return newError(CodeUnexpectedAnswer, "The service sends elsewhere, and is not followed.", status)
	}
	asked := retryAfter(answer.Header.Get("Retry-After"), time.Now())
	var refusal struct {
		Detail json.RawMessage `json:"detail"`
	}
	var said struct {
		Code    *Code   `json:"code"`
		Message *string `json:"message"`
	}
	// Other servers may have a member of this name: that is no refusal of the service's.
	if json.Unmarshal(text, &refusal) != nil || json.Unmarshal(refusal.Detail, &said) != nil || said.Code == nil || said.Message == nil {
		failure := newError(CodeUnexpectedAnswer, fmt.Sprintf("The service answered %d without saying why.", status), status)
		failure.RetryAfter = asked
		return failure
	}
	failure := newError(*said.Code, *said.Message, status)
	failure.Detail, failure.RetryAfter = refusal.Detail, asked
	failure.NamesKey = answer.Header.Get("Idempotency-Key") != ""
	return failure
}

// parse returns the tree of a JSON answer, which must be an object.
func parse(path string, text []byte) (*jsonx.Tree, error) {
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err == nil && tree.Root().Kind() == jsonx.Object {
		return tree, nil
	}
	what := "a JSON object"
	if err != nil {
		what = "JSON (" + err.Error() + ")"
	}
	return nil, newError(CodeUnexpectedAnswer, fmt.Sprintf("%s was answered with something else than %s.", path, what), 200)
}

// decode reads a parsed answer into a struct. A member of another type than the struct's is no answer of the service.
func decode(path string, value jsonx.Value, into any) error {
	if err := json.Unmarshal(value.Canonical(), into); err != nil {
		return newError(CodeUnexpectedAnswer, fmt.Sprintf("%s was answered with something else: %v.", path, err), 200)
	}
	return nil
}

// object sends a request and reads the answer, an object, into a struct.
func (t *transport) object(ctx context.Context, r request, into any) error {
	text, err := t.send(ctx, r)
	if err != nil {
		return err
	}
	tree, err := parse(r.path, text)
	if err != nil {
		return err
	}
	return decode(r.path, tree.Root(), into)
}

// write sends JSON text under one idempotency key, so that it takes effect once however often it is repeated.
func (t *transport) write(ctx context.Context, path string, body []byte, key string, maxBytes int64) ([]byte, error) {
	if key == "" {
		key = newKey()
	}
	return t.send(ctx, request{method: http.MethodPost, path: path, body: body, key: key, maxBytes: maxBytes})
}

// stream fetches bytes by a path that carries its own ticket; it sends no key. It returns when the answer begins, where
// the timeout ends. It never repeats: a ticket works once.
func (t *transport) stream(ctx context.Context, path string, header http.Header, status int) (io.ReadCloser, error) {
	// Another beginning could lead to another host: https://evidence.example and .example/.
	if !strings.HasPrefix(path, "/") {
		return nil, newError(CodeUnexpectedAnswer, "The service names a download that is not its own.", 200)
	}
	inner, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(t.timeout, cancel)
	out, err := http.NewRequestWithContext(inner, http.MethodGet, t.base+path, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	out.Header = header
	out.Header.Set("Accept-Encoding", noCoding)
	answer, err := t.http.Do(out)
	if err == nil && answer.StatusCode == status && requireUncoded(answer) == nil {
		late.Stop()
		return &download{answer.Body, cancel}, nil
	}
	defer cancel()
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		// The path contains the ticket.
		return nil, t.noAnswer("", err)
	}
	defer answer.Body.Close()
	if err := requireUncoded(answer); err != nil {
		return nil, err
	}
	if answer.StatusCode >= 200 && answer.StatusCode <= 299 {
		message := fmt.Sprintf("The service answered %d, which was not meant.", answer.StatusCode)
		return nil, newError(CodeUnexpectedAnswer, message, answer.StatusCode)
	}
	text, err := t.read(answer, request{})
	if err != nil {
		return nil, err
	}
	return nil, refusalOf(answer, text)
}

// A download ends its request when it is closed.
type download struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (d *download) Close() error {
	defer d.cancel()
	return d.ReadCloser.Close()
}

// newKey returns a random UUID (RFC 9562, version 4).
func newKey() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	text := hex.EncodeToString(b[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
