package conformance

import (
	"svc.example/go/internal/ed25519x"
	"svc.example/go/internal/jsonx"
)

var itemMembers = []string{"public_key", "message", "signature"}

func ed25519Verify(c *Call) jsonx.Members {
	item := itemOf(c)
	return answered(c.Kernel.Verify(item.PublicKey, item.Message, item.Signature))
}

func ed25519Batch(c *Call) jsonx.Members {
	list := c.Value("items")
	if list.Kind() != jsonx.Array {
		refuse("malformed_request", "items is no array")
	}
	items := make([]ed25519x.Item, 0, list.Len())
	for _, one := range list.Elements() {
		if one.Kind() != jsonx.Object {
			refuse("malformed_request", "an item is no object")
		}
		inner := &Call{Server: c.Server, members: one.MemberMap()}
		inner.close(operation{required: itemMembers})
		items = append(items, itemOf(inner))
	}
	bad := []any{}
	for index, verdict := range c.Kernel.VerifyBatch(items) {
		if !verdict {
			bad = append(bad, index)
		}
	}
	return answered(len(bad) == 0, jsonx.Member{Name: "bad", Value: bad})
}

func itemOf(c *Call) ed25519x.Item {
	return ed25519x.Item{PublicKey: c.Hex("public_key"), Message: c.Hex("message"), Signature: c.Hex("signature")}
}
