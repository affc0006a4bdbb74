package conformance

import (
	"encoding/hex"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
)

func merkleRoot(c *Call) jsonx.Members {
	leaves := []merkle.Hash{}
	for _, data := range c.HexList("leaves") {
		leaves = append(leaves, c.Kernel.LeafHash(data))
	}
	frontier, err := c.Kernel.AppendLeaves(0, nil, leaves)
	root, ok := c.Kernel.Root(leaves)
	if err != nil || !ok {
		refuse("malformed", "a tree without leaves has no root")
	}
	texts := make([]string, len(frontier))
	for i, hash := range frontier {
		texts[i] = hex.EncodeToString(hash[:])
	}
	return answered(true,
		jsonx.Member{Name: "root", Value: hex.EncodeToString(root[:])}, jsonx.Member{Name: "frontier", Value: texts})
}

func merkleInclusion(c *Call) jsonx.Members {
	leaf, index, size := c.Hex("leaf_hash"), c.Size("leaf_index"), c.Size("tree_size")
	path, root := c.HexList("path"), c.Hex("root")
	hashes, ok := hashesOf(append([][]byte{leaf, root}, path...))
	if !ok || !c.Kernel.VerifyInclusion(hashes[0], index, size, hashes[2:], hashes[1]) {
		refuse("inclusion_invalid", "the proof does not hold")
	}
	return answered(true)
}

func merkleConsistency(c *Call) jsonx.Members {
	size1, root1, size2, root2 := c.Size("size1"), c.Hex("root1"), c.Size("size2"), c.Hex("root2")
	hashes, ok := hashesOf(append([][]byte{root1, root2}, c.HexList("path")...))
	if !ok || !c.Kernel.VerifyConsistency(size1, hashes[0], size2, hashes[1], hashes[2:]) {
		refuse("consistency_invalid", "the proof does not hold")
	}
	return answered(true)
}

// hashesOf returns byte strings as hashes. ok is false if one of them has another length.
func hashesOf(texts [][]byte) (hashes []merkle.Hash, ok bool) {
	for _, text := range texts {
		if len(text) != merkle.HashSize {
			return nil, false
		}
		hashes = append(hashes, merkle.Hash(text))
	}
	return hashes, true
}
