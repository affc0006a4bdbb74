// Package kernel says what a verifier computes with: strict JSON, digests, trees, Ed25519, inflating. A kernel knows no
// protocol object. Two implementations are behind the interface, Go's own ([Native]) and the compiled one of the
// module wasmkernel, and all their answers must be equal.
package kernel

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
)

// A Kernel computes. It is safe for concurrent use. All but the methods that say so are total over their input.
// A kernel that fails itself panics with a [*Stopped].
type Kernel interface {
	// Name is "go" or "wasm".
	Name() string
	// SHA256 is the hash of the compiled kernel's bytes in lowercase hex; empty for one that is not compiled apart.
	SHA256() string

	// ParseJSON is [jsonx.Parse].
	ParseJSON(wire []byte, limits jsonx.Limits) (*jsonx.Tree, error)
	// Digest returns SHA-256 of a first line, as [digest.Line] returns it, and the parts behind it. The line may be nil.
	Digest(line []byte, parts ...[]byte) digest.Hash
	// Verify is [ed25519x.Verify].
	Verify(publicKey, message, signature []byte) bool
	// VerifyBatch is [ed25519x.VerifyBatch].
	VerifyBatch(items []ed25519x.Item) []bool

	// LeafHash is [merkle.LeafHash].
	LeafHash(data []byte) merkle.Hash
	// AppendLeaves returns the frontier after leaf hashes are appended to a tree of size leaves. The error is
	// [merkle.ErrFrontier], where the frontier has another length than that of such a tree.
	AppendLeaves(size uint64, frontier, leaves []merkle.Hash) ([]merkle.Hash, error)
	// RootOfFrontier returns the root of a tree; ok is false for an empty frontier.
	RootOfFrontier(frontier []merkle.Hash) (root merkle.Hash, ok bool)
	// Root is [merkle.Root].
	Root(leaves []merkle.Hash) (root merkle.Hash, ok bool)
	// ProveInclusion is [merkle.ProveInclusion], and panics as it does.
	ProveInclusion(leaves []merkle.Hash, index int) []merkle.Hash
	// VerifyInclusion is [merkle.VerifyInclusion].
	VerifyInclusion(leaf merkle.Hash, index, size uint64, path []merkle.Hash, root merkle.Hash) bool
	// ProveConsistency is [merkle.ProveConsistency], and panics as it does.
	ProveConsistency(leaves []merkle.Hash, size int) []merkle.Hash
	// VerifyConsistency is [merkle.VerifyConsistency].
	VerifyConsistency(fromSize uint64, fromRoot merkle.Hash, toSize uint64, toRoot merkle.Hash, path []merkle.Hash) bool

	// Inflate is [inflate.Inflate].
	Inflate(packed []byte, size uint32, take func(piece []byte)) (ok bool)
}

// Stopped is what a kernel panics with that can compute no further: no verdict comes of it.
type Stopped struct{ Cause error }

func (s *Stopped) Error() string { return "the kernel stopped: " + s.Cause.Error() }

// Unwrap returns the cause.
func (s *Stopped) Unwrap() error { return s.Cause }
