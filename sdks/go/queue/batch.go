package queue

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"time"

	"svc.example/go"
	"svc.example/go/client"
)

// A batch is events that are being sent: their possible receipts, and the meaning of an error.
type batch struct {
	SpooledBatch
	texts []json.RawMessage
	bytes int64
	// oldestAt is when its first event was put into the spool, in Unix milliseconds.
	oldestAt int64
	// maybeRecorded says that the service may have recorded it without telling us: an attempt had no clear answer, or
	// another process made it.
	maybeRecorded bool
	// isAnswered says that the last attempt was answered as recorded: a later failure says nothing about the recording.
	isAnswered bool
}

func newBatch(kept SpooledBatch, events []SpooledEvent, maybeRecorded bool) *batch {
	b := &batch{SpooledBatch: kept, oldestAt: kept.MadeAt, maybeRecorded: maybeRecorded}
	for _, one := range events {
		b.texts = append(b.texts, one.Text)
		b.bytes += int64(len(one.Text))
	}
	if len(events) > 0 {
		b.oldestAt = events[0].At
	}
	return b
}

// requireKnownKey returns batch_too_old if the service may have forgotten the key of a batch that it may have recorded.
// Nine tenths of the service's days count as safe: its clock is not ours.
func (b *batch) requireKnownKey(now time.Time, keyDays float64) error {
	age := now.Sub(time.UnixMilli(b.MadeAt)).Abs()
	// A clock that was set back since tells nothing of its age; one that was far ahead must not keep it young for ever.
	if !b.maybeRecorded || age.Hours() <= keyDays*24*0.9 {
		return nil
	}
	return newError(CodeBatchTooOld, nil, "A batch of %d events was made on %s, may have been recorded, and its Idempotency-Key may be forgotten by now. Look for its first event in the stream: discard the batch where it is there, and resume anew where it is not.",
		len(b.texts), time.UnixMilli(b.MadeAt).UTC().Format("2006-01-02T15:04:05.000Z"))
}

// requireOwn returns answer_mismatch unless the receipts of this batch follow each other in the stream, behind the last
// receipt before them: an answer to another request must not take events out of the queue.
func (b *batch) requireOwn(receipts []svc.ReceiptRecord, streamID string, doneSeqNo int64) error {
	isOwn := len(receipts) == len(b.texts) && len(receipts) > 0 && receipts[0].SeqNo > doneSeqNo
	for i := 0; isOwn && i < len(receipts); i++ {
		isOwn = receipts[i].StreamID == streamID && receipts[i].SeqNo == receipts[0].SeqNo+int64(i)
	}
	if isOwn {
		return nil
	}
	return newError(CodeAnswerMismatch, nil, "The answer has the receipts of another request. It is asked for again.")
}

// noteFailure notes a failed attempt. It says whether the service refused it for its content, so that no attempt can
// have recorded it.
func (b *batch) noteFailure(err error) (isRefused bool) {
	failure := refusalIn(err)
	isNew := failure != nil && failure.Attempts == 1 && !b.maybeRecorded
	isRefused = !b.isAnswered && (isContentRefusal(failure) || (isNew && isTooLargeBetween(failure)))
	b.maybeRecorded = !isRefused
	return isRefused
}

// narrowed returns how many of its events to send next after a refusal for its content: those before the event that the
// service names, or half of them. ok is false if it is one event and cannot be split.
func (b *batch) narrowed(err error) (most int, ok bool) {
	if len(b.texts) == 1 {
		return 0, false
	}
	if failure := refusalIn(err); failure != nil {
		if index, ok := namedIndex(failure.Detail); ok && index < len(b.texts) {
			return max(index, 1), true
		}
	}
	return (len(b.texts) + 1) / 2, true
}

// refusalIn returns the client's error in one, unless that is about an answer that does not hold.
func refusalIn(err error) *client.Error {
	var failure *client.Error
	if errors.As(err, new(*client.VerificationError)) || !errors.As(err, &failure) {
		return nil
	}
	return failure
}

// isTransient says whether the same batch may be sent again by itself, under the same key. Receipts that do not hold
// may belong to another request, mixed up on the way; a service that lies keeps lying, and the outbox counts that.
func isTransient(err error) bool {
	if errors.Is(err, &Error{Code: CodeAnswerMismatch}) {
		return true
	}
	var own *Error
	if errors.As(err, &own) {
		return false
	}
	// Evidence of two histories must not be lost behind a better answer.
	var lie *client.VerificationError
	if errors.As(err, &lie) {
		return lie.Code != client.CodeForkDetected
	}
	failure := refusalIn(err)
	if failure == nil || isTooLargeBetween(failure) {
		return false
	}
	// A batch sent in its turn names no predecessor: this is the answer to a batch that was sent ahead. An answer that is
	// not the service's JSON comes from something else: a proxy, or a maintenance page.
	return failure.Code == client.CodePredecessorMissing || failure.Retryable || failure.Status == 408 || failure.Code == client.CodeUnexpectedAnswer
}

// isContentRefusal says whether the service refused a batch for its content. No attempt recorded it then: the same
// events would have been refused each time. Other errors do not tell, because a call may stand for several attempts,
// and the first ones may have had no answer.
func isContentRefusal(failure *client.Error) bool {
	return failure != nil && failure.NamesKey && (failure.Status == 400 || failure.Status == 413 || failure.Status == 422)
}

// isTooLargeBetween says whether something in front of the service refused the size. It does not know what earlier
// attempts have recorded.
func isTooLargeBetween(failure *client.Error) bool {
	return failure.Status == 413 && failure.Code == client.CodeUnexpectedAnswer
}

// isLie says whether an answer, or its claim, belongs to another request.
func isLie(err error) bool {
	return errors.As(err, new(*client.VerificationError)) || errors.Is(err, &Error{Code: CodeAnswerMismatch})
}

var eventPath = regexp.MustCompile(`^/events/([0-9]{1,4})(?:/|$)`)

// namedIndex returns the index of the event that a refusal names: index, or /events/<index> in the path of a problem.
func namedIndex(detail json.RawMessage) (index int, ok bool) {
	var named struct {
		Index    *float64 `json:"index"`
		Problems []struct {
			Path string `json:"path"`
		} `json:"problems"`
	}
	if json.Unmarshal(detail, &named) != nil {
		return 0, false
	}
	if named.Index != nil {
		return int(*named.Index), *named.Index >= 0
	}
	for _, problem := range named.Problems {
		if match := eventPath.FindStringSubmatch(problem.Path); match != nil {
			if place, _ := strconv.Atoi(match[1]); !ok || place < index {
				index, ok = place, true
			}
		}
	}
	return index, ok
}
