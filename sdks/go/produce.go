package svc

import (
	"errors"
	"fmt"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
)

// A RefusalError says why [Redact], [PortableReceiptOf] or [FindFork] makes nothing. Code is one of
// docs/conformance.md, such as event_missing; Offset is the byte of a fault of JSON, Reason a sentence where there is
// more to say, and Report that of a result that does not hold.
type RefusalError = examine.Refusal

// Redact leaves out payload and salt of events of a bundle, portable receipt, run of records or receipt, by their
// numbers (protocol sections 7 and 14). It returns the canonical JSON of the result. The error is a [*RefusalError] for
// any other object, and for one that lacks an event of a number or does not hold.
func Redact(text []byte, seqNos ...int64) (made []byte, err error) {
	defer recovered(&err)
	made, _, err = examine.Redact(kernel.Native, text, seqNos)
	return made, err
}

// PortableReceiptOf cuts the portable receipt of one event out of a bundle (protocol section 13): up to the bundle's
// last checkpoint, with the payload if the bundle has it. It returns canonical JSON, or an error as [Redact] does.
func PortableReceiptOf(bundle []byte, seqNo int64) (made []byte, err error) {
	return PortableReceiptUpTo(bundle, seqNo, 0)
}

// PortableReceiptUpTo does the same up to an earlier checkpoint, by its number; 0 for the bundle's last one.
func PortableReceiptUpTo(bundle []byte, seqNo, checkpointNo int64) (made []byte, err error) {
	defer recovered(&err)
	return examine.Cut(kernel.Native, bundle, seqNo, checkpointNo)
}

// recovered turns a panic of this package into [ErrInternal]. Defer it.
func recovered(err *error) {
	if failure := recover(); failure != nil {
		*err = fmt.Errorf("%w: %v", ErrInternal, failure)
	}
}

// FindForkOptions say how [FindFork] searches, and name the evidence.
type FindForkOptions struct {
	// ForkID is the identifier of the evidence: frk_ and a lowercase ULID.
	ForkID string
	// DetectedAt is the time at which the contradiction was found, as 2026-03-01T00:00:00.000Z. FindFork reads no clock.
	DetectedAt string
	// Trust tells keys that the objects do not carry. Nothing else of it matters here.
	Trust TrustPolicy
	// Policies are policies that neither object shows, by which an omission is judged; each is one JSON text.
	Policies [][]byte
	// Kinds are the kinds of evidence to look for, such as head; nil for all.
	Kinds []string
}

// FindFork looks for a contradiction between two objects (protocol section 11): each a receipt, a run of records, a
// window, a checkpoint, consistency evidence, a bundle, a portable receipt, an anchor, or the text of a signed note. It
// returns the canonical JSON of the simplest evidence that [VerifyBytes] does not reject, about the earliest place that
// shows it, and nil where it finds none. A contradiction may exist all the same, in parts that neither object shows.
// The error is a [*RefusalError] for any other object.
func FindFork(left, right []byte, options FindForkOptions) (evidence []byte, err error) {
	defer recovered(&err)
	if !examine.IsForkID(options.ForkID) || !examine.IsTime(options.DetectedAt) {
		return nil, errors.New("svc: fork evidence needs an identifier, frk_ and a lowercase ULID, and a time in milliseconds")
	}
	return examine.FindFork(examine.ForkInput{
		Left: left, Right: right, ForkID: options.ForkID, DetectedAt: options.DetectedAt,
		Policy: options.Trust.policy, Policies: options.Policies, Kinds: options.Kinds, Kernel: kernel.Native,
	})
}
