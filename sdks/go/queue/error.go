package queue

import (
	"errors"
	"fmt"

	"svc.example/go/client"
)

// A Code says why a queue or its spool stopped, or refuses.
type Code string

// The codes of a queue.
const (
	// CodeQueueStopped: the queue stopped at a batch, and the program has to decide.
	CodeQueueStopped Code = "queue_stopped"
	// CodeQueueClosed: the queue was closed.
	CodeQueueClosed Code = "queue_closed"
	// CodeEventDiscarded: the program discarded the event after the service had refused it.
	CodeEventDiscarded Code = "event_discarded"
	// CodeKeyTaken: an event with this key was put into the spool before. It waits there, or has left.
	CodeKeyTaken Code = "key_taken"
	// CodeAnswerMismatch: the receipts are not those of the batch.
	CodeAnswerMismatch Code = "answer_mismatch"
	// CodeReceiptsNotTaken: OnReceipts failed. The batch was recorded, and OnReceipts gets its receipts again.
	CodeReceiptsNotTaken Code = "receipts_not_taken"
	// CodeBatchTooOld: the service may have forgotten the batch's Idempotency-Key, and nobody knows whether it was
	// recorded.
	CodeBatchTooOld Code = "batch_too_old"
	// CodeSpoolInUse: another queue has the spool.
	CodeSpoolInUse Code = "spool_in_use"
	// CodeSpoolForeign: the spool holds events of another stream.
	CodeSpoolForeign Code = "spool_foreign"
	// CodeSpoolCorrupt: the spool cannot be read back; the message names the place.
	CodeSpoolCorrupt Code = "spool_corrupt"
	// CodeSpoolFailed: the medium of the spool failed: a full disk, for example.
	CodeSpoolFailed Code = "spool_failed"
)

// An Error is a failure of a queue or its spool.
type Error struct {
	Code    Code
	Message string
	cause   error
}

// Error says code and message.
func (e *Error) Error() string { return "svc queue: " + string(e.Code) + ": " + e.Message }

// Unwrap returns the error below, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// Is says whether target is an [*Error] of the same code: errors.Is(err, &queue.Error{Code: queue.CodeKeyTaken}).
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code && other.Message == ""
}

func newError(code Code, cause error, format string, values ...any) *Error {
	return &Error{code, fmt.Sprintf(format, values...), cause}
}

// failed returns the error of a medium.
func failed(what string, cause error) *Error {
	why := ""
	if cause != nil {
		why = ": " + cause.Error()
	}
	return newError(CodeSpoolFailed, cause, "The spool failed, %s%s.", what, why)
}

var errClosed = newError(CodeQueueClosed, nil, "The queue was closed. What waits is in its spool.")

// named returns code, status and message of a failure.
func named(err error) (code, message string, status int) {
	var own *Error
	if errors.As(err, &own) {
		return string(own.Code), own.Message, 0
	}
	var lie *client.VerificationError
	if errors.As(err, &lie) {
		return string(lie.Code), lie.Message, 200
	}
	var failure *client.Error
	if errors.As(err, &failure) {
		return string(failure.Code), failure.Message, failure.Status
	}
	// Any other error comes from the spool.
	return string(CodeSpoolFailed), err.Error(), 0
}
