// Package svc verifies evidence of the protocol SVC-PROOFSTREAM-001 offline: receipts, windows, checkpoints, bundles,
// archives and all else that docs/protocol.md names. It reads no file, environment, clock or network that it was not
// given.
//
// [Verify], [VerifyBytes] and [VerifyFile] return an error unless the verdict is verified, as
// [crypto/x509.Certificate.Verify] does; the report comes beside it all the same. [Options] without a trust policy
// trusts nobody. All functions are safe for concurrent use.
package svc
