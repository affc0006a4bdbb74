package conformance

import (
	"maps"
	"slices"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
)

// operations by name. The last entry adds itself, since `hello` lists them all.
var operations = map[string]operation{
	"json.canonical":     {required: []string{"bytes"}, answer: jsonCanonical},
	"digest":             {required: []string{"tag", "bytes"}, answer: digestOf},
	"ed25519.verify":     {required: itemMembers, answer: ed25519Verify},
	"ed25519.batch":      {required: []string{"items"}, answer: ed25519Batch},
	"merkle.root":        {required: []string{"leaves"}, answer: merkleRoot},
	"merkle.inclusion":   {required: []string{"leaf_hash", "leaf_index", "tree_size", "path", "root"}, answer: merkleInclusion},
	"merkle.consistency": {required: []string{"size1", "root1", "size2", "root2", "path"}, answer: merkleConsistency},
}

func init() { operations["hello"] = operation{answer: hello} }

func hello(c *Call) jsonx.Members {
	var sum any
	if hex := c.Kernel.SHA256(); hex != "" {
		sum = hex
	}
	return answered(true,
		jsonx.Member{Name: "implementation", Value: c.Implementation},
		jsonx.Member{Name: "version", Value: c.Version},
		jsonx.Member{Name: "kernel_sha256", Value: sum},
		jsonx.Member{Name: "protocol", Value: digest.Protocol},
		jsonx.Member{Name: "ops", Value: slices.Sorted(maps.Keys(operations))})
}
