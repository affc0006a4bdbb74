package conformance

import (
	"encoding/base64"
	"encoding/hex"

	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
)

func jsonCanonical(c *Call) jsonx.Members {
	tree, err := c.Kernel.ParseJSON(c.Bytes("bytes"), jsonx.Limits{})
	if err != nil {
		return syntax(err)
	}
	text := base64.StdEncoding.EncodeToString(tree.Canonical())
	return answered(true, jsonx.Member{Name: "canonical", Value: text})
}

func digestOf(c *Call) jsonx.Members {
	tag := c.Text("tag")
	if !digest.IsTag(tag) {
		refuse("malformed_request", "tag is no tag")
	}
	tree, err := c.Kernel.ParseJSON(c.Bytes("bytes"), jsonx.Limits{})
	if err != nil {
		return syntax(err)[:3]
	}
	sum := c.Kernel.Digest(digest.Line(tag), tree.Canonical())
	return answered(true, jsonx.Member{Name: "digest", Value: hex.EncodeToString(sum[:])})
}
