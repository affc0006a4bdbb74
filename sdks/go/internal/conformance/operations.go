package conformance

import (
	"maps"
	"slices"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
)

// operations by name, all but `hello`, which lists them.
var operations = map[string]operation{
	"json.canonical":     {required: []string{"bytes"}, answer: jsonCanonical},
	"digest":             {required: []string{"tag", "bytes"}, answer: digestOf},
	"ed25519.verify":     {required: itemMembers, answer: ed25519Verify},
	"ed25519.batch":      {required: []string{"items"}, answer: ed25519Batch},
	"merkle.root":        {required: []string{"leaves"}, answer: merkleRoot},
	"merkle.inclusion":   {required: []string{"leaf_hash", "leaf_index", "tree_size", "path", "root"}, answer: merkleInclusion},
	"merkle.consistency": {required: []string{"size1", "root1", "size2", "root2", "path"}, answer: merkleConsistency},
	"note.open":          {required: []string{"note", "vkeys"}, answer: noteOpen},
	"cosignature.verify": {required: []string{"note", "vkey"}, answer: cosignatureVerify},
	"tlog-policy.parse":  {required: []string{"text"}, answer: tlogPolicyParse},
	"archive.check":      {required: []string{"bytes"}, answer: archiveCheck},
	"verify":             {required: []string{"bytes"}, optional: []string{"kind", "trust", "links"}, answer: verify},
	"redact":             {required: []string{"bytes", "seq_nos"}, answer: redact},
	"portable-receipt":   {required: []string{"bytes", "seq_no"}, answer: portableReceipt},
	"fork.find":          {required: []string{"left", "right"}, optional: []string{"fork_id", "detected_at"}, answer: findFork},
}

func operationOf(name string) (o operation, ok bool) {
	if name == "hello" {
		return operation{answer: hello}, true
	}
	o, ok = operations[name]
	return o, ok
}

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
		jsonx.Member{Name: "ops", Value: slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(operations)), "hello")))})
}
