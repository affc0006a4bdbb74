package conformance

import (
	"encoding/base64"
	"errors"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
)

// The evidence of a search has these where the request does not say: results are compared byte for byte.
const (
	someForkID = "frk_00000000000000000000000000"
	someTime   = "1970-01-01T00:00:00.000Z"
)

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
	text, _, err := examine.Redact(c.Kernel, wire, seqNos)
	return made(text, err)
}

func portableReceipt(c *Call) jsonx.Members {
	return made(examine.Cut(c.Kernel, c.Bytes("bytes"), int64(c.Size("seq_no")), 0))
}

func findFork(c *Call) jsonx.Members {
	in := examine.ForkInput{Kernel: c.Kernel, ForkID: someForkID, DetectedAt: someTime}
	if c.Has("fork_id") {
		in.ForkID = c.Text("fork_id")
	}
	if c.Has("detected_at") {
		in.DetectedAt = c.Text("detected_at")
	}
	if !examine.IsForkID(in.ForkID) || !examine.IsTime(in.DetectedAt) {
		refuse("malformed_request", "fork_id or detected_at has not its form")
	}
	in.Left, in.Right = c.Bytes("left"), c.Bytes("right")
	evidence, err := examine.FindFork(in)
	if err == nil && evidence == nil {
		return answered(true, jsonx.Member{Name: "result", Value: nil})
	}
	return made(evidence, err)
}
