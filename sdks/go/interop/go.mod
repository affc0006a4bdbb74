module svc.example/go/interop

go 1.26

require (
	// The transparency community's checkpoints, as their tools read them.
	github.com/transparency-dev/formats v0.1.1
	// Its Merkle trees and proofs (RFC 6962).
	github.com/transparency-dev/merkle v0.0.2
	// Signed notes, as the Go checksum database has them.
	golang.org/x/mod v0.36.0
	svc.example/go v0.5.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	filippo.io/mldsa v0.0.0-20260215214346-43d0283efc3e // indirect
	golang.org/x/crypto v0.52.0 // indirect
)

replace svc.example/go => ../
