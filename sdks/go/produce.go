package svc

import (
	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
)

// Redact leaves out payload and salt of events of a bundle, portable receipt, run of records or receipt, by their
// numbers (protocol sections 7 and 14). It returns the canonical JSON of the result, and an error for an object that is
// none of these, lacks an event of a number, or does not hold.
func Redact(text []byte, seqNos ...int64) ([]byte, error) {
	return examine.Redact(kernel.Native, text, seqNos)
}

// PortableReceiptOf cuts the portable receipt of one event out of a bundle (protocol section 13): up to the bundle's
// last checkpoint, with the payload if the bundle has it. It returns canonical JSON, or an error as [Redact] does.
func PortableReceiptOf(bundle []byte, seqNo int64) ([]byte, error) {
	return examine.Cut(kernel.Native, bundle, seqNo)
}
