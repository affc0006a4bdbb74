// Package client records events with a service, reads them again, and fetches their evidence.
//
// Receipts, records and heads that a [Client] returns have been verified: against themselves, the trust policy of
// [Options], the event that was sent, and everything that the client has seen of the stream. All other evidence is
// returned unchecked; [svc.Verify] checks it. Errors are [*Error], and [*VerificationError] for an answer that does not
// hold. A [Client] is safe for concurrent use. It reads no environment and no file.
package client
