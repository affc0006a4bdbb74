package wasmkernel

import (
	"encoding/binary"
	"math"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/merkle"
)

const (
	// maxItems is the most signatures in one call, which the kernel checks by one equation.
	maxItems = 8192
	// maxBytes is the most bytes of messages in one call; a longer message goes alone.
	maxBytes = 1 << 24
)

// Digest returns SHA-256 of a first line and the parts behind it.
func (k *Kernel) Digest(line []byte, parts ...[]byte) digest.Hash {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	input := append([][]byte{binary.LittleEndian.AppendUint32(nil, uint32(length)), line}, parts...)
	return with(k, func(i *instance) digest.Hash {
		return digest.Hash(i.answer("hashes", input, uint64(len(line)), 1))
	})
}

// Verify is [ed25519x.Verify].
func (k *Kernel) Verify(publicKey, message, signature []byte) bool {
	return k.VerifyBatch([]ed25519x.Item{{PublicKey: publicKey, Message: message, Signature: signature}})[0]
}

// VerifyBatch is [ed25519x.VerifyBatch].
func (k *Kernel) VerifyBatch(items []ed25519x.Item) []bool {
	verdicts := make([]bool, len(items))
	var keys, signatures, messages [][]byte
	var indexes []int
	total := 0
	flush := func() {
		if len(indexes) == 0 {
			return
		}
		input := append([][]byte{lengthsOf(messages)}, keys...)
		input = append(append(input, signatures...), messages...)
		for n, verdict := range with(k, func(i *instance) []byte {
			return i.answer("ed25519_verify", input, uint64(len(messages)))
		}) {
			verdicts[indexes[n]] = verdict == 1
		}
		keys, signatures, messages, indexes, total = nil, nil, nil, nil, 0
	}
	for index := range items {
		item := &items[index]
		if len(item.PublicKey) != ed25519x.PublicKeySize || len(item.Signature) != ed25519x.SignatureSize {
			continue
		}
		if len(indexes) == maxItems || total+len(item.Message) > maxBytes {
			flush()
		}
		keys, signatures = append(keys, item.PublicKey), append(signatures, item.Signature)
		messages, indexes = append(messages, item.Message), append(indexes, index)
		total += len(item.Message)
	}
	flush()
	return verdicts
}

// LeafHash is [merkle.LeafHash].
func (k *Kernel) LeafHash(data []byte) merkle.Hash { return k.Digest([]byte{0}, data) }

// AppendLeaves returns the frontier after leaf hashes are appended to a tree of size leaves.
func (k *Kernel) AppendLeaves(size uint64, frontier, leaves []merkle.Hash) ([]merkle.Hash, error) {
	if size > merkle.MaxSize {
		return nil, merkle.ErrFrontier
	}
	input := append(pieces(frontier), pieces(leaves)...)
	hashes := with(k, func(i *instance) []merkle.Hash {
		if i.call("append_to_frontier", input, float(size), uint64(len(frontier))) == refused {
			return nil
		}
		return hashesOf(i.output())
	})
	if hashes == nil {
		return nil, merkle.ErrFrontier
	}
	return hashes, nil
}

// RootOfFrontier is [merkle.RootOfFrontier].
func (k *Kernel) RootOfFrontier(frontier []merkle.Hash) (root merkle.Hash, ok bool) {
	return k.root("root_from_frontier", frontier)
}

// Root is [merkle.Root].
func (k *Kernel) Root(leaves []merkle.Hash) (root merkle.Hash, ok bool) {
	return k.root("root_from_leaf_hashes", leaves)
}

func (k *Kernel) root(name string, hashes []merkle.Hash) (root merkle.Hash, ok bool) {
	if len(hashes) == 0 {
		return root, false
	}
	return with(k, func(i *instance) merkle.Hash { return merkle.Hash(i.answer(name, pieces(hashes))) }), true
}

// ProveInclusion is [merkle.ProveInclusion], and panics as it does.
func (k *Kernel) ProveInclusion(leaves []merkle.Hash, index int) []merkle.Hash {
	if index < 0 || index >= len(leaves) {
		panic("wasmkernel: an index outside of the tree")
	}
	return with(k, func(i *instance) []merkle.Hash {
		return hashesOf(i.answer("prove_inclusion", pieces(leaves), uint64(index)))
	})
}

// VerifyInclusion is [merkle.VerifyInclusion].
func (k *Kernel) VerifyInclusion(leaf merkle.Hash, index, size uint64, path []merkle.Hash, root merkle.Hash) bool {
	if index > merkle.MaxSize || size > merkle.MaxSize {
		return false
	}
	input := append([][]byte{leaf[:], root[:]}, pieces(path)...)
	return with(k, func(i *instance) bool { return i.call("verify_inclusion", input, float(index), float(size)) == 1 })
}

// ProveConsistency is [merkle.ProveConsistency], and panics as it does.
func (k *Kernel) ProveConsistency(leaves []merkle.Hash, size int) []merkle.Hash {
	if size < 1 || size > len(leaves) {
		panic("wasmkernel: no tree of this size in the tree")
	}
	return with(k, func(i *instance) []merkle.Hash {
		return hashesOf(i.answer("prove_consistency", pieces(leaves), uint64(size)))
	})
}

// VerifyConsistency is [merkle.VerifyConsistency].
func (k *Kernel) VerifyConsistency(fromSize uint64, fromRoot merkle.Hash, toSize uint64, toRoot merkle.Hash, path []merkle.Hash) bool {
	if fromSize > merkle.MaxSize || toSize > merkle.MaxSize {
		return false
	}
	input := append([][]byte{fromRoot[:], toRoot[:]}, pieces(path)...)
	return with(k, func(i *instance) bool {
		return i.call("verify_consistency", input, float(fromSize), float(toSize)) == 1
	})
}

// float returns a size as the exports take it, which is exact up to 2^53-1.
func float(size uint64) uint64 { return math.Float64bits(float64(size)) }

func pieces(hashes []merkle.Hash) [][]byte {
	out := make([][]byte, len(hashes))
	for i := range hashes {
		out[i] = hashes[i][:]
	}
	return out
}

func hashesOf(bytes []byte) []merkle.Hash {
	out := make([]merkle.Hash, len(bytes)/merkle.HashSize)
	for i := range out {
		copy(out[i][:], bytes[i*merkle.HashSize:])
	}
	return out
}
