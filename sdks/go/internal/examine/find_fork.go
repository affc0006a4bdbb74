package examine

import (
	"errors"
	"unicode/utf8"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/note"
	"svc.example/go/internal/objects/fork/search"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A ForkInput is two objects to compare, and the members of the evidence that are not found in them.
type ForkInput struct {
	Left, Right        []byte
	ForkID, DetectedAt string
	// Policy tells keys that the objects do not carry; nil for none. Its demands do not matter here.
	Policy *Policy
	// Policies are policies that neither object shows, by which an omission is judged; each is one JSON text.
	Policies [][]byte
	// Kinds are the kinds of evidence to look for; nil for all.
	Kinds  []string
	Kernel kernel.Kernel
}

// FindFork looks for a contradiction between two objects (protocol section 11, the search). It returns J of the
// evidence, and nil where it finds none. The error is a [*Refusal].
func FindFork(in ForkInput) ([]byte, error) {
	var sides [2]*search.Parts
	for i, wire := range [][]byte{in.Left, in.Right} {
		parts, err := comparableParts(in.Kernel, wire)
		if err != nil {
			return nil, err
		}
		sides[i] = parts
	}
	a, b := sides[0], sides[1]
	for _, text := range in.Policies {
		tree, err := in.Kernel.ParseJSON(text, jsonx.Limits{})
		if err != nil || len(finding.Shape("policy", tree.Root(), 1)) > 0 {
			return nil, examination.Refuse("malformed")
		}
		a.AddPolicy(tree.Root())
	}
	policy := NobodyTrusted()
	if in.Policy != nil {
		policy = in.Policy.Alone()
	}
	for candidate := range search.Candidates(a, b, in.Kinds) {
		evidence, err := jsonx.Encode(candidate.Evidence(in.ForkID, in.DetectedAt, a, b))
		if err != nil {
			return nil, err
		}
		r, err := Verify(Input{Bytes: evidence, Kind: report.KindFork, Policy: policy, Kernel: in.Kernel})
		if err != nil {
			return nil, err
		}
		if r.Verdict != report.Rejected {
			return evidence, nil
		}
	}
	return nil, nil
}

// IsForkID says whether a text is an identifier of fork evidence.
func IsForkID(text string) bool { return schema.Matches(tables.FormatForkID, []byte(text)) }

// IsTime says whether a text is a time as the service makes it.
func IsTime(text string) bool { return schema.Matches(tables.FormatServiceTime, []byte(text)) }

// comparableParts reads an object with parts, or the text of a signed note, which is no JSON.
func comparableParts(k kernel.Kernel, wire []byte) (*search.Parts, error) {
	object, kind, err := source(k, wire, search.Kinds()...)
	var refused *Refusal
	if errors.As(err, &refused) && refused.Offset >= 0 && utf8.Valid(wire) {
		if _, ok := note.Parse(string(wire)); ok {
			return search.ReadNote(k, string(wire)), nil
		}
	}
	if err != nil {
		return nil, err
	}
	return search.Read(k, kind, object), nil
}
