package client

import (
	"encoding/json"
	"time"

	"svc.example/go"
	"svc.example/go/internal/tables"
)

// A Code says why a call failed: a code of the service, one of the client, or one of the verifier for an answer that
// does not hold. A later release of the service may have more.
type Code string

// The client's own codes.
const (
	// CodePayloadNotJSON: a request holds a value that JSON cannot carry unchanged. Nothing was sent.
	CodePayloadNotJSON Code = "payload_not_json"
	// CodeNoAnswer: no answer came, or it came too late.
	CodeNoAnswer Code = "no_answer"
	// CodeUnexpectedAnswer: the answer is not one of the service's.
	CodeUnexpectedAnswer Code = "unexpected_answer"
	// CodeAnswerTooLarge: an answer has more bytes than MaxAnswerBytes, and was not read to its end.
	CodeAnswerTooLarge Code = "answer_too_large"
	// CodeReceiptMismatch: a receipt differs from the event that was sent, or is another than the one asked for.
	CodeReceiptMismatch Code = "receipt_mismatch"
	// CodeReceiptRepeated: a new event was answered with an older receipt.
	CodeReceiptRepeated Code = "receipt_repeated"
	// CodeReceiptRedacted: a receipt came without its payload, so it cannot be compared with the event.
	CodeReceiptRedacted Code = "receipt_redacted"
	// CodeHeadStale: the head of a stream is older than a receipt that the client has returned.
	CodeHeadStale Code = "head_stale"
	// CodeForkDetected: the service has signed two histories of a stream.
	CodeForkDetected Code = "fork_detected"
	// CodeRangeIncomplete: events are missing from an answer.
	CodeRangeIncomplete Code = "range_incomplete"
)

// Meaning returns a sentence of the service's table of codes; empty for any other code.
func (c Code) Meaning() string {
	for _, one := range tables.ServiceErrors {
		if one.Code == string(c) {
			return one.Meaning
		}
	}
	return ""
}

// Action returns what to do next, by the service's table of codes; empty for any other code.
func (c Code) Action() string {
	for _, one := range tables.ServiceErrors {
		if one.Code == string(c) {
			return one.Action
		}
	}
	return ""
}

// An Error is a failed call.
type Error struct {
	Code    Code
	Message string
	// Status is the HTTP status; 0 if no answer came, or nothing was sent.
	Status int
	// Detail is the service's detail object; for payload_not_json one whose problems have the JSON Pointer of the value;
	// nil without one.
	Detail json.RawMessage
	// Retryable says whether the same request, under the same key, may be sent again and succeed.
	Retryable bool
	// RetryAfter is how long the service asks to wait; 0 if it does not ask.
	RetryAfter time.Duration
	// IdempotencyKey is the key of a failed write; empty for other calls. The service may have recorded the request:
	// sent again under this key, it is recorded once.
	IdempotencyKey string
	// NamesKey says whether the answer names the request's Idempotency-Key, so that nothing between has confused it with
	// another answer.
	NamesKey bool
	// Attempts is how often the request had been sent when it failed.
	Attempts int
	cause    error
}

// newError returns an error whose Retryable follows from code and status.
func newError(code Code, message string, status int) *Error {
	return &Error{Code: code, Message: message, Status: status, Retryable: isRetryable(code, status), Attempts: 1}
}

// isRetryable says whether a request may be sent again. A server without the means for a request (501) lacks them a
// moment later too (RFC 9110 section 15.6.2).
func isRetryable(code Code, status int) bool {
	if code == CodePayloadNotJSON {
		return false
	}
	return status == 0 || status == 429 || (status >= 500 && status != 501)
}

// Error says code and message.
func (e *Error) Error() string { return "svc client: " + string(e.Code) + ": " + e.Message }

// Unwrap returns the error below, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// A VerificationError is an answer that does not hold: somebody changed it on its way, or the service lies. The service
// may have recorded the request. The client never sends it again by itself. [errors.As] finds an [*Error] in it too.
type VerificationError struct {
	// Code is one of the verifier, or of the client.
	Code Code
	// Message says what does not hold.
	Message string
	// Answer is the answer's body. Keep it: with it others can see what you saw.
	Answer json.RawMessage
	// Report is the verifier's; nil if the answer contradicts what was sent or seen, but not itself.
	Report *svc.Report
	// Fork is portable evidence that the service has signed two histories of the stream: it convicts the service before
	// everybody. It is nil without such evidence.
	Fork json.RawMessage
	base *Error
}

// Error says code and message.
func (e *VerificationError) Error() string {
	return "svc client: " + string(e.Code) + ": " + e.Message +
		" The answer is refused. If it is about an event that you sent, that event may be recorded: do not send it as a new one." +
		" Keep the answer (VerificationError.Answer), and ask the operator of the service."
}

// Unwrap returns the error as an [*Error].
func (e *VerificationError) Unwrap() error { return e.base }

// IdempotencyKey returns the key of a failed write; empty for other calls.
func (e *VerificationError) IdempotencyKey() string { return e.base.IdempotencyKey }

// An untruth is the fault of an answer.
type untruth struct {
	code    Code
	message string
	report  *svc.Report
	fork    json.RawMessage
}

func (u *untruth) in(answer []byte) *VerificationError {
	base := newError(u.code, u.message, 200)
	return &VerificationError{u.code, u.message, answer, u.report, u.fork, base}
}
