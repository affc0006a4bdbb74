package examine

import (
	"errors"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/objects/truthpackage"
	"svc.example/go/report"
)

// Decoded is evidence that has the form of its kind; of what it says nothing is verified.
type Decoded struct {
	Kind report.Kind
	// Schema is the name of the schema that it has.
	Schema string
	Value  jsonx.Value
}

// A FormFault says why bytes are no evidence: the first fault that is found.
type FormFault struct {
	Code report.Code
	Path string
	// Message is a sentence.
	Message string
	// Offset is the byte of a fault of JSON; -1 for any other.
	Offset int
	// Kind is empty where none is known.
	Kind report.Kind
}

// Error names the code, the path and the reason.
func (f *FormFault) Error() string {
	return "svc: " + string(f.Code) + " at \"" + f.Path + "\": " + f.Message
}

// Decode reads evidence: JSON, the kind, the form, in this order. The error is a [*FormFault].
func Decode(k kernel.Kernel, wire []byte) (d Decoded, err error) {
	tree, err := k.ParseJSON(wire, jsonx.Limits{})
	var fault *jsonx.SyntaxError
	if errors.As(err, &fault) {
		if fault.Code == jsonx.TooLarge {
			return d, &FormFault{report.CodeUnsupportedObject, "", "It is larger than this program can hold.", -1, ""}
		}
		return d, &FormFault{report.Code(fault.Code), "", "It is no JSON of the protocol.", fault.Offset, ""}
	}
	if err != nil {
		return d, err
	}
	e := examination.New(k, NobodyTrusted(), nil, 1)
	f := formOf(e, tree.Root())
	if f == nil || !e.HasForm(f, tree, len(wire)) {
		first := e.Problems()[0]
		return d, &FormFault{first.Code, first.Path, first.Message, -1, e.Kind}
	}
	return Decoded{e.Kind, f.Schema, tree.Root()}, nil
}

// ManifestOf returns the bytes of a truth package's manifest; ok is false if it cannot be read.
func ManifestOf(k kernel.Kernel, archive []byte) (manifest []byte, ok bool) {
	return truthpackage.Manifest(k, archive)
}
