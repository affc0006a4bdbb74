package conformance

import (
	"encoding/base64"
	"errors"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
)

func init() {
	operations["redact"] = operation{required: []string{"bytes", "seq_nos"}, answer: redact}
	operations["portable-receipt"] = operation{required: []string{"bytes", "seq_no"}, answer: portableReceipt}
}

// made answers what a producer made, or why it made nothing.
func made(text []byte, err error) jsonx.Members {
	var refused *examine.Refusal
	switch {
	case err == nil:
		return answered(true, jsonx.Member{Name: "result", Value: base64.StdEncoding.EncodeToString(text)})
	case errors.As(err, &refused):
		return failed(refused.Code, "nothing was made")
	default:
		return failed("internal_error", err.Error())
	}
}

func redact(c *Call) jsonx.Members {
	wire, list := c.Bytes("bytes"), c.Value("seq_nos")
	if list.Kind() != jsonx.Array {
		refuse("malformed_request", "seq_nos is no array")
	}
	var seqNos []int64
	for _, one := range list.Elements() {
		inner := &Call{Server: c.Server, members: map[string]jsonx.Value{"seq_nos": one}}
		seqNos = append(seqNos, int64(inner.Size("seq_nos")))
	}
	return made(examine.Redact(c.Kernel, wire, seqNos))
}

func portableReceipt(c *Call) jsonx.Members {
	return made(examine.Cut(c.Kernel, c.Bytes("bytes"), int64(c.Size("seq_no"))))
}
