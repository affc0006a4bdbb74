package kernel

import (
	"svc.example/go/internal/digest"
	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/inflate"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
)

// Native is the kernel in Go.
var Native Kernel = native{}

type native struct{}

func (native) Name() string   { return "go" }
func (native) SHA256() string { return "" }

func (native) ParseJSON(wire []byte, limits jsonx.Limits) (*jsonx.Tree, error) {
	return jsonx.Parse(wire, limits)
}

func (native) Digest(line []byte, parts ...[]byte) digest.Hash { return digest.Sum(line, parts...) }

func (native) Verify(publicKey, message, signature []byte) bool {
	return ed25519x.Verify(publicKey, message, signature)
}

func (native) VerifyBatch(items []ed25519x.Item) []bool { return ed25519x.VerifyBatch(items) }

func (native) LeafHash(data []byte) merkle.Hash { return merkle.LeafHash(data) }

func (native) AppendLeaves(size uint64, frontier, leaves []merkle.Hash) ([]merkle.Hash, error) {
	f, err := merkle.NewFrontier(size, frontier)
	if err != nil {
		return nil, err
	}
	for _, leaf := range leaves {
		if err := f.Append(leaf); err != nil {
			return nil, err
		}
	}
	return f.Hashes(), nil
}

func (native) RootOfFrontier(frontier []merkle.Hash) (root merkle.Hash, ok bool) {
	return merkle.RootOfFrontier(frontier)
}

func (native) Root(leaves []merkle.Hash) (root merkle.Hash, ok bool) { return merkle.Root(leaves) }

func (native) ProveInclusion(leaves []merkle.Hash, index int) []merkle.Hash {
	return merkle.ProveInclusion(leaves, index)
}

func (native) VerifyInclusion(leaf merkle.Hash, index, size uint64, path []merkle.Hash, root merkle.Hash) bool {
	return merkle.VerifyInclusion(leaf, index, size, path, root)
}

func (native) ProveConsistency(leaves []merkle.Hash, size int) []merkle.Hash {
	return merkle.ProveConsistency(leaves, size)
}

func (native) VerifyConsistency(fromSize uint64, fromRoot merkle.Hash, toSize uint64, toRoot merkle.Hash, path []merkle.Hash) bool {
	return merkle.VerifyConsistency(fromSize, fromRoot, toSize, toRoot, path)
}

func (native) Inflate(packed []byte, size uint32, take func(piece []byte)) (ok bool) {
	return inflate.Inflate(packed, size, take)
}
