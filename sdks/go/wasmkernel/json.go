package wasmkernel

import (
	"errors"

	"svc.example/go/internal/jsonx"
)

// isCanonical marks an accepted text that is its own canonical form.
const isCanonical = 0x100

// codes are the numbers of the kernel's errors, from 1.
var codes = [...]jsonx.Code{
	jsonx.Malformed, jsonx.DuplicateName, jsonx.LossyNumber, jsonx.InvalidUnicode, jsonx.TooDeep, jsonx.TooLarge,
}

// ParseJSON is [jsonx.Parse]: the compiled kernel decides whether the text is accepted and makes its canonical bytes.
// Only the places of the parts in these are found by jsonx.
func (k *Kernel) ParseJSON(wire []byte, limits jsonx.Limits) (*jsonx.Tree, error) {
	if limits.MaxBytes > 0 && len(wire) > limits.MaxBytes {
		return nil, &jsonx.SyntaxError{Code: jsonx.TooLarge}
	}
	var failure error
	tree := with(k, func(i *instance) *jsonx.Tree {
		marks := i.call("json_canonicalize", [][]byte{wire})
		if 0 < marks && marks <= uint32(len(codes)) {
			failure = &jsonx.SyntaxError{Code: codes[marks-1], Offset: int(i.number("error_offset"))}
			return nil
		}
		canonical, isWire := wire, marks&isCanonical != 0
		if !isWire {
			canonical = i.output()
		}
		tree, err := jsonx.FromCanonical(canonical, isWire)
		if err != nil {
			i.fail(errors.New("its canonical bytes are missing"))
		}
		return tree
	})
	return tree, failure
}
